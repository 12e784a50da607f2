import { describe, expect, it } from 'vitest';
import type { Json, Observation } from '../../src/evidence/types.ts';
import { event, fork, recorded, refusedFork, run, short } from '../../test/fork-observations.ts';
import { OPTIONS, witnessed } from '../../test/recorded-runs.ts';
import { MODELS } from './node-requests.ts';
import { everyLlmNode } from './every-llm-node.ts';
import { nodesUseIt } from './nodes-use-it.ts';

const ALL = [...MODELS];
const [FIRST = ''] = ALL;
const STEPS = [
  'replay of what is recorded',
  'replay after the key of another call was purged',
  'replay after the key of one of its calls was purged',
  'replay after the keys of its calls were purged',
  'replay after all that its source recorded was purged',
] as const;

/** What a host did: the models that each step asked, as far as it was driven; why the seam did not work. */
interface Did {
  readonly source?: readonly string[];
  readonly steps?: readonly (readonly string[])[];
  readonly closed?: string;
  readonly problem?: string;
  /** What the log of the source shows. */
  readonly events?: readonly Json[];
  /** The models under whose key each purge forgot something. */
  readonly forgotten?: readonly (readonly string[])[];
}

function countedAfter(role: string, calls: readonly Json[]): Observation {
  return { type: 'calls', exchanges: [], after: role, url: 'http://witness/1', calls } as Observation;
}

function judged({ source = ALL, steps = [[], [], [FIRST], ALL], closed, problem, forgotten, events }: Did) {
  let calls: readonly Json[] = [];
  const after = (role: string, asked: readonly string[]): Observation => {
    calls = [...calls, ...asked.map((name) => witnessed({ kind: 'chat', name }))];
    return countedAfter(role, calls);
  };
  const cleared = (before: string, at: number): Observation => {
    const counted = forgotten === undefined ? {} : { forgotten: forgotten[at - 1] ?? [] };
    const done = { before, keys: ['k'], purged: 1, ...counted, problem: closed ?? null };
    return { type: 'purge', exchanges: [], ...done };
  };
  const seen: Observation[] = [run('source', events && { events }), after('source', source)];
  for (const [at, asked] of steps.entries()) {
    const role = STEPS[at] ?? '';
    if (at > 0) seen.push(cleared(role, at));
    if (at > 0 && closed !== undefined) break;
    seen.push(fork(role, `run_${at}`, problem === undefined ? {} : { problem }), after(role, asked));
  }
  const [judgement] = nodesUseIt.judge(
    seen.map((each, index) => ({ ...each, id: `o${index}` })),
    OPTIONS,
  );
  return judgement;
}

const shown = (cacheKey: string) => judged({ events: [event(0, 'provider.usage', { payload: { cacheKey } })] });

const verdictOf = (did: Did): string => {
  const judgement = judged(did);
  return judgement === undefined ? 'none' : short(judgement);
};

/** What is judged of a source that called two of the models, and shows this as what another node put out. */
const served = (output: Json, type = 'run.completed') =>
  judged({
    source: ALL.slice(0, 2),
    steps: [],
    events: [
      event(0, 'run.started'),
      event(1, 'node.completed', { nodeId: 'tool-call', payload: { output } }),
      event(2, type),
    ],
  });

describe('the keys of nodes', () => {
  it('are right where exactly what was purged by them is asked again', () => {
    expect(verdictOf({})).toBe('pass');
  });

  it('need not be what events show, and the pass says so', () => {
    expect(shown('k')).toMatchObject({ verdict: 'pass' });
    expect(shown('k')?.reason).toBeUndefined();
    expect(shown('other')?.verdict).toBe('pass');
    expect(shown('other')?.reason).toContain('show another cacheKey, such as "other" at sequence 0');
  });

  it('are wrong where nodes are served until all of the run is purged', () => {
    expect(verdictOf({ steps: [[], [], [], [], ALL] })).toBe('fail node-key');
    expect(verdictOf({ steps: [[], [], [], ALL.slice(1), ALL] })).toBe('fail node-key');
    expect(judged({ steps: [[], [], [], ALL.slice(1), ALL] })?.actual).toContain(`1 of 4 models: ${ALL[0]}`);
  });

  it('were not seen where the host forgot what stood under them, and has the answers under others as well', () => {
    const steps = [[], [], [], [], ALL];
    expect(verdictOf({ steps, forgotten: [[], [FIRST], ALL] })).toBe('inconclusive');
    expect(judged({ steps, forgotten: [[], [FIRST], ALL] })?.reason).toContain('other keys lead there as well');
    expect(verdictOf({ steps: [[], [], [FIRST], ALL.slice(0, 2), ALL], forgotten: [[], [FIRST], ALL] })).toBe(
      'inconclusive',
    );
    expect(verdictOf({ steps: [[], [], [], [], []], forgotten: [[], [FIRST], ALL] })).toBe('inconclusive');
  });

  it('are wrong where a node is served what another one was answered in the same run', () => {
    expect(served({ content: '{"valid":true,"by":"witness-plain"}' })).toMatchObject({
      verdict: 'fail',
      diagnosis: { code: 'node-key' },
    });
    expect(served('{"valid":true,"by":"witness-tools"}')?.reason).toMatch(
      /2 of 4 models were called, and .* completed$/u,
    );
    expect(served('{"valid":true,"by":"witness-schema"}')?.verdict).toBe('inconclusive');
    expect(served(['{"by":"witness-plain"}', '{"by":"witness-warm"}'])?.verdict).toBe('inconclusive');
    expect(served('{"by":"witness-plain"}', 'run.failed')?.verdict).toBe('inconclusive');
    expect(served('{"by":"witness-plain"}', 'run.failed')?.reason).toContain('--witness-url');
  });

  it('are wrong where nothing stood under one of them, or the host says so of every key', () => {
    const steps = [[], [], [], [], ALL];
    expect(verdictOf({ steps, forgotten: [[], [], []] })).toBe('fail node-key');
    expect(verdictOf({ steps, forgotten: [[], [FIRST], ALL.slice(0, 3)] })).toBe('fail node-key');
    expect(verdictOf({ steps, forgotten: [['witness-of-nobody'], [FIRST], ALL] })).toBe('fail node-key');
  });

  it('were not seen where replays ask anyway, the seam forgets too much or nothing, or is closed', () => {
    expect(verdictOf({ steps: [ALL] })).toBe('inconclusive');
    expect(verdictOf({ steps: [[], ALL] })).toBe('inconclusive');
    expect(verdictOf({ steps: [[], [], ALL] })).toBe('inconclusive');
    expect(verdictOf({ steps: [[], [], ALL.slice(1, 3)] })).toBe('inconclusive');
    expect(verdictOf({ steps: [[], [], [], [], []] })).toBe('inconclusive');
    expect(verdictOf({ steps: [[], []], closed: 'POST /x answered 404' })).toBe('inconclusive');
    expect(judged({ steps: [[], []], closed: 'POST /x answered 404' })?.reason).toContain(
      'the keys of the nodes were not seen',
    );
  });

  it('were not seen where not every model was called, or a replay did not end', () => {
    expect(verdictOf({ source: ALL.slice(1) })).toBe('inconclusive');
    expect(verdictOf({ problem: 'the run has not ended' })).toBe('inconclusive');
    expect(nodesUseIt.judge([], OPTIONS)[0]?.verdict).toBe('inconclusive');
  });
});

/** Calls of a model by a prompt each. */
function asking(name: string, ...prompts: readonly string[]): readonly Json[] {
  return prompts.map((content) =>
    witnessed({ kind: 'chat', name, body: { model: name, messages: [{ role: 'user', content }] } }),
  );
}

/** What the row about every LLM node says of a source and its replay, from which calls there were. */
function servedBy(
  ran: readonly Json[],
  replayed: readonly Json[],
  [source, replay]: readonly Observation[] = [run('source'), fork(STEPS[0], 'run_b')],
) {
  const seen = [source, countedAfter('source', ran), replay, countedAfter(STEPS[0], [...ran, ...replayed])];
  const everything = recorded(...seen.flatMap((each) => each ?? [])).map((each) => ({
    ...each,
    scenario: 'cache-key.nodes-use-it',
  }));
  const [judgement] = everyLlmNode.judge([], OPTIONS, everything);
  return judgement === undefined ? 'none' : short(judgement);
}

describe('requests that a source had an answer to', () => {
  const once = asking(FIRST, 'a');
  it('are not made again by a replay, whatever it shows', () => {
    expect(servedBy(once, once)).toBe('fail second-call');
    expect(servedBy([...asking('witness-warm', 'a'), ...once], once)).toBe('fail second-call');
  });

  it('are told from others, and from those of no replay or of a source that did not complete', () => {
    expect(servedBy(once, [])).toBe('inconclusive');
    expect(servedBy(once, asking(FIRST, 'b'))).toBe('inconclusive');
    expect(servedBy(asking('witness-warm', 'a'), once)).toBe('inconclusive');
    expect(servedBy([witnessed({ name: FIRST })], [witnessed({ name: FIRST })])).toBe('inconclusive');
    expect(servedBy(once, once, [run('source', { events: [event(0, 'run.failed')] }), fork(STEPS[0], 'b')])).toBe(
      'inconclusive',
    );
    const branch = { ...refusedFork(STEPS[0], 201), answer: { mode: 'branch' } };
    expect(servedBy(once, once, [run('source'), branch])).toBe('inconclusive');
  });
});

/** The log of a run whose tool's node puts out a call, or none. */
function putOut(query?: string, type = 'run.completed'): readonly Json[] {
  const toolCalls = query === undefined ? [] : [{ name: 'search', arguments: { query } }];
  const end = event(1, 'node.completed', { nodeId: 'tool-call', payload: { output: { toolCalls } } });
  return [event(0, 'run.started'), end, event(2, type)];
}

describe('the call of a tool that a source was answered', () => {
  const QUERY = 'called by the witness';
  const of = (events: readonly Json[], source = putOut(QUERY), replayed: readonly Json[] = []): string =>
    servedBy([], replayed, [run('source', { events: source }), fork(STEPS[0], 'run_b', { events })]);
  it('is shown by a replay that completes and asks no model', () => {
    expect(of(putOut())).toBe('fail call-lost');
    expect(of(putOut(QUERY))).toBe('inconclusive');
    expect(of(putOut(undefined, 'run.failed'))).toBe('inconclusive');
    expect(of(putOut(), putOut())).toBe('inconclusive');
    expect(of(putOut(), putOut(QUERY), asking(FIRST, 'b'))).toBe('inconclusive');
  });
});
