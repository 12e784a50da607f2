import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { cutOff, followed, life, quickFolder, startOnce } from '../../test/host-lives.ts';
import { serveOnceTool, type OnceTool } from '../../test/once-tool.ts';
import { testClient } from '../../test/reference-client.ts';
import { whenAsked } from '../../test/waiting-run.ts';
import { FAILPOINTS, type Failpoints } from './failpoints.ts';
import type { Store } from './store.ts';
import type * as StoreModule from './store.ts';

/** Every write that reached a store, and the failpoint that was passed last before it. */
const writes: { readonly member: string; readonly passed: string }[] = [];
let failpoints: Failpoints | undefined;

type Members = Readonly<Record<string, 'read' | 'write' | 'not about a run'>>;

/** Every member of the store. What is not about a run is written at the start, or by a seam that forgets. */
const MEMBERS: Readonly<
  Record<Exclude<keyof Store, 'notice' | 'region' | 'now' | 'atomically' | 'shed' | 'close'>, Members>
> = {
  events: {
    append: 'write',
    inherit: 'write',
    read: 'read',
    hasEnded: 'read',
    last: 'read',
    changed: 'read',
    wake: 'read',
    expire: 'not about a run',
    isOpen: 'read',
    close: 'read',
  },
  runs: {
    insert: 'write',
    get: 'read',
    count: 'read',
    unfinished: 'read',
    parent: 'read',
    forks: 'read',
    ofTenant: 'read',
    children: 'read',
  },
  responses: {
    record: 'write',
    byInvocation: 'read',
    ofRun: 'read',
    invocations: 'read',
    ofOtherRuns: 'read',
    purge: 'not about a run',
  },
  // What is said about a run is no part of carrying it out.
  annotations: { add: 'not about a run', of: 'read' },
  observations: { record: 'write', get: 'read' },
  effects: { record: 'write', get: 'read' },
  ledger: {
    get: 'read',
    acquire: 'write',
    reclaim: 'write',
    renew: 'write',
    commit: 'write',
    claim: 'write',
  },
  idempotency: { get: 'read', put: 'write' },
  traceParents: { record: 'write', get: 'read' },
  credentials: { remember: 'not about a run', all: 'read' },
  workflows: { add: 'not about a run', get: 'read', remove: 'not about a run', count: 'read' },
  expired: { get: 'read', put: 'not about a run' },
  deletions: { of: 'read', record: 'not about a run' },
  records: { rewrite: 'not about a run' },
  audit: { record: 'write', about: 'read' },
};

function spied(store: Store): Store {
  const families = Object.entries(MEMBERS).map(([family, members]) => {
    const own = Reflect.get(store, family) as Record<string, (...given: unknown[]) => unknown>;
    const wrapped = Object.entries(members).map(([name, kind]) => {
      const call = own[name];
      if (kind !== 'write' || call === undefined) return [name, call];
      const spy = (...given: unknown[]): unknown => {
        writes.push({ member: `${family}.${name}`, passed: failpoints?.passed().passed.at(-1) ?? 'none' });
        return call(...given);
      };
      return [name, spy];
    });
    return [family, Object.fromEntries(wrapped)];
  });
  return { ...store, ...(Object.fromEntries(families) as Partial<Store>) };
}

vi.mock(import('./store.ts'), async (original) => {
  const actual = await original();
  return { ...actual, openStore: (...given) => spied(actual.openStore(...given)) };
});
vi.mock(import('./failpoints.ts'), async (original) => {
  const actual = await original();
  return {
    ...actual,
    createFailpoints: (die) => {
      failpoints = actual.createFailpoints(die);
      return failpoints;
    },
  };
});

let witness: OnceTool;
const servers: OnceTool[] = [];
beforeEach(async () => {
  writes.length = 0;
  witness = await serveOnceTool();
  servers.push(witness);
});
const folder = quickFolder('durable-');
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await Promise.all(servers.map((each) => each.close()));
});

/** What a host does in its life: runs of most kinds, forks, questions, a stalled worker and a call that is lost. */
async function live(): Promise<void> {
  const client = testClient();
  const headers = { 'idempotency-key': 'k', traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01` };
  const body = (workflowId: string, more: object = {}): { body: object; headers: Record<string, string> } => ({
    body: { workflowId, inputs: { witnessUrl: witness.url, apiKey: 'told-by-its-name' }, ...more },
    headers: { ...headers, 'idempotency-key': workflowId },
  });
  await client.run('', body('conformance-determinism-llm-nodes'));
  await client.run('', body('conformance-determinism-random'));
  await client.run('', body('conformance-multi-agent-handoff'));
  const source = await client.run('', body('conformance-determinism-verify-human'));
  await client.fork(source.runId, { mode: 'branch', fromSeq: 3 });
  witness.pretend('another');
  const ask = { headers: { ...headers, 'idempotency-key': 'fork' } };
  const forked = await client.post(`/v1/runs/${source.runId}:fork`, { mode: 'replay', fromSeq: 1 }, ask);
  const parked = String(forked.body['runId']);
  await whenAsked(client, parked);
  await client.post(`/v1/runs/${parked}/interrupts/charge`, { resumeValue: true });
  await followed(client, parked);
  const divergent = await client.run('', body('conformance-determinism-side-effects'));
  await client.post('/v1/host/sample/test/workflow-revision', {
    workflowId: 'conformance-determinism-side-effects',
    revision: '2.0.0',
  });
  await client.fork(divergent.runId, { mode: 'replay' });
  await client.post('/v1/host/sample/test/failpoint', { name: 'after-acquire', action: 'stall', milliseconds: 3_000 });
  witness.hold();
  const calls = witness.calls.length;
  const stalled = await client.post(
    '/v1/runs',
    body('conformance-determinism-once', { configurable: { workers: 2 } }).body,
  );
  await witness.called(calls + 1);
  // A sign of life comes while the answer is awaited.
  await vi.waitFor(() => expect(writes.map(({ member }) => member)).toContain('ledger.renew'), { timeout: 60_000 });
  witness.release();
  await followed(client, String(stalled.body['runId']));
  await client.host.close();
  const data = join(folder, String(writes.length));
  const lost = body('conformance-determinism-once').body;
  await cutOff(data, lost, { name: 'after-append-started', hit: 1 });
  const next = life(data);
  await followed(next.client, await startOnce(next.client, lost));
  await next.client.host.close();
}

describe('the durable writes of a host', () => {
  it('are the members of the store that are named here, and no others', async () => {
    const { openStore } = await vi.importActual<typeof StoreModule>('./store.ts');
    const store = openStore(undefined, 0);
    expect(Object.keys(store).toSorted()).toEqual(
      [...Object.keys(MEMBERS), 'now', 'atomically', 'shed', 'close'].toSorted(),
    );
    for (const [family, members] of Object.entries(MEMBERS)) {
      const actual = Object.keys(Reflect.get(store, family) as object);
      expect([family, actual.toSorted()]).toEqual([family, Object.keys(members).toSorted()]);
    }
    store.close();
  });

  it('all stand between the two failpoints of a step', async () => {
    await live();
    const seen = new Map<string, Set<string>>();
    for (const { member, passed } of writes) seen.set(member, (seen.get(member) ?? new Set()).add(passed));
    const steps = Object.fromEntries([...seen].map(([name, passed]) => [name, [...passed].toSorted()]));
    expect(steps).toEqual({
      'runs.insert': ['before-create-fork', 'before-create-run'],
      'events.inherit': ['before-create-fork'],
      'audit.record': ['before-create-fork'],
      'traceParents.record': ['before-create-fork', 'before-create-run'],
      'idempotency.put': ['before-create-fork', 'before-create-run'],
      'events.append': [
        'before-append-command-committed',
        'before-append-event',
        'before-append-finished',
        'before-append-node-completed',
        'before-append-started',
        'before-create-fork',
        'before-create-run',
      ],
      'responses.record': ['before-store-response'],
      'observations.record': ['before-create-run', 'before-record-observation'],
      'effects.record': ['before-put-effect', 'before-record-loss'],
      'ledger.claim': ['before-claim'],
      'ledger.acquire': ['before-acquire'],
      'ledger.reclaim': ['before-reclaim', 'before-record-loss'],
      'ledger.renew': ['before-renew-lease'],
      'ledger.commit': ['before-ledger-commit', 'before-record-loss'],
    });
  });

  it('pass each failpoint in pairs, and none that is not advertised', async () => {
    const client = testClient();
    await client.run('', {
      body: { workflowId: 'conformance-determinism-side-effects', inputs: { witnessUrl: witness.url } },
    });
    const passed = failpoints?.passed().passed ?? [];
    expect(passed.length).toBeGreaterThan(40);
    expect(passed.filter((name) => !FAILPOINTS.includes(name))).toEqual([]);
    const durable = passed.filter((name) => !name.endsWith('-execute'));
    for (let index = 0; index < durable.length; index += 2) {
      expect(durable[index + 1]).toBe(durable[index]?.replace('before-', 'after-'));
    }
  });
});
