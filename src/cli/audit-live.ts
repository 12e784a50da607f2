import { inOrder } from '../audit/in-order.ts';
import type { AuditLine } from '../audit/line.ts';
import { auditRun, type LiveAudit } from '../audit/live.ts';
import { createRedactor, type Redactor } from '../evidence/redact.ts';
import { createUnkeptRecorder } from '../evidence/recorder.ts';
import { DEFAULT_BODY_BYTES, DEFAULT_HEADER_BYTES, DEFAULT_LOG_BYTES } from '../host/client.ts';
import { createReach } from '../host/reach.ts';
import { createHostClient } from '../host/undici-client.ts';
import { DISCOVERY_PATH } from '../protocol/paths.ts';
import { redactedLine } from './audit-output.ts';
import { credentialsOf, type Target } from '../runner/target.ts';
import type { RunFlags } from './options.ts';
import { readTarget } from './target.ts';

/** The host of an audit. */
export interface LiveHost {
  readonly target: Target;
  readonly redact: Redactor;
}

/** Reads whom to ask from the flags and the environment. Throws UsageError. */
export function readLiveHost(flags: Pick<RunFlags, 'baseUrl' | 'apiKey' | 'apiKeyEnv' | 'apiKeyFile'>): LiveHost {
  const target = readTarget({ ...flags } as RunFlags);
  return { target, redact: createRedactor(credentialsOf(target)) };
}

/** How runs are asked for. */
interface Asking extends Pick<LiveAudit, 'signal' | 'timeoutMs' | 'volatile' | 'auditId' | 'replays'> {
  readonly concurrency: number;
}

/** Replays runs of a host, and compares each with its source. */
export async function* auditLive(
  runs: AsyncIterable<{ readonly id: string }>,
  { target: { baseUrl, apiKey: credential }, redact }: LiveHost,
  { concurrency, ...asking }: Asking,
): AsyncGenerator<AuditLine, void> {
  const limits = {
    timeoutMs: asking.timeoutMs,
    maxBodyBytes: DEFAULT_BODY_BYTES,
    maxLogBytes: DEFAULT_LOG_BYTES,
    maxHeaderBytes: DEFAULT_HEADER_BYTES,
  };
  const client = createHostClient(limits, createUnkeptRecorder(redact), concurrency);
  const handleUntil = (signal: AbortSignal) =>
    client.handle({ baseUrl, credential, variable: 'OPENWOP_API_KEY', scenario: 'audit', signal });
  const requested = handleUntil(asking.signal);
  const reach = createReach(() => requested.exchange({ method: 'GET', path: DISCOVERY_PATH }));
  const signal = AbortSignal.any([asking.signal, reach.gone]);
  const audit: LiveAudit = { ...asking, signal, reach, handle: handleUntil(signal) };
  const work = async ({ id }: { readonly id: string }): Promise<AuditLine> =>
    redactedLine(await auditRun(id, audit), redact);
  try {
    yield* inOrder(runs, work, { atOnce: concurrency, signal: asking.signal });
  } finally {
    await client.close();
  }
}
