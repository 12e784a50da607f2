import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { useFolder } from '../../test/host-lives.ts';
import { testClient, type FinishedRun, type TestClient } from '../../test/reference-client.ts';
import { serveStagedEffects, type StagedEffects } from '../../test/staged-effects.ts';
import { whenAsked } from '../../test/waiting-run.ts';
import { defects } from '../mutants/replay-governance/deletion.ts';
import { defaultParts } from '../parts.ts';
import { governancePolicy, type GovernancePolicy } from '../policies/governance.ts';
import { eraserOf, readPointer, valueAt } from './delete-data.ts';

const PERSONAL = 'conformance-determinism-personal-data';
const NAME = 'Amélie "Zoë" Quux-4711';
const NOTE = '/variables/note';
const ASKING_AGAIN = defects['deleted-data-asked-again'];

let witness: StagedEffects;
beforeAll(async () => {
  witness = await serveStagedEffects();
});
afterAll(() => witness.close());

const folder = useFolder('deleted-');

type Reply = Awaited<ReturnType<TestClient['post']>>;

function erase(client: TestClient, runId: unknown, path: unknown): Promise<Reply> {
  return client.post('/v1/host/sample/test/data/delete', { runId, path });
}

async function start(client: TestClient, answer: unknown, workflowId = PERSONAL): Promise<FinishedRun> {
  witness.stage('personal', answer);
  const inputs = { witnessUrl: witness.url };
  return client.run('', { body: { workflowId, inputs, metadata: { owner: NAME, size: 3 } } });
}

/** Everything that the host says about a run, as one text. */
async function told(client: TestClient, runId: string): Promise<string> {
  const paths = [`/events`, `/events/poll`, ''].map((path) => client.get(`/v1/runs/${runId}${path}`));
  return (await Promise.all(paths)).map(({ text }) => text).join('\n');
}

function withPolicy(policy: Partial<GovernancePolicy>): TestClient {
  return testClient({ parts: { governance: { ...governancePolicy, ...policy } } });
}

describe('deleted data', () => {
  it.each([
    ['an object', { name: NAME, visits: [{ on: 'Monday morning' }] }],
    ['a text', NAME],
    ['a number', 4711],
    ['an empty list', []],
    ['nothing', null],
  ])('is gone from the run and from forks made before: %s', async (_, answer) => {
    const client = testClient();
    const source = await start(client, answer);
    const before = await client.fork(source.runId, { mode: 'replay', fromSeq: 3 });
    const reply = await erase(client, source.runId, NOTE);
    expect([reply.status, reply.body]).toEqual([200, { runId: source.runId, path: NOTE }]);
    for (const { runId } of [source, before]) {
      const { body } = await client.get(`/v1/runs/${runId}`);
      expect(body).toMatchObject({ status: 'completed', variables: { note: '[DELETED]' } });
      const text = await told(client, runId);
      expect(text).toContain('"name":"note","value":"[DELETED]"');
      expect(text).toContain('"outcome":"success","result":"[DELETED]"');
      expect(text).not.toContain('"Monday morning"');
    }
  });

  it('is needed by a replay of the run, and of what was forked from it, which are refused', async () => {
    const client = testClient();
    const source = await start(client, NAME);
    const before = await client.fork(source.runId, { mode: 'replay' });
    await erase(client, source.runId, NOTE);
    const calls = witness.calls.length;
    for (const { runId } of [source, before]) {
      for (const fromSeq of [0, source.events.length - 1]) {
        const { status, body } = await client.post(`/v1/runs/${runId}:fork`, { mode: 'replay', fromSeq });
        const details = { sourceRunId: runId, fromSeq, paths: [NOTE] };
        expect([status, body]).toEqual([410, { error: 'source_data_deleted', message: expect.any(String), details }]);
      }
    }
    expect(witness.calls).toHaveLength(calls);
  });

  it('is not brought back by a branch from anywhere', async () => {
    const client = testClient();
    const source = await start(client, { name: NAME });
    await erase(client, source.runId, NOTE);
    const calls = witness.calls.length;
    for (let fromSeq = 0; fromSeq < source.events.length; fromSeq += 1) {
      const branch = await client.fork(source.runId, { mode: 'branch', fromSeq });
      expect(branch.snapshot).toMatchObject({ status: 'completed', variables: { note: '[DELETED]' } });
      const replay = await client.post(`/v1/runs/${branch.runId}:fork`, { mode: 'replay' });
      expect(replay.status).toBe(410);
    }
    expect(witness.calls).toHaveLength(calls);
  });

  it('is gone where other texts of the run repeat it', async () => {
    const client = testClient();
    const source = await start(client, { note: `Written by ${NAME}.` });
    expect((await erase(client, source.runId, '/metadata/owner')).status).toBe(200);
    const { body } = await client.get(`/v1/runs/${source.runId}`);
    expect(body['metadata']).toEqual({ owner: '[DELETED]', size: 3 });
    expect(body['variables']).toEqual({ note: { note: 'Written by [DELETED].' } });
    expect((await erase(client, source.runId, '/metadata/size')).status).toBe(200);
    expect((await client.get(`/v1/runs/${source.runId}`)).body['metadata']).toEqual({
      owner: '[DELETED]',
      size: '[DELETED]',
    });
  });

  it('is gone from expired states and from the overlays of branches', async () => {
    const client = testClient();
    const source = await start(client, { name: NAME });
    const overlay = { metadata: { copy: `of ${NAME}` } };
    const branch = await client.fork(source.runId, { mode: 'branch', fromSeq: 2, runOptionsOverlay: overlay });
    await client.post('/v1/host/sample/test/retention/expire', { runId: source.runId, beforeSeq: 7 });
    expect((await erase(client, source.runId, '/variables/note/name')).status).toBe(200);
    const { body } = await client.get(`/v1/runs/${source.runId}`);
    expect(body['variables']).toEqual({ note: { name: '[DELETED]' } });
    const forked = await client.get(`/v1/runs/${branch.runId}`);
    expect(forked.body['metadata']).toEqual({ owner: '[DELETED]', size: 3, copy: 'of [DELETED]' });
  });

  it('is gone from the model responses of the run', async () => {
    const client = testClient();
    witness.speak(NAME);
    const inputs = { witnessUrl: witness.url };
    const workflowId = 'conformance-determinism-secrets';
    const created = await client.post('/v1/runs', { workflowId, inputs });
    const runId = String(created.body['runId']);
    await whenAsked(client, runId);
    await client.post(`/v1/runs/${runId}/interrupts/ask`, { resumeValue: 1 });
    await client.get(`/v1/runs/${runId}/events`);
    expect((await erase(client, runId, '/variables/reply')).status).toBe(200);
    const calls = witness.calls.length;
    const completed = (await client.get(`/v1/runs/${runId}`)).body;
    expect(completed).toMatchObject({ status: 'completed', variables: { reply: '[DELETED]' } });
    const branch = await client.fork(runId, { mode: 'branch', fromSeq: 14 });
    expect(JSON.stringify(branch)).not.toContain('Quux');
    expect(branch.snapshot['status']).toBe('completed');
    expect(witness.calls.slice(calls).filter(({ url }) => url.endsWith('completions'))).toEqual([]);
  });

  it('is in the data file no more, nor in its log, at once', async () => {
    const data = join(folder, 'host.db');
    const client = testClient({ data });
    const source = await start(client, { name: NAME, text: 'personal '.repeat(2_000) });
    await client.fork(source.runId, { mode: 'replay', fromSeq: 2 });
    const bytes = (): string => ['', '-wal'].map((end) => readFileSync(data + end, 'latin1')).join('');
    expect(bytes()).toContain('Quux-4711');
    expect(bytes()).toContain('personal personal');
    await erase(client, source.runId, NOTE);
    await erase(client, source.runId, '/metadata/owner');
    expect(bytes()).not.toContain('Quux-4711');
    expect(bytes()).not.toContain('personal personal');
    client.host.abandon();
    const next = testClient({ data });
    expect(next.host.notice).toBeUndefined();
    expect((await next.get(`/v1/runs/${source.runId}`)).body['variables']).toEqual({ note: '[DELETED]' });
    expect((await next.post(`/v1/runs/${source.runId}:fork`, { mode: 'replay' })).status).toBe(410);
    await next.host.close();
  });
});

describe('the seam', () => {
  it.each([
    [400, undefined],
    [400, 7],
    [400, ''],
    [400, 'variables/note'],
    [400, '/variables'],
    [400, '/runId/x'],
    [400, '/nodeStates/call'],
    [400, '/variables/~2'],
    [404, '/variables/other'],
    [404, '/variables/note/0'],
    [404, '/variables/__proto__'],
    [200, '/variables/note'],
  ])('answers %i to %s', async (status, path) => {
    const client = testClient();
    const { runId } = await start(client, NAME);
    expect((await erase(client, runId, path)).status).toBe(status);
  });

  it('may be called again, and knows no run of another tenant', async () => {
    const client = testClient();
    const { runId } = await start(client, NAME);
    const foreign = await client.post('/v1/host/sample/test/data/delete', { runId, path: NOTE }, { key: 'key-b' });
    expect(foreign.status).toBe(404);
    expect((await erase(client, runId, NOTE)).status).toBe(200);
    expect((await erase(client, runId, NOTE)).status).toBe(200);
  });

  it('waits for runs that are not over', async () => {
    const client = testClient();
    const created = await client.post('/v1/runs', {
      workflowId: 'conformance-determinism-interrupt',
      metadata: { owner: NAME },
    });
    expect((await erase(client, created.body['runId'], '/metadata/owner')).status).toBe(409);
  });
});

describe('a host that deletes badly', () => {
  it('serves a replay from what it kept', async () => {
    const client = withPolicy({
      erases: ({ where }) => where === 'events',
      deletedFork: () => undefined,
    });
    const source = await start(client, NAME);
    await erase(client, source.runId, NOTE);
    expect(await told(client, source.runId)).not.toContain('\\"Zoë\\" Quux\\');
    const replay = await client.fork(source.runId, { mode: 'replay' });
    expect(replay.snapshot['variables']).toEqual({ note: NAME });
  });

  it('asks again for what was deleted', async () => {
    const client = testClient({ parts: ASKING_AGAIN?.parts(defaultParts) ?? {} });
    const source = await start(client, NAME);
    await erase(client, source.runId, NOTE);
    expect((await client.get(`/v1/runs/${source.runId}`)).body['variables']).toEqual({ note: '[DELETED]' });
    witness.stage('personal', 'somebody else');
    const replay = await client.fork(source.runId, { mode: 'replay' });
    expect(replay.snapshot['variables']).toEqual({ note: 'somebody else' });
  });
});

describe('an eraser', () => {
  it('takes a value out wherever it stands, and its texts out of others', () => {
    const value = { name: 'Somebody', age: 7 };
    const from = {
      whole: value,
      list: [value, 'by Somebody.'],
      part: { name: 'Somebody', age: 8 },
      encoded: Buffer.from('Somebody').toString('base64'),
      age: 7,
    };
    expect(eraserOf(value).erase(from, false)).toEqual({
      whole: '[DELETED]',
      list: ['[DELETED]', 'by [DELETED].'],
      part: { name: '[DELETED]', age: 8 },
      encoded: '[DELETED]',
      age: 7,
    });
  });

  it.each([7, true, null, '', 'abc', [], {}, [1, 2]])('takes %j out near its place only', (value) => {
    const from = { value, text: 'abc 7' };
    expect(eraserOf(value).erase(from, false)).toEqual(from);
    expect(eraserOf(value).erase(from, true)).toEqual({ value: '[DELETED]', text: 'abc 7' });
  });
});

describe('a JSON pointer', () => {
  it.each<[string, string[] | undefined]>([
    ['/variables/note', ['variables', 'note']],
    ['/a~1b/~0/', ['a/b', '~', '']],
    ['/~01', ['~1']],
    ['', undefined],
    ['variables', undefined],
    ['/a~', undefined],
    ['/a~2', undefined],
  ])('%j', (pointer, names) => expect(readPointer(pointer)).toEqual(names));

  it.each<[string[], unknown]>([
    [['a', '0', 'b'], 1],
    [['a', '1'], null],
    [['a', '2'], undefined],
    [['a', '01'], undefined],
    [['a', '-'], undefined],
    [['a', 'length'], undefined],
    [['constructor'], undefined],
    [['t', '0'], undefined],
    [['', ''], 2],
  ])('leads along %j', (names, value) => {
    expect(valueAt({ a: [{ b: 1 }, null], t: 'text', '': { '': 2 } }, names)).toEqual(value);
  });
});
