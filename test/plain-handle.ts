import { createRecorder } from '../src/evidence/recorder.ts';
import { createRedactor } from '../src/evidence/redact.ts';
import type { HostHandle } from '../src/host/client.ts';
import { createHostClient } from '../src/host/undici-client.ts';

/** A handle without a credential whose evidence nobody keeps; `close` ends its connections. */
export function plainHandle(baseUrl: string, signal: AbortSignal = new AbortController().signal) {
  const limits = { timeoutMs: 60_000, maxBodyBytes: 100_000, maxLogBytes: 100_000, maxHeaderBytes: 10_000 };
  const client = createHostClient(limits, createRecorder(createRedactor([])), 4);
  const handle: HostHandle = client.handle({ baseUrl, credential: undefined, variable: 'KEY', scenario: 's', signal });
  return { handle, close: () => client.close() };
}
