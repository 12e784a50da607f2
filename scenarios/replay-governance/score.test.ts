import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/evidence/types.ts';
import { event, fork, recorded, run, short } from '../../test/fork-observations.ts';
import { OPTIONS } from '../../test/recorded-runs.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { score } from './score.ts';
import type { ReportObservation } from './score-report.ts';

const named = (runId: string, events: readonly Json[]): readonly Json[] =>
  events.map((each) => ({ ...(each as object), runId, eventId: `${runId} ${JSON.stringify(each)}` }));

const log = (value: string): readonly Json[] => [
  event(0, 'run.started'),
  event(1, 'node.started', { nodeId: 'constant' }),
  event(2, 'variable.changed', { nodeId: 'constant', payload: { name: 'constant', value } }),
  event(3, 'node.completed', { nodeId: 'constant', payload: { output: value } }),
  event(4, 'run.completed'),
];

const diverged: readonly Json[] = [
  ...log('second').slice(0, 3),
  event(3, 'replay.diverged', { payload: { divergencePoint: 2 } }),
  event(4, 'node.completed', { nodeId: 'constant', payload: { output: 'second' } }),
  event(5, 'replay.diverged', { payload: { divergencePoint: 3 } }),
  event(6, 'run.completed'),
];

/** The log of the first value, with a node more. */
const added: readonly Json[] = [
  ...log('first').slice(0, 4),
  event(4, 'replay.diverged', { payload: { divergencePoint: 4 } }),
  event(5, 'node.started', { nodeId: 'more' }),
  event(6, 'node.completed', { nodeId: 'more', payload: {} }),
  event(7, 'run.completed'),
];

function report(of: string, value: Json, problem: string | null = null): ReportObservation {
  return { type: 'report', of, where: 'GET /report', problem, report: value, exchanges: ['x3'] };
}

const EXACT = {
  sourceRunId: 'run_a',
  replayRunId: 'run_b',
  fromSeq: 0,
  matchedEvents: 5,
  comparedEvents: 5,
  firstDivergenceSeq: null,
  score: 1,
};
const DIVERGING = {
  sourceRunId: 'run_a',
  replayRunId: 'run_c',
  fromSeq: 0,
  matchedEvents: 3,
  comparedEvents: 5,
  firstDivergenceSeq: 2,
  score: 0.6,
};

interface Changes {
  readonly exact?: object | null;
  readonly diverging?: object | null;
  /** The second replay, where it is another one or none. */
  readonly second?: RunObservation | null;
}

function reportOf(role: string, whole: object, change: object | null): ReportObservation {
  return change === null ? report(role, null, '404') : report(role, { ...whole, ...change });
}

function judgements({ exact = {}, diverging = {}, second }: Changes) {
  const source = run('source', { events: named('run_a', log('first')) });
  const replay = fork('full replay', 'run_b', { fromSeq: null, events: named('run_b', log('first')) });
  const other = fork('replay under 2.0.0', 'run_c', { fromSeq: null, events: named('run_c', diverged) });
  const shown = second === undefined ? other : second;
  const observations = recorded(
    source,
    replay,
    reportOf(replay.role, EXACT, exact),
    ...(shown === null ? [] : [shown, reportOf(shown.role, DIVERGING, diverging)]),
  );
  return score.judge(observations, OPTIONS);
}

function judged(changes: Changes): Readonly<Record<string, string>> {
  return Object.fromEntries(
    judgements(changes).map((each) => [each.check.replace('score.consistent.', ''), short(each)]),
  );
}

const ALL = ['runs', 'counts', 'score', 'first-divergence', 'exact-replay', 'diverging-replay'];
const red = (changes: Changes): readonly string[] =>
  Object.entries(judged(changes)).flatMap(([check, verdict]) => (verdict.startsWith('fail') ? [check] : []));

describe('a determinism report', () => {
  it('passes where it agrees with the logs', () => {
    expect(judged({})).toEqual(Object.fromEntries(ALL.map((check) => [check, 'pass'])));
  });

  it.each([
    ['rounds its score', { diverging: { matchedEvents: 2, comparedEvents: 3, score: 0.67 } }],
    ['leaves the first divergence out where there is none', { exact: { firstDivergenceSeq: undefined } }],
    ['counts the first divergence in the replay', { diverging: { firstDivergenceSeq: 3 } }],
    ['compares nodes only', { diverging: { matchedEvents: 2, comparedEvents: 3, score: 0.66, firstDivergenceSeq: 4 } }],
    ['counts what one side lacks', { diverging: { matchedEvents: 4, comparedEvents: 8, score: 0.5 } }],
    ['counts both sides of all that differs', { diverging: { matchedEvents: 0, comparedEvents: 6, score: 0 } }],
    ['has more members', { exact: { engine: 'x' } }],
  ])('passes where it %s', (_, changes: Changes) => {
    expect(red(changes)).toEqual([]);
  });

  it.each([
    ['another source', { exact: { sourceRunId: 'run_x' } }, ['runs']],
    ['no replay', { exact: { replayRunId: undefined } }, ['runs']],
    ['another start', { exact: { fromSeq: 1 } }, ['runs']],
    ['counts that are text', { exact: { matchedEvents: '5' } }, ['counts']],
    [
      'fewer matched than stand before the first divergence',
      { diverging: { matchedEvents: 0, comparedEvents: 7, score: 0 } },
      ['counts'],
    ],
    [
      'the same, the place named in the replay',
      { diverging: { matchedEvents: 0, comparedEvents: 7, score: 0, firstDivergenceSeq: 3 } },
      ['counts'],
    ],
    ['fractional counts', { diverging: { matchedEvents: 2.5, score: 0.5 } }, ['counts']],
    ['more events than there are', { exact: { matchedEvents: 9, comparedEvents: 9 } }, ['counts']],
    [
      'more compared than matched where all is alike',
      { exact: { comparedEvents: 6 } },
      ['counts', 'score', 'first-divergence', 'exact-replay'],
    ],
    ['another score', { diverging: { score: 0.5 } }, ['score']],
    ['a score without bounds', { diverging: { score: 60 } }, ['score', 'diverging-replay']],
    ['no first divergence', { diverging: { firstDivergenceSeq: null } }, ['first-divergence']],
    ['a first divergence that is text', { diverging: { firstDivergenceSeq: '2' } }, ['first-divergence']],
    ['a first divergence where nothing parts', { diverging: { firstDivergenceSeq: 1 } }, ['first-divergence']],
    ['a later divergence, all events compared', { diverging: { firstDivergenceSeq: 5 } }, ['first-divergence']],
    [
      'less than the full score for a match',
      { exact: { matchedEvents: 4, score: 0.8, firstDivergenceSeq: 2 } },
      ['exact-replay'],
    ],
    [
      'the full score for another log',
      { diverging: { matchedEvents: 5, score: 1, firstDivergenceSeq: null } },
      ['diverging-replay'],
    ],
  ] as const)('fails with %s', (_, changes, checks) => {
    expect(red(changes)).toEqual(checks);
  });

  describe('of a replay that has events more', () => {
    const second = fork('replay under 3.0.0', 'run_c', { fromSeq: null, events: named('run_c', added) });
    const all = { matchedEvents: 5, comparedEvents: 5, score: 1 };

    it.each([
      ['counts them', { matchedEvents: 5, comparedEvents: 7, score: 0.71, firstDivergenceSeq: 5 }],
      ['does not count them, and names the first', { ...all, firstDivergenceSeq: 5 }],
      ['does not count them, and names the place where they stand', { ...all, firstDivergenceSeq: 4 }],
    ])('passes where it %s', (_, diverging) => {
      expect(red({ second, diverging })).toEqual([]);
    });

    it('fails where it says that nothing is different', () => {
      expect(red({ second, diverging: { ...all, firstDivergenceSeq: null } })).toEqual(['diverging-replay']);
      expect(red({ second, diverging: { ...all, firstDivergenceSeq: 1 } })).toEqual(['first-divergence']);
    });
  });

  it.each([
    [{ diverging: { score: 60 } }, 'diverging-replay', 'score'],
    [{ exact: { firstDivergenceSeq: 1 } }, 'exact-replay', 'first-divergence'],
  ])('rests on the row about members that contradict each other: %j', (changes, check, owner) => {
    const found = judgements(changes).find((each) => each.check === `score.consistent.${check}`);
    expect(found?.restsOn).toBe(`score.consistent.${owner}`);
  });

  it('is undecided without a report, without a divergence, and where a replay was not seen', () => {
    expect(judged({ exact: null })).toMatchObject({ runs: 'inconclusive', 'exact-replay': 'inconclusive' });
    expect(judged({ second: null })).toMatchObject({
      counts: 'pass',
      'first-divergence': 'inconclusive',
      'diverging-replay': 'inconclusive',
    });
    const unseen = fork('replay under 2.0.0', 'run_c', { problem: 'the run has not ended' });
    expect(new Set(Object.values(judged({ second: unseen })))).toEqual(new Set(['inconclusive']));
    expect(score.judge([], OPTIONS).map(({ verdict }) => verdict)).toEqual(ALL.map(() => 'inconclusive'));
    const strange = fork('replay under 2.0.0', 'run_c', { fromSeq: null, events: [{ sequence: 0 }] as Json[] });
    expect(judged({ second: strange })).not.toHaveProperty('error');
  });
});
