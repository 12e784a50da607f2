import { describe, expect, it } from 'vitest';
import { sourceAnswer } from '../mutants/shared/refusal-parts.ts';
import { defaultParts, type HostParts } from '../parts.ts';
import { member } from '../json.ts';
import { comparable, testClient, type FinishedRun, type TestClient } from '../../test/reference-client.ts';

const CHAIN = 'conformance-determinism-llm-chain';
const GATE = 'conformance-determinism-llm-gate';
const YES = { content: { valid: true }, stopReason: 'end_turn' };
const NO = { content: { valid: false }, stopReason: 'end_turn' };
const REFUSAL = { content: null, stopReason: 'safety', refusalText: 'sk-secret' };

const purge = async (client: TestClient, which: object): Promise<unknown> =>
  (await client.post('/v1/host/sample/test/llm-cache/purge', which)).body['purged'];
const payloads = ({ events }: FinishedRun, wanted: string): unknown[] =>
  events.filter(({ type }) => type === wanted).map(({ payload }) => payload);

describe('a chain of model calls', () => {
  it('is asked again exactly where one node’s response was purged', async () => {
    const client = testClient();
    for (const node of ['first-call', 'second-call', 'third-call']) await client.stage(node, [YES, NO]);
    const source = await client.run(CHAIN);
    expect(await purge(client, { runId: source.runId, nodeId: 'second-call' })).toBe(1);
    const replay = await client.fork(source.runId, { mode: 'replay' });
    const variables = { before: 'before', first: { valid: true }, second: { valid: false }, third: { valid: true } };
    expect(replay.snapshot).toMatchObject({ status: 'completed', variables: { ...variables, after: 'after' } });
  });

  it('diverges at the middle call from every sequence up to its end, and at none after it', async () => {
    const client = testClient();
    await client.stage('second-call', [YES, REFUSAL]);
    const source = await client.run(CHAIN);
    await purge(client, { nodeId: 'second-call' });
    const end = source.events.findIndex(endsSecondCall);
    for (let fromSeq = 0; fromSeq <= end; fromSeq += 1) {
      const replay = await client.fork(source.runId, { mode: 'replay', fromSeq });
      const found = { atSequence: source.events[end]?.['sequence'], nodeId: 'second-call', refusalReason: 'safety' };
      expect(payloads(replay, 'replay.divergedAtRefusal')).toMatchObject([found]);
      expect(replay.types.slice(-3)).toEqual(['replay.divergedAtRefusal', 'node.failed', 'run.failed']);
      expect(replay.events.filter(({ nodeId }) => nodeId === 'third-call')).toEqual([]);
      expect(JSON.stringify(replay)).not.toContain('sk-secret');
    }
    for (let fromSeq = end + 1; fromSeq < source.events.length; fromSeq += 1) {
      const replay = await client.fork(source.runId, { mode: 'replay', fromSeq });
      expect(comparable(replay)).toEqual(comparable(source));
    }
  });
});

const endsSecondCall = ({ type, nodeId }: FinishedRun['events'][number]): boolean =>
  type === 'node.completed' && nodeId === 'second-call';

type Refusal = HostParts['refusal'];

/** A source and a replay that meets another kind of answer, on a host with another way with refusals. */
async function meeting(
  refusal: Partial<Refusal>,
  program: readonly unknown[],
): Promise<{ readonly source: FinishedRun; readonly replay: FinishedRun }> {
  const client = testClient({ parts: { refusal: { ...defaultParts.refusal, ...refusal } } });
  await client.stage('gated-call', program);
  const source = await client.run(GATE);
  await purge(client, {});
  return { source, replay: await client.fork(source.runId, { mode: 'replay' }) };
}

const outcome = ({ snapshot }: FinishedRun): unknown[] => [
  snapshot['status'],
  member(snapshot['variables'], 'gated') ?? member(snapshot['error'], 'code'),
];
const nested: Refusal['payload'] = (divergence) => ({ about: divergence });
const oneWay: Refusal['onDivergence'] = ({ replayEnvelopeKind }) =>
  replayEnvelopeKind === 'refusal' ? 'diverge' : 'go on';

describe('the way with refusals is a part', () => {
  const failed = ['failed', 'replay_diverged_at_refusal'];
  const refused = ['failed', 'envelope_refused'];
  const completed = ['completed', { valid: true }];

  it.each([
    ['diverge', [YES, REFUSAL], failed],
    ['diverge', [REFUSAL, YES], failed],
    ['go on', [YES, REFUSAL], refused],
    ['go on', [REFUSAL, YES], completed],
    ['go on with the source', [YES, REFUSAL], completed],
    ['go on with the source', [REFUSAL, YES], refused],
  ] as const)('%s', async (way, program, expected) => {
    const onDivergence = (): 'diverge' | 'go on' => (way === 'diverge' ? way : 'go on');
    const withSource = way === 'go on with the source' ? { goesOnWith: sourceAnswer } : {};
    const { source, replay } = await meeting({ onDivergence, ...withSource }, program);
    expect(outcome(replay)).toEqual(expected);
    expect(outcome(source)).toEqual(program[0] === YES ? completed : refused);
    expect(payloads(replay, 'replay.divergedAtRefusal')).toHaveLength(way === 'diverge' ? 1 : 0);
  });

  it('may depend on the direction', async () => {
    expect(outcome((await meeting({ onDivergence: oneWay }, [YES, REFUSAL])).replay)).toEqual(failed);
    expect(outcome((await meeting({ onDivergence: oneWay }, [REFUSAL, YES])).replay)).toEqual(completed);
  });

  it('may give the reason and the error code another form', async () => {
    const { replay } = await meeting({ reason: (text) => text, errorCode: () => 'other' }, [YES, REFUSAL]);
    expect(payloads(replay, 'replay.divergedAtRefusal')).toMatchObject([{ refusalReason: 'sk-secret' }]);
    expect(outcome(replay)).toEqual(['failed', 'other']);
  });

  it('may give no reason, and the payload another form', async () => {
    const { replay } = await meeting({ reason: () => undefined, payload: nested }, [REFUSAL, YES]);
    const [about] = payloads(replay, 'replay.divergedAtRefusal').map((each) => member(each, 'about'));
    expect(about).toMatchObject({ nodeId: 'gated-call', originalEnvelopeKind: 'refusal', replayEnvelopeKind: 'valid' });
    expect(about).not.toHaveProperty('refusalReason');
  });
});
