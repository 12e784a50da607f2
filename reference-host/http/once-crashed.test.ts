import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cutOff, followed, life, useFolder, startOnce } from '../../test/host-lives.ts';
import { CALL, serveOnceTool, useOnceTools, type OnceTool } from '../../test/once-tool.ts';
import { comparable, testClient, type FinishedRun } from '../../test/reference-client.ts';
import { member } from '../json.ts';
import type { Failpoint } from '../store/failpoints.ts';
import { openSqlite } from '../store/sqlite.ts';
import { sampled } from '../../test/sampled.ts';

const ONCE = 'conformance-determinism-once';
const folder = useFolder('crashed-');
let files = 0;
const tool = useOnceTools();

function newFile(): string {
  files += 1;
  return join(folder, `${files}.sqlite`);
}

const request = ({ url }: OnceTool): { workflowId: string; inputs: object } => ({
  workflowId: ONCE,
  inputs: { witnessUrl: url },
});

const callEvents = ({ types }: FinishedRun): unknown[] => types.filter((type) => CALL.includes(String(type)));

const payload = ({ events }: FinishedRun, type: string): unknown =>
  events.find((event) => event['type'] === type)?.['payload'];

/** The states of all records in the ledger of a host that is gone. */
function records(data: string): unknown[] {
  const database = openSqlite(data);
  try {
    return database
      .prepare('SELECT state FROM invocations')
      .all()
      .map(({ state }) => state);
  } finally {
    database.close();
  }
}

/** Every failpoint that a whole run of this tool passes each time, in order: a lease is renewed only where a call takes long. */
async function everyCut(witness: OnceTool): Promise<readonly Failpoint[]> {
  const { client } = life(newFile());
  await followed(client, await startOnce(client, request(witness)));
  const { body } = await client.post('/v1/host/sample/test/failpoint/passed', {});
  await client.host.close();
  const names = (body['passed'] as readonly string[]).filter((name) => !name.endsWith('renew-lease'));
  return names.map((name, index) => ({ name, hit: names.slice(0, index + 1).filter((each) => each === name).length }));
}

/** A run that is cut, and then carried on by another host. */
async function recovered(witness: OnceTool, cut: Failpoint): Promise<{ data: string; run: FinishedRun }> {
  const data = newFile();
  expect([cut, await cutOff(data, request(witness), cut)]).toEqual([cut, true]);
  const { client } = life(data);
  const run = await followed(client, await startOnce(client, request(witness)));
  await client.host.close();
  return { data, run };
}

/** A run whose call is under way: the tool holds its answer back. */
async function underWay(witness: OnceTool) {
  const data = newFile();
  const { client } = life(data);
  witness.hold();
  const runId = await startOnce(client, request(witness));
  await witness.called(1);
  return { data, client, runId };
}

/** Cuts at which the tool has been declared and not called, and nobody can know that. */
const UNCALLED = ['after-append-started', 'before-execute'];
const WINDOW_2 = ['after-append-started', 'before-execute', 'after-execute', 'before-put-effect'];

describe('a tool that fails', () => {
  it('leaves a failure, and no record in flight', async () => {
    const witness = await tool({ answer: { secret: 1 }, status: 500 });
    const data = newFile();
    const { client } = life(data);
    const run = await followed(client, await startOnce(client, request(witness)));
    expect(run.snapshot).toMatchObject({ status: 'failed', error: { code: 'tool_failed' } });
    expect(callEvents(run)).toEqual(CALL.slice(0, 2));
    expect(payload(run, 'tool_invocation_finished')).toMatchObject({
      outcome: 'failure',
      error: { code: 'tool_failed' },
    });
    expect(Object.keys(payload(run, 'tool_invocation_finished') as object)).not.toContain('result');
    await client.host.close();
    expect(records(data)).toEqual(['COMMITTED']);
  });

  it('is not called again after a crash anywhere', async () => {
    const witness = await tool({ status: 500 });
    const cuts = await everyCut(witness);
    expect(cuts.length).toBeGreaterThan(20);
    for (const cut of sampled(cuts)) {
      const before = witness.calls.length;
      const { data, run } = await recovered(witness, cut);
      const inDoubt = WINDOW_2.includes(cut.name);
      const error = { code: inDoubt ? 'invocation_in_doubt' : 'tool_failed' };
      expect([cut, run.snapshot]).toMatchObject([cut, { status: 'failed', error }]);
      expect(callEvents(run)).toEqual(inDoubt ? CALL.slice(0, 1) : CALL.slice(0, 2));
      expect(witness.calls.length - before).toBe(UNCALLED.includes(cut.name) ? 0 : 1);
      expect([cut, records(data)]).toEqual([cut, ['COMMITTED']]);
    }
  });
});

describe.each([[null], [{}], [''], [false], [0]])('a tool that answers %j', (answer) => {
  it('has given a result, wherever the host dies', async () => {
    const witness = await tool({ answer });
    const cuts = await everyCut(witness);
    for (const cut of sampled(cuts)) {
      const before = witness.calls.length;
      const { data, run } = await recovered(witness, cut);
      expect([cut, records(data)]).toEqual([cut, ['COMMITTED']]);
      const inDoubt = WINDOW_2.includes(cut.name);
      const end = inDoubt
        ? { status: 'failed', error: { code: 'invocation_in_doubt' } }
        : { status: 'completed', variables: { receipt: answer } };
      expect([cut, run.snapshot]).toMatchObject([cut, end]);
      expect(callEvents(run)).toEqual(inDoubt ? CALL.slice(0, 1) : CALL);
      expect(member(payload(run, 'tool_invocation_finished'), 'result')).toEqual(inDoubt ? undefined : answer);
      expect(witness.calls.length - before).toBe(UNCALLED.includes(cut.name) ? 0 : 1);
    }
  });

  it('is not called again by a replay', async () => {
    const witness = await tool({ answer });
    const client = testClient();
    const source = await client.run(ONCE, { body: request(witness) });
    for (const fromSeq of sampled(source.events.keys())) {
      const replay = await client.fork(source.runId, { mode: 'replay', fromSeq });
      expect(comparable(replay)).toEqual(comparable(source));
    }
    expect(witness.calls).toHaveLength(1);
  });
});

describe('a replay', () => {
  it.each(WINDOW_2)(
    'of a run that ended in doubt (%s) calls nobody and fails alike, from every sequence',
    async (name) => {
      const witness = await tool();
      const { data } = await recovered(witness, { name, hit: 1 });
      const before = witness.calls.length;
      const { client } = life(data);
      const source = await followed(client, await startOnce(client, request(witness)));
      expect(source.snapshot).toMatchObject({
        status: 'failed',
        error: { code: 'invocation_in_doubt', message: 'invocation in flight or lost' },
      });
      for (const fromSeq of sampled(source.events.keys())) {
        const replay = await client.fork(source.runId, { mode: 'replay', fromSeq });
        expect(comparable(replay)).toEqual(comparable(source));
        const again = await client.fork(replay.runId, { mode: 'replay' });
        expect(comparable(again)).toEqual(comparable(source));
      }
      expect(witness.calls).toHaveLength(before);
      await client.host.close();
    },
  );

  it('of a run whose call is under way waits for it and calls nobody', async () => {
    const witness = await tool();
    const client = testClient();
    witness.hold();
    const runId = await startOnce(client, request(witness));
    await witness.called(1);
    const forks = [0, 1, 2].map((fromSeq) => client.fork(runId, { mode: 'replay', fromSeq }));
    witness.release();
    const source = await followed(client, runId);
    expect(source.snapshot['status']).toBe('completed');
    for (const replay of await Promise.all(forks)) expect(comparable(replay)).toEqual(comparable(source));
    expect(witness.calls).toHaveLength(1);
  });
});

describe('a run that is cancelled while its call is under way', () => {
  it('ends there, and the call is not made again by its replays or the next host', async () => {
    const witness = await tool();
    const { data, client, runId } = await underWay(witness);
    expect((await client.post(`/v1/runs/${runId}/cancel`, {})).status).toBeLessThan(300);
    const cancelled = await followed(client, runId);
    expect(cancelled.snapshot['status']).toBe('cancelled');
    expect(cancelled.types).toEqual(['run.started', 'node.started', CALL[0], 'run.cancelled']);
    const fork = client.fork(runId, { mode: 'replay' });
    witness.release();
    expect((await fork).snapshot['status']).toBe('completed');
    await client.host.close();
    const next = life(data);
    expect(await followed(next.client, runId)).toEqual(cancelled);
    await next.client.fork(runId, { mode: 'replay' });
    await next.client.host.close();
    expect(witness.calls).toHaveLength(1);
  });

  it('is not called again by a replay where the host died with the call', async () => {
    const witness = await tool();
    const { data, client, runId } = await underWay(witness);
    await client.post(`/v1/runs/${runId}/cancel`, {});
    client.host.abandon();
    const next = life(data);
    const replay = await next.client.fork(runId, { mode: 'replay' });
    expect(replay.snapshot).toMatchObject({ status: 'failed', error: { code: 'invocation_in_doubt' } });
    await next.client.host.close();
    expect(witness.calls).toHaveLength(1);
  });
});

describe('a host that is closed while a call is under way', () => {
  it('takes the answer first, and the next one goes on with it', async () => {
    const witness = await tool();
    const { data, client, runId } = await underWay(witness);
    const closed = client.host.close();
    witness.release();
    await closed;
    const next = life(data);
    const run = await followed(next.client, runId);
    expect(run.snapshot['status']).toBe('completed');
    expect(callEvents(run)).toEqual(CALL);
    await next.client.host.close();
    expect(witness.calls).toHaveLength(1);
    expect(records(data)).toEqual(['COMMITTED']);
  });

  it('keeps the failure of a tool that goes away meanwhile', async () => {
    const witness = await serveOnceTool();
    const { data, client, runId } = await underWay(witness);
    const closed = client.host.close();
    await witness.close();
    await closed;
    const next = life(data);
    const run = await followed(next.client, runId);
    expect(run.snapshot).toMatchObject({ status: 'failed', error: { code: 'tool_failed' } });
    await next.client.host.close();
    expect(witness.calls).toHaveLength(1);
  });

  it('leaves doubt where it is abandoned', async () => {
    const witness = await tool();
    const { data, client, runId } = await underWay(witness);
    client.host.abandon();
    const next = life(data);
    const run = await followed(next.client, runId);
    expect(run.snapshot).toMatchObject({ status: 'failed', error: { code: 'invocation_in_doubt' } });
    witness.release();
    await next.client.host.close();
    expect(witness.calls).toHaveLength(1);
  });
});
