import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cutOff, followed, life, useFolder, startOnce } from '../../test/host-lives.ts';
import { CALL, useOnceTools, type OnceTool } from '../../test/once-tool.ts';
import { comparable, testClient, type FinishedRun, type TestClient } from '../../test/reference-client.ts';
import { whenAsked } from '../../test/waiting-run.ts';
import { member } from '../json.ts';
import { sampled } from '../../test/sampled.ts';

const folder = useFolder('verified-');
let files = 0;
const tool = useOnceTools();

const request = (mode: string, { url }: OnceTool): { workflowId: string; inputs: object } => ({
  workflowId: `conformance-determinism-verify-${mode}`,
  inputs: { witnessUrl: url },
});

const callEvents = ({ types }: FinishedRun): unknown[] => types.filter((type) => CALL.includes(String(type)));

/** Whether the recorded answer is seen anywhere in a log. */
const injects = (run: FinishedRun, nonce: string): boolean => JSON.stringify(run.events).includes(nonce);

const nonceOf = ({ snapshot }: FinishedRun): string =>
  String(member(member(snapshot['variables'], 'receipt'), 'nonce'));

async function warnings(client: TestClient, runId: string): Promise<unknown> {
  const { body } = await client.post('/v1/host/sample/test/verification', { runId });
  return body['confirmationReplayWarnTotal'];
}

const answer = (client: TestClient, runId: string, resumeValue: unknown): ReturnType<TestClient['post']> =>
  client.post(`/v1/runs/${runId}/interrupts/charge`, { resumeValue });

/** A source of this mode, and a world that is another one by now. */
async function outdated(mode: string) {
  const client = testClient();
  const witness = await tool();
  const source = await client.run('', { body: request(mode, witness) });
  expect(source.snapshot['status']).toBe('completed');
  witness.pretend('another');
  return { client, witness, source, nonce: nonceOf(source) };
}

describe('the verification of a replay', () => {
  it.each(['strict', 'warn', 'human'])('lets the record pass where the world agrees (%s)', async (mode) => {
    const { client, witness, source } = await outdated(mode);
    witness.pretend();
    const replay = await client.fork(source.runId, { mode: 'replay' });
    expect(comparable(replay)).toEqual(comparable(source));
    expect(await warnings(client, replay.runId)).toBe(0);
    expect(witness.calls).toHaveLength(1);
  });

  it('fails the run where it is strict and the world disagrees, and injects nothing', async () => {
    const { client, witness, source, nonce } = await outdated('strict');
    const replay = await client.fork(source.runId, { mode: 'replay' });
    expect(replay.snapshot).toMatchObject({ status: 'failed', error: { code: 'replay_verification_failed' } });
    expect(injects(replay, nonce)).toBe(false);
    expect(witness.calls).toHaveLength(1);
  });

  it('fails the run where nobody can be asked', async () => {
    const { client, witness, source } = await outdated('strict');
    await witness.close();
    const replay = await client.fork(source.runId, { mode: 'replay' });
    expect(replay.snapshot).toMatchObject({ status: 'failed', error: { code: 'replay_verification_failed' } });
  });

  it('counts and goes on where it only warns', async () => {
    const { client, witness, source } = await outdated('warn');
    const replay = await client.fork(source.runId, { mode: 'replay' });
    expect(comparable(replay)).toEqual(comparable(source));
    expect(await warnings(client, replay.runId)).toBe(1);
    expect(await warnings(client, source.runId)).toBe(0);
    expect(witness.calls).toHaveLength(1);
  });

  it.each([
    [true, 'completed'],
    [{ note: 'checked by hand' }, 'completed'],
    [false, 'failed'],
  ])('asks a person, who says %j', async (resumeValue, status) => {
    const { client, witness, source, nonce } = await outdated('human');
    const { body } = await client.post(`/v1/runs/${source.runId}:fork`, { mode: 'replay' });
    const runId = String(body['runId']);
    await whenAsked(client, runId);
    const parked = (await client.get(`/v1/runs/${runId}`)).body;
    expect(parked).toMatchObject({ status: 'waiting-approval', nodeStates: { charge: { status: 'suspended' } } });
    const { text } = await client.get(`/v1/runs/${runId}/events/poll`);
    expect(text).not.toContain(nonce);
    expect((await answer(client, runId, resumeValue)).status).toBe(200);
    const replay = await followed(client, runId);
    expect(replay.snapshot['status']).toBe(status);
    const error = member(replay.snapshot['error'], 'code');
    expect(error).toBe(status === 'failed' ? 'replay_verification_failed' : undefined);
    expect(callEvents(replay)).toEqual(status === 'completed' ? CALL : []);
    expect(injects(replay, nonce)).toBe(status === 'completed');
    expect((await answer(client, runId, true)).status).toBe(409);
    expect(witness.calls).toHaveLength(1);
  });

  it('asks again in a replay of a replay that a person has confirmed', async () => {
    const { client, source } = await outdated('human');
    let runId = source.runId;
    for (let generation = 1; generation <= 2; generation += 1) {
      const { body } = await client.post(`/v1/runs/${runId}:fork`, { mode: 'replay' });
      runId = String(body['runId']);
      await whenAsked(client, runId);
      expect((await client.get(`/v1/runs/${runId}`)).body['status']).toBe('waiting-approval');
      await answer(client, runId, true);
      expect((await followed(client, runId)).snapshot['status']).toBe('completed');
    }
  });
});

/** A run whose host died between the tool's answer and the end of its record, in a world that is another one by now. */
async function cutShort(mode: string, failpoint: string) {
  files += 1;
  const data = join(folder, `${files}.sqlite`);
  const witness = await tool();
  const body = request(mode, witness);
  expect(await cutOff(data, body, { name: failpoint, hit: 1 })).toBe(true);
  witness.pretend('another');
  return { data, witness, body };
}

/** Where the host dies, and how many events of the call the log has by then. */
const BEFORE_CRASH: Readonly<Record<string, number>> = {
  'after-put-effect': 1,
  'after-append-finished': 2,
  'after-append-command-committed': 3,
  'after-ledger-commit': 3,
};

describe.each(Object.keys(BEFORE_CRASH))('the verification of a recovery from a crash %s', (failpoint) => {
  it('lets the record pass where the world agrees', async () => {
    const { data, witness, body } = await cutShort('strict', failpoint);
    witness.pretend();
    const { client } = life(data);
    const run = await followed(client, await startOnce(client, body));
    expect(run.snapshot['status']).toBe('completed');
    expect(callEvents(run)).toEqual(CALL);
    await client.host.close();
    expect(witness.calls).toHaveLength(1);
  });

  it('fails the run where it is strict', async () => {
    const { data, witness, body } = await cutShort('strict', failpoint);
    const { client } = life(data);
    const run = await followed(client, await startOnce(client, body));
    expect(run.snapshot).toMatchObject({ status: 'failed', error: { code: 'replay_verification_failed' } });
    expect(run.types).not.toContain('variable.changed');
    await client.host.close();
    expect(witness.calls).toHaveLength(1);
  });

  it('counts and goes on where it only warns', async () => {
    const { data, witness, body } = await cutShort('warn', failpoint);
    const { client } = life(data);
    const run = await followed(client, await startOnce(client, body));
    expect(run.snapshot['status']).toBe('completed');
    expect(callEvents(run)).toEqual(CALL);
    expect(await warnings(client, run.runId)).toBe(1);
    await client.host.close();
    expect(witness.calls).toHaveLength(1);
  });

  it.each([true, false])(
    'asks a person, also over another restart, and takes %j for an answer',
    async (resumeValue) => {
      const { data, witness, body } = await cutShort('human', failpoint);
      for (let time = 1; time <= 2; time += 1) {
        const { client } = life(data);
        const runId = await startOnce(client, body);
        await whenAsked(client, runId);
        const { body: parked } = await client.get(`/v1/runs/${runId}`);
        expect(parked).toMatchObject({ status: 'waiting-approval' });
        await client.host.close();
      }
      const { client } = life(data);
      const runId = await startOnce(client, body);
      expect((await answer(client, runId, resumeValue)).status).toBe(200);
      const run = await followed(client, runId);
      for (const type of ['interrupt.requested', 'node.suspended', 'interrupt.resolved', 'node.resumed']) {
        expect(run.types.filter((each) => each === type)).toHaveLength(1);
      }
      const end = resumeValue
        ? { status: 'completed', variables: { receiptCopy: { nonce: nonceOf(run) } } }
        : { status: 'failed', error: { code: 'replay_verification_failed' } };
      expect(run.snapshot).toMatchObject(end);
      expect(run.types.includes('variable.changed')).toBe(resumeValue);
      expect(callEvents(run)).toEqual(resumeValue ? CALL : CALL.slice(0, BEFORE_CRASH[failpoint]));
      await client.host.close();
      expect(witness.calls).toHaveLength(1);
    },
  );
});

/** Goes on with the run, answers the question as soon as it is there, and follows the run to its end. */
async function confirmed(client: TestClient, body: object): Promise<FinishedRun> {
  const runId = await startOnce(client, body);
  await whenAsked(client, runId);
  await answer(client, runId, true);
  return followed(client, runId);
}

describe('a host that asks a person about a record', () => {
  it('asks once and takes one answer, wherever it dies meanwhile', async () => {
    const whole = await cutShort('human', 'after-put-effect');
    const { client } = life(whole.data);
    await confirmed(client, whole.body);
    const { body } = await client.post('/v1/host/sample/test/failpoint/passed', {});
    await client.host.close();
    const names = body['passed'] as readonly string[];
    expect(names.length).toBeGreaterThan(20);
    for (const [index, name] of sampled(names.entries())) {
      const { data, witness, body: asking } = await cutShort('human', 'after-put-effect');
      const hit = names.slice(0, index + 1).filter((each) => each === name).length;
      const dying = life(data, { name, hit });
      const end = confirmed(dying.client, asking).then(() => false);
      expect([name, hit, await Promise.race([dying.died, end.catch(() => dying.died)])]).toEqual([name, hit, true]);
      const next = life(data);
      const run = await confirmed(next.client, asking);
      expect([name, hit, run.snapshot]).toMatchObject([name, hit, { status: 'completed' }]);
      expect(callEvents(run)).toEqual(CALL);
      for (const type of ['interrupt.requested', 'node.suspended', 'interrupt.resolved', 'node.resumed']) {
        expect([name, hit, run.types.filter((each) => each === type)]).toEqual([name, hit, [type]]);
      }
      await next.client.host.close();
      expect(witness.calls).toHaveLength(1);
    }
  });
});
