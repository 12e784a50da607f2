import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testClient, type TestClient } from '../../test/reference-client.ts';
import { serveStagedEffects, type StagedEffects } from '../../test/staged-effects.ts';
import { whenAsked } from '../../test/waiting-run.ts';
import { governancePolicy, type GovernancePolicy } from '../policies/governance.ts';
import { spellingsOf } from './spellings.ts';

const FROM = {
  options: 'options/secret "one" é',
  tool: 'tool/secret+two?',
  resume: 'resume secret three',
  model: 'model-secret-four',
};

let witness: StagedEffects;
beforeAll(async () => {
  witness = await serveStagedEffects();
});
afterAll(() => witness.close());

interface Told {
  readonly client: TestClient;
  readonly runId: string;
}

/** A run that comes to know a secret in each of the four ways, and repeats each in another spelling. */
async function secretive(client: TestClient): Promise<Told> {
  const base64 = Buffer.from(`x${FROM.tool}y`).toString('base64');
  witness.stage('secrets', { token: FROM.tool, echo: `Used ${FROM.options}.`, encoded: base64 });
  witness.speak(JSON.stringify({ password: FROM.model, again: `${encodeURIComponent(FROM.tool)} ${FROM.resume}` }));
  const inputs = { witnessUrl: witness.url, credentials: { apiKey: FROM.options } };
  const created = await client.post('/v1/runs', {
    workflowId: 'conformance-determinism-secrets',
    inputs,
    metadata: { note: `about ${FROM.options}` },
  });
  const runId = String(created.body['runId']);
  await whenAsked(client, runId);
  await client.post(`/v1/runs/${runId}/interrupts/ask`, { resumeValue: { secret: FROM.resume, ok: true } });
  await client.get(`/v1/runs/${runId}/events`);
  return { client, runId };
}

/** Every text in which a run is shown. */
async function shown({ client, runId }: Told, other: string): Promise<Readonly<Record<string, string>>> {
  const json = { headers: { accept: 'application/json' } };
  const texts = {
    json: await client.get(`/v1/runs/${runId}/events`, json),
    sse: await client.get(`/v1/runs/${runId}/events`),
    debug: await client.get(`/v1/runs/${runId}/events?streamMode=debug`),
    values: await client.get(`/v1/runs/${runId}/events?streamMode=values`, json),
    messages: await client.get(`/v1/runs/${runId}/events?streamMode=messages`),
    poll: await client.get(`/v1/runs/${runId}/events/poll`),
    snapshot: await client.get(`/v1/runs/${runId}`),
    diff: await client.get(`/v1/runs/${runId}:diff?against=${other}`),
    audit: await client.post('/v1/host/sample/test/audit', { runId }),
  };
  return Object.fromEntries(Object.entries(texts).map(([name, { text }]) => [name, text]));
}

function leaks(text: string): string[] {
  return Object.entries(FROM)
    .filter(([, secret]) => spellingsOf(secret).some((spelling) => text.includes(spelling.text)))
    .map(([name]) => name);
}

async function fork({ client, runId }: Told, body: object): Promise<Told> {
  const created = await client.post(`/v1/runs/${runId}:fork`, body);
  const made = { client, runId: String(created.body['runId']) };
  await whenAsked(client, made.runId);
  await client.post(`/v1/runs/${made.runId}/interrupts/ask`, { resumeValue: 'plain' });
  await client.get(`/v1/runs/${made.runId}/events`);
  return made;
}

function hiding(hides: GovernancePolicy['hides']): TestClient {
  return testClient({ parts: { governance: { ...governancePolicy, hides } } });
}

describe('the secrets of a run', () => {
  it('are shown by no surface of the run, its forks, and theirs', async () => {
    const source = await secretive(testClient());
    const replay = await fork(source, { mode: 'replay' });
    const late = await fork(replay, { mode: 'replay', fromSeq: 6 });
    const overlay = { inputs: { password: FROM.options }, metadata: { more: FROM.options } };
    const branch = await fork(source, { mode: 'branch', fromSeq: 1, runOptionsOverlay: overlay });
    const other = await testClient().run('conformance-noop');
    expect(other.runId).not.toBe(source.runId);
    const noop = await source.client.run('conformance-noop');
    for (const told of [source, replay, late, branch]) {
      for (const [surface, text] of Object.entries(await shown(told, noop.runId))) {
        expect([surface, leaks(text)]).toEqual([surface, []]);
        expect([surface, text.includes('[REDACTED]')]).toEqual([surface, surface !== 'audit']);
      }
      const { body } = await source.client.get(`/v1/runs/${told.runId}`);
      expect(body['status']).toBe('completed');
    }
    const diff = await source.client.get(`/v1/runs/${source.runId}:diff?against=${replay.runId}`);
    expect(diff.body).toMatchObject({ divergedAtSeq: null, eventDiffs: [] });
  });

  it('reach the tool as they are', async () => {
    const { client, runId } = await secretive(testClient());
    expect(JSON.parse(witness.calls.findLast(({ url }) => url.endsWith('secrets'))?.body ?? '')).toEqual({
      apiKey: FROM.options,
    });
    expect((await client.get(`/v1/runs/${runId}`)).body['variables']).toMatchObject({
      answer: { token: '[REDACTED]', echo: 'Used [REDACTED].' },
      approval: { secret: '[REDACTED]', ok: true },
    });
  });

  it('are shown by no run that one of them was handed to, nor by what people say about one', async () => {
    const client = testClient();
    witness.stage('handoff', [{ secret: FROM.tool }, `again: ${FROM.tool}`]);
    const workflowId = 'conformance-determinism-handoff-tool';
    const inputs = { witnessUrl: witness.url, apiKey: FROM.options };
    const parent = await client.run('', { body: { workflowId, inputs } });
    const replay = await client.fork(parent.runId, { mode: 'replay' });
    const child = /"childRunId":"(\w+)"/.exec(JSON.stringify(parent))?.[1] ?? '';
    const texts = [parent, replay].map((run) => JSON.stringify(run));
    texts.push((await client.get(`/v1/runs/${child}/events`)).text, (await client.get(`/v1/runs/${child}`)).text);
    for (const text of texts) expect([leaks(text), text.includes('again: [REDACTED]')]).toEqual([[], true]);
    for (const runId of [replay.runId, child]) {
      const path = `/v1/runs/${runId}/annotations`;
      const signal = { kind: 'label', label: FROM.options };
      const said = await client.post(path, { signal, note: `It is ${FROM.tool}.` });
      expect(said.body).toMatchObject({ runId, signal: { label: '[REDACTED]' }, note: 'It is [REDACTED].' });
      expect(leaks((await client.get(path)).text)).toEqual([]);
    }
  });

  it('are shown by no error', async () => {
    const client = testClient();
    witness.stage('secrets', { token: FROM.tool, echo: FROM.tool });
    const workflowId = 'conformance-determinism-secret-error';
    const source = await client.run('', { body: { workflowId, inputs: { witnessUrl: witness.url } } });
    const replay = await client.fork(source.runId, { mode: 'replay' });
    for (const run of [source, replay]) {
      expect(run.snapshot).toMatchObject({ status: 'failed', error: { code: 'failed_on_purpose' } });
      expect(run.types).not.toContain('replay.diverged');
      expect(JSON.stringify(run)).toContain('[REDACTED]');
      expect(leaks(JSON.stringify(run))).toEqual([]);
    }
  });
});

describe('a host that hides less', () => {
  it.each<[string, GovernancePolicy['hides']]>([
    ['sse', ({ surface }) => surface !== 'sse'],
    ['poll', ({ surface }) => surface !== 'poll'],
    ['debug', ({ streamMode }) => streamMode !== 'debug'],
    ['snapshot', ({ surface }) => surface !== 'snapshot'],
    ['diff', ({ surface }) => surface !== 'diff'],
  ])('shows them in %s only', async (where, hides) => {
    const source = await secretive(hiding(hides));
    const replay = await fork(source, { mode: 'replay' });
    const noop = await source.client.run('conformance-noop');
    for (const [surface, text] of Object.entries(await shown(replay, noop.runId))) {
      const isOff = surface === where || (where === 'sse' && ['debug', 'messages'].includes(surface));
      expect([surface, leaks(text).length > 0]).toEqual([surface, isOff]);
    }
  });

  it.each(['options', 'tool', 'resume', 'model'] as const)('shows those from %s in replays only', async (origin) => {
    const source = await secretive(hiding((at) => at.origin !== origin || at.run.fork === undefined));
    const replay = await fork(source, { mode: 'replay' });
    const noop = await source.client.run('conformance-noop');
    expect(leaks((await shown(source, noop.runId))['json'] ?? '')).toEqual([]);
    expect(leaks((await shown(replay, noop.runId))['json'] ?? '')).toEqual([origin]);
  });

  it('shows base64 only', async () => {
    const { client, runId } = await secretive(hiding(({ spelling }) => spelling !== 'base64'));
    const { text } = await client.get(`/v1/runs/${runId}`);
    expect(leaks(text)).toEqual(['tool']);
    expect(text).not.toContain(FROM.tool);
  });

  it('shows errors of replays only', async () => {
    const client = hiding(({ surface, run }) => surface !== 'error' || run.fork === undefined);
    witness.stage('secrets', { token: FROM.tool });
    const workflowId = 'conformance-determinism-secret-error';
    const source = await client.run('', { body: { workflowId, inputs: { witnessUrl: witness.url } } });
    const replay = await client.fork(source.runId, { mode: 'replay' });
    expect(leaks(JSON.stringify(source))).toEqual([]);
    expect(leaks(JSON.stringify(replay.snapshot['error']))).toEqual(['tool']);
    expect(leaks(JSON.stringify(replay.snapshot['variables']))).toEqual([]);
  });
});
