import { afterEach, describe, expect, it } from 'vitest';
import { openMortalHosts } from '../src/kill-matrix/mortal-hosts.ts';
import { openSupervisedHosts } from '../src/cli/supervised-hosts.ts';
import { createRecorder } from '../src/evidence/recorder.ts';
import { createRedactor } from '../src/evidence/redact.ts';
import type { Exchange, HostHandle } from '../src/host/client.ts';
import { createCrashBench, createCrashPool } from '../src/host/crash-bench.ts';
import type { CrashBench, Cut } from '../src/host/crash.ts';
import { createHostClient } from '../src/host/undici-client.ts';

const { signal } = new AbortController();
const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).toReversed()) await each.close();
});

async function openBench(kind: 'processes' | 'in this process'): Promise<CrashBench> {
  const crash = await (kind === 'processes' ? openSupervisedHosts(signal) : openMortalHosts({}));
  const limits = { timeoutMs: 60_000, maxBodyBytes: 1_000_000, maxLogBytes: 1_000_000, maxHeaderBytes: 16_384 };
  const client = createHostClient(limits, createRecorder(createRedactor([])), 4);
  opened.push(crash, client);
  return createCrashBench({
    pool: createCrashPool(crash.hosts),
    cuts: 'full',
    handle: ({ baseUrl, apiKey, variable }) =>
      client.handle({ baseUrl, credential: apiKey, variable, scenario: 's', signal }),
    signal,
  });
}

function ask(host: HostHandle, path: string, body: object, key?: string): Promise<Exchange> {
  const headers = key === undefined ? {} : { headers: { 'idempotency-key': key } };
  return host.exchange({ method: 'POST', path, body: JSON.stringify(body), ...headers });
}

function jsonOf(exchange: Exchange): unknown {
  return exchange.kind === 'response' && exchange.json.ok ? exchange.json.value : exchange;
}

const arm = (host: HostHandle, cut: Cut): Promise<Exchange> =>
  ask(host, '/v1/host/sample/test/failpoint', { ...cut, action: 'kill' });
const createRun = (host: HostHandle, key: string): Promise<Exchange> =>
  ask(host, '/v1/runs', { workflowId: 'conformance-noop' }, key);

describe.each(['processes', 'in this process'] as const)('reference hosts that may be killed, %s', (kind) => {
  it('go on with what they had begun, under the first credential', async () => {
    const bench = await openBench(kind);
    const ended = await Promise.all(
      ['a', 'b', 'c'].map((key) =>
        bench.use(async ({ host, revive }) => {
          expect(await arm(host, { name: 'after-create-run', hit: 1 })).toMatchObject({ status: 200 });
          expect(await createRun(host, key)).toMatchObject({ kind: 'failure', reason: 'reset' });
          expect(await revive()).toMatchObject({ ok: true, answered: true });
          const { runId } = jsonOf(await createRun(host, key)) as { readonly runId: string };
          await host.exchange({ method: 'GET', path: `/v1/runs/${runId}/events` });
          return jsonOf(await host.exchange({ method: 'GET', path: `/v1/runs/${runId}` }));
        }),
      ),
    );
    expect(ended).toEqual(['a', 'b', 'c'].map(() => expect.objectContaining({ status: 'completed' }) as unknown));
  });

  it('die again at what is armed for their start, and come back', async () => {
    const bench = await openBench(kind);
    await bench.use(async ({ host, revive, armsAtStart }) => {
      expect(armsAtStart).toBe(true);
      await arm(host, { name: 'before-append-event', hit: 2 });
      await createRun(host, 'a');
      await expect.poll(async () => (await host.exchange({ method: 'GET', path: '/' })).kind).toBe('failure');
      const second = await revive({ name: 'before-append-event', hit: 1 });
      expect(second.ok).toBe(true);
      await expect.poll(async () => (await host.exchange({ method: 'GET', path: '/' })).kind).toBe('failure');
      expect(await revive()).toMatchObject({ ok: true, answered: true });
      const { runId } = jsonOf(await createRun(host, 'a')) as { readonly runId: string };
      await host.exchange({ method: 'GET', path: `/v1/runs/${runId}/events` });
      const run = jsonOf(await host.exchange({ method: 'GET', path: `/v1/runs/${runId}` }));
      expect(run).toMatchObject({ status: 'completed' });
    });
  });
});
