import { describe, expect, it } from 'vitest';
import {
  as,
  event,
  fork,
  judged,
  LOG,
  recorded,
  refusedFork,
  requested,
  run,
  short,
} from '../../test/fork-observations.ts';
import { OPTIONS } from '../../test/recorded-runs.ts';
import type { Json, Observation } from '../../src/evidence/types.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { branch as scenario } from './branch.ts';
import { FIRST_BRANCH } from './branch-drive.ts';
import {
  FAILED_BRANCH,
  FAILED_SOURCE,
  LADEN_BRANCH,
  LADEN_SOURCE,
  REMEMBERING_BRANCH,
  REMEMBERING_SOURCE,
  REPLAY,
  REPLAY_BRANCH,
} from './further-branches.ts';
import { judgePrefixes, seeBranches } from './judge-branch.ts';

const memories = (memoryId: string, cause: Json = 'e0'): readonly Json[] => [
  event(0, 'run.started'),
  event(1, 'memory.written', { causationId: cause, payload: { memoryId } }),
  event(2, 'run.completed', { causationId: 'e1' }),
];

const given = (text: string): readonly Json[] => [
  event(0, 'run.started', { payload: { inputs: { payload: { blanks: text } } } }),
  event(1, 'node.completed'),
  event(2, 'run.completed'),
];

function branchOf(role: string, sourceRunId: string, events: readonly Json[]): RunObservation {
  const made = fork(role, 'run_x', { events: as('run_x', events) });
  return { ...made, fork: { sourceRunId, mode: 'branch', fromSeq: 2, advertised: true } };
}

const PLAIN = [run('source'), fork(FIRST_BRANCH, 'run_b', { mode: 'branch', fromSeq: 1 })];
const judgedHistory = (...further: readonly RunObservation[]) =>
  judged(judgePrefixes(seeBranches(recorded(...PLAIN, ...further)), []));

describe('the history of a branch with recorded facts', () => {
  const source = run(REMEMBERING_SOURCE, { runId: 'run_m', events: as('run_m', memories('mem-1')) });
  const historyOf = (events: readonly Json[]) => judgedHistory(source, branchOf(REMEMBERING_BRANCH, 'run_m', events));

  it("passes as the source's", () => {
    expect(historyOf(memories('mem-1'))).toMatchObject({ verdict: 'pass', evidence: ['o2', 'o4'] });
  });

  it('fails with another memory, where the row about facts in the history of replays does not say so', () => {
    const judgement = historyOf(memories('mem-2'));
    expect(short(judgement)).toBe('fail regenerated-fact');
    expect(judgement).toMatchObject({ restsOn: 'replay.recorded-facts-verbatim.in-history' });
  });

  it('says nothing where the run or its branch was not seen to its end', () => {
    const open = { ...branchOf(REMEMBERING_BRANCH, 'run_m', memories('mem-2')), problem: 'the run has not ended' };
    expect(judgedHistory(source, open)).toMatchObject({ verdict: 'pass', evidence: ['o2'] });
  });
});

describe('the history of a branch of a run with every kind of value', () => {
  const source = run(LADEN_SOURCE, { runId: 'run_l', events: as('run_l', given(' kept ')) });
  const historyOf = (text: string) => judgedHistory(source, branchOf(LADEN_BRANCH, 'run_l', given(text)));

  it("passes as the source's, and fails where a text has lost its blanks", () => {
    expect(historyOf(' kept ')).toMatchObject({ verdict: 'pass', evidence: ['o2', 'o4'] });
    expect(historyOf('kept')).toMatchObject({ verdict: 'fail', evidence: ['o4', 'o3'] });
  });
});

describe('the history of a branch of a replay', () => {
  const replay = fork(REPLAY, 'run_r', { events: as('run_r', memories('mem-1')) });
  const historyOf = (events: readonly Json[]) => judgedHistory(replay, branchOf(REPLAY_BRANCH, 'run_r', events));

  it("passes as the replay's", () => {
    expect(historyOf(memories('mem-1'))).toMatchObject({ verdict: 'pass', evidence: ['o2', 'o4'] });
  });

  it('fails without its causes, where the row about replays of replays does not say so', () => {
    const judgement = historyOf(memories('mem-1', null));
    expect(judgement.verdict).toBe('fail');
    expect(judgement.restsOn).toBe('sequence.replay-of-replay');
    expect(judgement.expected).toContain('/causationId');
  });
});

/** The same fork, made of another run. */
function madeOf(sourceRunId: string, made: RunObservation): RunObservation {
  return made.fork === null ? made : { ...made, fork: { ...made.fork, sourceRunId } };
}

/** What a host says of branches that are made of the first run, beside these. */
function createdBeside(...others: readonly RunObservation[]) {
  const eventsUrl = '/v1/runs/run_b/events';
  const answer = { runId: 'run_b', sourceRunId: 'run_a', fromSeq: 1, mode: 'branch', status: 'running', eventsUrl };
  const url = { type: 'events-url', role: FIRST_BRANCH, path: eventsUrl, status: 200, problem: null };
  const made: readonly Observation[] = [
    ...PLAIN,
    requested('fork', FIRST_BRANCH, 201, answer),
    Object.assign({ exchanges: ['x3'], sameOrigin: true }, url),
  ];
  return scenario.judge(recorded(...made, ...others), OPTIONS, []).find(({ check }) => check === 'fork.created.branch');
}

describe('a branch of a run that failed', () => {
  const source = run(FAILED_SOURCE, { runId: 'run_f', events: [...LOG.slice(0, 2), event(2, 'run.failed')] });

  it('is made as of any other', () => {
    expect(createdBeside(source, fork(FAILED_BRANCH, 'run_g', { mode: 'branch' }))?.verdict).toBe('pass');
  });

  it('fails the row about branches where it is refused, unless replays of such runs are, too', () => {
    const judgement = createdBeside(source, madeOf('run_f', refusedFork(FAILED_BRANCH, 409, 'branch')));
    expect(judgement).toMatchObject({ verdict: 'fail', restsOn: 'replay.same-failure' });
    expect(judgement?.actual).toContain('409 for branch of the failed run');
  });

  it('says nothing where the host was busy', () => {
    expect(createdBeside(source, madeOf('run_f', refusedFork(FAILED_BRANCH, 429, 'branch')))?.verdict).toBe('pass');
  });
});

describe('a branch of a replay that is refused', () => {
  it('fails the row about branches, unless replays of replays are refused, too', () => {
    const judgement = createdBeside(fork(REPLAY, 'run_r'), madeOf('run_r', refusedFork(REPLAY_BRANCH, 422, 'branch')));
    expect(judgement).toMatchObject({ verdict: 'fail', restsOn: 'fork.created.of-a-fork' });
  });

  it('fails it alone where others are refused as well', () => {
    const ofReplay = [fork(REPLAY, 'run_r'), madeOf('run_r', refusedFork(REPLAY_BRANCH, 422, 'branch'))];
    const judgement = createdBeside(...ofReplay, refusedFork('branch from 0', 422, 'branch'));
    expect(judgement?.verdict).toBe('fail');
    expect(judgement?.restsOn).toBeUndefined();
  });
});
