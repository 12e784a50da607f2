import { inOrder } from '../audit/in-order.ts';
import type { AuditLine } from '../audit/line.ts';
import { auditRun } from '../audit/live.ts';
import { createRedactor } from '../evidence/redact.ts';
import { createUnkeptRecorder } from '../evidence/unkept-recorder.ts';
import { DEFAULT_BODY_BYTES, DEFAULT_HEADER_BYTES, DEFAULT_LOG_BYTES, type HostHandle } from '../host/client.ts';
import { createHostClient } from '../host/undici-client.ts';
import { credentialsOf } from '../runner/target.ts';
import type { RunFlags } from './options.ts';
import { readTarget } from './target.ts';

interface Live {
  readonly flags: Pick<RunFlags, 'baseUrl' | 'apiKey' | 'apiKeyEnv' | 'apiKeyFile' | 'concurrency' | 'timeout'>;
  readonly signal: AbortSignal;
  readonly places: Parameters<typeof auditRun>[1]['volatile'];
}

/** Replays runs of the host that the flags name, and compares each with its source. */
export async function* auditLive(
  runs: AsyncIterable<{ readonly id: string }>,
  { flags, signal, places: volatile }: Live,
): AsyncGenerator<AuditLine, void> {
  const target = readTarget({ ...flags } as RunFlags);
  const { timeout: timeoutMs, concurrency } = flags;
  const sizes = {
    maxBodyBytes: DEFAULT_BODY_BYTES,
    maxLogBytes: DEFAULT_LOG_BYTES,
    maxHeaderBytes: DEFAULT_HEADER_BYTES,
  };
  const recorder = createUnkeptRecorder(createRedactor(credentialsOf(target)));
  const client = createHostClient({ timeoutMs, ...sizes }, recorder, concurrency);
  const { baseUrl, apiKey: credential } = target;
  const handle: HostHandle = client.handle({
    baseUrl,
    credential,
    variable: 'OPENWOP_API_KEY',
    scenario: 'audit',
    signal,
  });
  try {
    yield* inOrder(runs, ({ id }) => auditRun(id, { handle, timeoutMs, signal, volatile }), concurrency);
  } finally {
    await client.close();
  }
}
