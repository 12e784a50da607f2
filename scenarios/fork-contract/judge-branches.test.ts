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
import { fail, pass } from '../../src/contract/outcome.ts';
import type { Json, Observation } from '../../src/evidence/types.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { branch as scenario } from './branch.ts';
import { FIRST_BRANCH, MARKS } from './branch-drive.ts';
import { judgeIndependence, judgePrefixes, judgePrefixesEverywhere, judgeSwept, seeBranches } from './judge-branch.ts';
import { judgeOverlay, judgeProjection } from './judge-projection.ts';

/** A run of the identity fixture, as far as the rows read it. */
function log(configured: string): readonly Json[] {
  return [
    event(0, 'run.started'),
    event(1, 'node.started', { nodeId: 'configured' }),
    event(2, 'variable.changed', { nodeId: 'configured', payload: { name: 'configured', value: configured } }),
    event(3, 'node.completed', { nodeId: 'configured', payload: { output: configured } }),
    event(4, 'run.completed'),
  ];
}

/** The same of a host that writes a node's variable when the node has ended, in no node's name. */
function written(configured: string): readonly Json[] {
  return [
    event(0, 'run.started'),
    event(1, 'node.started', { nodeId: 'configured' }),
    event(2, 'node.completed', { nodeId: 'configured', payload: { output: configured } }),
    event(3, 'variable.changed', { payload: { name: 'configured', value: configured } }),
    event(4, 'run.completed'),
  ];
}

function snapshot(runId: string, variables: Json, more: object = {}): Json {
  return { runId, status: 'completed', variables, ...more };
}

const source = run('source', {
  events: log(MARKS.source),
  snapshot: snapshot('run_a', { configured: MARKS.source }),
});

function branch(fromSeq: number, configured: string, more: Partial<RunObservation> = {}): RunObservation {
  const runId = more.runId ?? `run_${fromSeq}`;
  const role = fromSeq === 2 ? 'branch' : `branch from ${fromSeq}`;
  const events = as(runId, log(configured));
  const seen = { events, snapshot: snapshot(runId, { configured }) };
  return fork(role, runId, { mode: 'branch', fromSeq, ...seen, ...more });
}

const early = branch(1, MARKS.overlay);
const middle = branch(2, MARKS.source);
const late = branch(4, MARKS.source);

function bare(each: RunObservation): RunObservation {
  return { ...each, snapshot: { runId: each.runId, status: 'completed' } };
}

function judgedOverlay(...observations: readonly RunObservation[]) {
  return judged(judgeSwept(seeBranches(recorded(...observations)), judgeOverlay));
}

describe('the overlay of a branch', () => {
  it('passes where it shows downstream and not upstream of the fork point', () => {
    expect(short(judgedOverlay(source, early, middle, late))).toBe('pass');
  });

  it('is read from the log where the snapshot shows no variables', () => {
    expect(short(judgedOverlay(bare(source), bare(early), bare(late)))).toBe('pass');
    expect(short(judgedOverlay(bare(source), bare(branch(1, MARKS.source))))).toBe('fail overlay-ignored');
  });

  it('fails where it is ignored, and where it reaches back', () => {
    const ignored = judgedOverlay(source, branch(1, MARKS.source), late);
    expect(short(ignored)).toBe('fail overlay-ignored');
    expect(ignored.expected).toContain('the branch from 1 run_1, from 1');
    expect(short(judgedOverlay(source, early, branch(4, MARKS.overlay)))).toBe('fail overlay-reached-back');
  });

  it('may show where a branch executes the write anew that stands behind its node', () => {
    const from = { ...source, events: written(MARKS.source) };
    const branched = (fromSeq: number) =>
      branch(fromSeq, MARKS.overlay, { events: as(`run_${fromSeq}`, written(MARKS.overlay)) });
    expect(short(judgedOverlay(from, branched(1), branched(3)))).toBe('pass');
    expect(short(judgedOverlay(from, branched(1), branched(4)))).toBe('fail overlay-reached-back');
  });

  it('rests on the row about histories where it is the history that another one is, and on nothing else', () => {
    const other = branch(4, MARKS.overlay);
    const shownOtherwise = { ...late, snapshot: snapshot('run_4', { configured: MARKS.overlay }) };
    expect(judgedOverlay(source, early, other)).toMatchObject({ restsOn: 'fork.branch-inherits-prefix' });
    expect(judgedOverlay(source, early, shownOtherwise).restsOn).toBeUndefined();
    // What has no owner comes first.
    expect(judgedOverlay(source, other, shownOtherwise).restsOn).toBeUndefined();
  });

  it('falls back on tags', () => {
    const plain = run('source', { events: LOG });
    const tagged = (tags: Json) => branch(1, '', { snapshot: snapshot('run_1', {}, { tags }) });
    expect(judgedOverlay(plain, tagged([MARKS.tag]))).toMatchObject({ verdict: 'pass' });
    expect(judgedOverlay(plain, tagged([MARKS.tag])).reason).toContain('seed conformance-determinism-identity');
    expect(short(judgedOverlay(plain, tagged([])))).toBe('fail overlay-ignored');
    expect(short(judgedOverlay(plain, branch(1, '')))).toBe('inconclusive');
  });

  it('is undecided where nothing shows it', () => {
    expect(short(judgedOverlay(source, late))).toBe('inconclusive');
    expect(short(judgedOverlay(source))).toBe('inconclusive');
    expect(short(judgedOverlay())).toBe('inconclusive');
    expect(
      short(
        judgedOverlay(
          { ...source, snapshot: null, events: [event(1, 'node.started', { nodeId: 'configured' })] },
          early,
        ),
      ),
    ).toBe('inconclusive');
    const hidden = branch(1, '', { snapshot: null, events: as('run_1', LOG) });
    expect(short(judgedOverlay(source, hidden))).toBe('inconclusive');
  });

  it('is undecided where a branch failed though its source completed', () => {
    const events = as('run_4', [
      ...log(MARKS.source).slice(0, 4),
      event(4, 'run.failed', { payload: { error: 'boom' } }),
    ]);
    const failed = branch(4, MARKS.source, { events });
    const judgement = judgedOverlay(source, early, failed, late);
    expect(judgement.verdict).toBe('inconclusive');
    expect(judgement.reason).toContain('from 4, failed, though the source run_a completed: "boom"');
    const both = { ...source, events: events.map((each) => ({ ...Object(each), runId: 'run_a' })) };
    expect(short(judgedOverlay(both, early, failed))).toBe('pass');
  });

  it('fails where an advertised branch is refused', () => {
    expect(short(judgedOverlay(source, refusedFork('branch', 501, 'branch')))).toBe('fail fork-refused');
  });
});

const judgedBranch = (...others: readonly RunObservation[]) => judgedAmong(others);
const judgedAmong = (others: readonly RunObservation[], ...branches: readonly RunObservation[]) => {
  const everything = recorded(...others).map((each) => ({ ...each, scenario: 'fork.full-replay' }));
  const first = refusedFrom(1, refusedFork(FIRST_BRANCH, 501, 'branch'));
  const own = recorded(run('source'), requested('fork', FIRST_BRANCH, 501), first, ...branches);
  return scenario.judge(own, OPTIONS, everything).find(({ check }) => check === 'fork.created.branch');
};

const refusedFrom = (fromSeq: number | null, refused: RunObservation): RunObservation => ({
  ...refused,
  fork: refused.fork === null ? null : { ...refused.fork, fromSeq },
});
const refusedReplay = (answered: number) => refusedFrom(null, refusedFork('replay', answered));
const laterReplay = (answered: number) => refusedFrom(2, refusedFork('replay', answered));

describe('a branch that is refused', () => {
  it('rests on the row about replays where the replay was refused alike, and on nothing else', () => {
    expect(judgedBranch(refusedReplay(501))).toMatchObject({ verdict: 'fail', restsOn: 'fork.created' });
    for (const others of [[], [refusedReplay(400)], [fork('replay', 'run_b')], [laterReplay(422)]]) {
      expect(judgedBranch(...others)).toMatchObject({ verdict: 'fail', restsOn: 'fork.created.branch' });
    }
  });

  it('rests on the row about later replays where these were refused alike, unless one from the start is refused as well', () => {
    expect(judgedBranch(laterReplay(501))).toMatchObject({ verdict: 'fail', restsOn: 'fork.created.every-sequence' });
    expect(judgedAmong([laterReplay(501)], refusedFork('branch from 0', 501, 'branch'))).toMatchObject({
      restsOn: 'fork.created.branch',
    });
  });
});

const answer = {
  runId: 'run_b',
  sourceRunId: 'run_a',
  fromSeq: 0,
  mode: 'branch',
  status: 'running',
  eventsUrl: '/v1/runs/run_b/events',
};
const answersUrl = { type: 'events-url', role: FIRST_BRANCH, path: answer.eventsUrl, status: 200, problem: null };

/** What fails beside a first branch that was made. */
function failedBeside(...others: readonly RunObservation[]) {
  const made: readonly Observation[] = [
    run('source'),
    requested('fork', FIRST_BRANCH, 201, answer),
    fork(FIRST_BRANCH, 'run_b', { mode: 'branch' }),
    Object.assign({ exchanges: ['x3'], sameOrigin: true }, answersUrl),
  ];
  return scenario.judge(recorded(...made, ...others), OPTIONS, []).filter(({ verdict }) => verdict === 'fail');
}

describe('a branch that is refused after the first', () => {
  it('fails the row about branches, and the rows that need it rest there', () => {
    const all = failedBeside(refusedFork('branch from 0', 409, 'branch'));
    const own = all.find(({ check }) => check === 'fork.created.branch');
    expect(own?.actual).toContain('1 of 2 branches were refused');
    expect(own?.restsOn).toBeUndefined();
    const others = all.filter((each) => each !== own).map(({ restsOn }) => restsOn);
    expect(new Set(others)).toEqual(new Set(['fork.created.branch']));
  });

  it.each([
    ['the host was busy', refusedFork('branch from 0', 429, 'branch')],
    ['branches are not offered', refusedFork('branch from 0', 409, 'branch', false)],
  ])('says nothing of branches where %s', (_, each) => {
    expect(failedBeside(each).map(({ check }) => check)).not.toContain('fork.created.branch');
  });
});

/** The full replay, answered so. */
const replayed = (members: object) =>
  recorded(
    run('source'),
    requested('fork', 'replay', 201, { ...answer, mode: 'replay', ...members }),
    fork('replay', 'run_b', { fromSeq: null }),
  ).map((each) => ({ ...each, scenario: 'fork.full-replay' }));

const judgedBeside = (members: object, replay: ReturnType<typeof replayed>) => {
  const made = fork(FIRST_BRANCH, 'run_b', { mode: 'branch' });
  const own = recorded(run('source'), requested('fork', FIRST_BRANCH, 201, { ...answer, ...members }), made);
  return scenario.judge(own, OPTIONS, replay).find(({ check }) => check === 'fork.created.branch');
};

describe('a branch whose answer is wrong', () => {
  it('rests on the row about replays where all that is wrong is so in the answer to the full replay', () => {
    const both = judgedBeside({ status: null }, replayed({ status: null, sourceRunId: 'run_b' }));
    expect(both).toMatchObject({ verdict: 'fail', restsOn: 'fork.created' });
  });

  it.each([
    ['nothing is wrong there', replayed({})],
    ['something else is wrong there', replayed({ eventsUrl: '' })],
    ['no replay was made', []],
  ])('fails the row about branches where %s', (_, replay) => {
    const judgement = judgedBeside({ status: null }, replay);
    expect(judgement?.verdict).toBe('fail');
    expect(judgement?.actual).toBe('status is null, not a status');
    expect(judgement?.restsOn).toBeUndefined();
  });
});

function judgedState(...observations: readonly RunObservation[]) {
  return judged(judgeProjection(seeBranches(recorded(...observations))));
}

const randomLog = (value: Json): readonly Json[] => [
  event(0, 'run.started'),
  event(1, 'variable.changed', { nodeId: 'random', payload: { name: 'random', value } }),
  event(2, 'node.completed', { nodeId: 'random', payload: { output: value } }),
  event(3, 'node.started', { nodeId: 'random-again' }),
  event(4, 'run.completed'),
];

describe('the state of a branch', () => {
  const randomSource = run('random source', { events: randomLog(0.5), snapshot: snapshot('run_a', { random: 0.5 }) });
  const randomBranch = (value: Json, fromSeq = 3) =>
    fork('random branch', 'run_r', {
      mode: 'branch',
      fromSeq,
      events: as('run_r', randomLog(value)),
      snapshot: snapshot('run_r', { random: value }),
    });

  it("passes with the source's random number, fails with another", () => {
    expect(short(judgedState(randomSource, randomBranch(0.5)))).toBe('pass');
    expect(short(judgedState(randomSource, randomBranch(0.7)))).toBe('fail state-not-projected');
  });

  it('falls back on the identity fixture', () => {
    const unseeded = run('random source', { runId: null, answered: 404, problem: 'unknown' });
    expect(short(judgedState(unseeded, source, early, late))).toBe('pass');
    expect(short(judgedState(unseeded, source, branch(4, MARKS.overlay)))).toBe('fail state-not-projected');
    expect(short(judgedState(unseeded, source, early))).toBe('inconclusive');
  });

  it('rests on the row about histories where it is the history that another one is, and on nothing else', () => {
    const forgetful = { ...randomBranch(0.5), snapshot: snapshot('run_r', { random: 0.7 }) };
    expect(judgedState(randomSource, randomBranch(0.7))).toMatchObject({ restsOn: 'fork.branch-inherits-prefix' });
    expect(short(judgedState(randomSource, forgetful))).toBe('fail state-not-projected');
    expect(judgedState(randomSource, forgetful).restsOn).toBeUndefined();
  });

  it('is undecided where nothing shows it', () => {
    expect(short(judgedState())).toBe('inconclusive');
    expect(short(judgedState(randomSource))).toBe('inconclusive');
    expect(short(judgedState(randomSource, randomBranch(0.7, 2)))).toBe('inconclusive');
    expect(short(judgedState(randomSource, refusedFork('random branch', 404, 'branch')))).toBe('fail fork-refused');
  });
});

function judgedHistory(...observations: readonly RunObservation[]) {
  return judged(judgePrefixes(seeBranches(recorded(...observations)), []));
}

function taken(ms: number): readonly Json[] {
  return [event(0, 'run.started'), event(1, 'node.completed', { payload: { ms } }), event(2, 'run.completed')];
}

describe('the history of a branch', () => {
  it("passes as the source's, whatever comes after it", () => {
    expect(judgedHistory(source, early, middle, late)).toMatchObject({ verdict: 'pass', evidence: ['o2', 'o3', 'o4'] });
  });

  it('fails with another payload, with place and both sides', () => {
    const judgement = judgedHistory(source, branch(4, MARKS.overlay));
    expect(judgement.verdict).toBe('fail');
    expect(judgement.expected).toContain('sequence 2, variable.changed of node configured');
    expect(judgement.actual).toContain(MARKS.overlay);
  });

  it('fails with events missing', () => {
    const events = as('run_4', [event(4, 'run.completed')]);
    expect(judgedHistory(source, branch(4, '', { events })).verdict).toBe('fail');
  });

  it('leaves out what is declared volatile, and says so', () => {
    const from = run('source', { events: taken(3) });
    const later = branch(2, '', { events: as('run_2', taken(4)) });
    const [strict, lenient] = [[], ['/payload/ms']].map((volatile) =>
      judged(judgePrefixes(seeBranches(recorded(from, later)), volatile)),
    );
    expect(strict?.verdict).toBe('fail');
    expect(lenient).toMatchObject({
      verdict: 'pass',
      reason: 'declared volatile and not compared: /payload/ms',
    });
  });

  it('fails by a branch that ended, whatever came of another', () => {
    const open = { ...early, problem: 'the run has not ended' };
    expect(judgedHistory(source, branch(4, MARKS.overlay), open).verdict).toBe('fail');
    expect(short(judgedHistory(source, late, open))).toBe('inconclusive');
  });

  it('rests on the independence of a branch that had its history until others were made', () => {
    const other = branch(4, MARKS.overlay);
    const rewritten = {
      ...branch(2, MARKS.overlay, { events: as('run_2', log(MARKS.source)).with(0, event(0, 'run.changed')) }),
      role: 'branch again',
      fork: null,
    };
    expect(judgedHistory(source, middle, other, { ...middle, role: 'branch again', fork: null }).restsOn).toBe(
      'sequence.prefix-equal',
    );
    expect(judgedHistory(source, middle, other, rewritten)).toMatchObject({ restsOn: 'fork.branch-is-independent' });
    const wrongFirst = branch(2, MARKS.overlay, { events: rewritten.events });
    expect(judgedHistory(source, wrongFirst, other, rewritten).restsOn).toBe('sequence.prefix-equal');
  });

  it('is undecided without history', () => {
    expect(short(judgedHistory(source, branch(0, MARKS.overlay)))).toBe('inconclusive');
    expect(short(judgedHistory(source))).toBe('inconclusive');
  });
});

/** The history of branches that another scenario made, beside a row that passes. */
function judgedElsewhere(scenarioId: string, ...observations: readonly RunObservation[]) {
  const everything = recorded(...observations).map((each) => ({ ...each, scenario: scenarioId }));
  return judged(judgePrefixesEverywhere(pass(['o1']), everything, []));
}

/** A branch of a run that failed, and its history with this message. */
const failedLog = (message: string): readonly Json[] => [
  event(0, 'run.started'),
  event(1, 'node.failed', { nodeId: 'first', payload: { error: { code: 'boom', message } } }),
  event(2, 'run.failed', { payload: { error: { code: 'boom', message: 'it failed' } } }),
];

const parent = (mode: string) => fork('first fork', 'run_p', { mode, events: as('run_p', failedLog('of it')) });

describe('the history of a branch that another scenario made', () => {
  const failed = run('source that failed', { runId: 'run_a', events: failedLog('no such file') });
  const madeWith = (message: string, more: Partial<RunObservation> = {}) =>
    fork('branch of the failed run', 'run_b', {
      mode: 'branch',
      fromSeq: 2,
      events: as('run_b', failedLog(message)),
      ...more,
    });

  it("passes as the source's, and where nobody saw its source or its end", () => {
    expect(judgedElsewhere('fork.branch', failed, madeWith('no such file')).verdict).toBe('pass');
    expect(judgedElsewhere('fork.branch', madeWith('gone')).verdict).toBe('pass');
    const open = madeWith('gone', { problem: 'the run has not ended' });
    expect(judgedElsewhere('fork.branch', failed, open).verdict).toBe('pass');
  });

  it('passes with whatever stands at its fork point and behind it, and in a run of which data expire', () => {
    const anew = as('run_b', [...failedLog('no such file').slice(0, 2), event(2, 'run.completed')]);
    expect(judgedElsewhere('fork.branch', failed, madeWith('', { events: anew })).verdict).toBe('pass');
    expect(judgedElsewhere('retention.expired-range', failed, madeWith('gone')).verdict).toBe('pass');
  });

  it('passes where only a second reading of the branch differs', () => {
    expect(judgedElsewhere('fork.branch', failed, madeWith('no such file'), madeWith('gone')).verdict).toBe('pass');
  });

  it('fails with another message of a failure, without any event, and where the branch waits', () => {
    const judgement = judgedElsewhere('fork.branch', failed, madeWith('gone'));
    expect(judgement).toMatchObject({ verdict: 'fail', evidence: ['o2'] });
    expect(judgement.actual).toContain('gone');
    expect(judgedElsewhere('fork.branch-acts.tool', failed, madeWith('', { events: [] })).verdict).toBe('fail');
    const done = { ...failed, events: failed.events.with(2, event(2, 'run.completed')) };
    expect(judgedElsewhere('fork.branch', done, madeWith('gone')).restsOn).toBe('sequence.prefix-equal');
    const waiting = as('run_b', [...failedLog('gone').slice(0, 2), event(2, 'interrupt.requested')]);
    expect(judgedElsewhere('fork.branch', failed, madeWith('', { events: waiting })).verdict).toBe('fail');
  });

  it('fails in a branch of a fork by what its own source shows, and rests on the row about replays of failing runs', () => {
    const ofFork = madeWith('no such file');
    const made = { ...ofFork, fork: { sourceRunId: 'run_p', mode: 'branch', fromSeq: 2, advertised: true } };
    const restsOn = 'replay.same-failure';
    for (const mode of ['branch', 'replay']) {
      const judgement = judgedElsewhere('fork.branch-acts.approval', failed, parent(mode), made);
      expect(judgement).toMatchObject({ verdict: 'fail', restsOn });
    }
  });

  it('leaves a failure of the row itself', () => {
    const own = fail({ expected: 'a', actual: 'b', diagnosis: { code: 'code', message: 'why' } }, ['o1']);
    expect(judgePrefixesEverywhere(own, [], [])).toBe(own);
  });
});

function judgedIndependence(...observations: readonly RunObservation[]) {
  return judged(judgeIndependence(seeBranches(recorded(...observations))));
}

/** A run of this role that names a child. */
const handing = (role: string, runId: string, childRunId: string): RunObservation => ({
  ...(role.startsWith('branch') ? middle : source),
  role,
  runId,
  events: as(runId, [event(0, 'core.workflowChain.event', { payload: { phase: 'dispatch.succeeded', childRunId } })]),
});

describe('the independence of a branch', () => {
  const again = [
    { ...middle, role: 'branch again', fork: null },
    { ...source, role: 'source again' },
  ];

  it('passes with ids and logs of their own that stay as they are', () => {
    expect(short(judgedIndependence(source, middle, early, late, ...again))).toBe('pass');
  });

  it("fails with events in its source's name, but leaves the copied history open", () => {
    const foreign = as('run_a', log(MARKS.overlay));
    expect(judgedIndependence(source, middle, branch(1, MARKS.overlay, { events: foreign }), ...again)).toMatchObject({
      verdict: 'fail',
      actual: '/runId: "run_a"',
    });
    const named = { ...source, events: as('run_z', log(MARKS.source)) };
    expect(judgedIndependence(named, middle, branch(1, MARKS.overlay, { events: foreign }), ...again)).toMatchObject({
      verdict: 'fail',
      restsOn: 'schema.run-event.wire',
    });
    const copied = [...foreign.slice(0, 1), ...as('run_1', log(MARKS.overlay)).slice(1)];
    expect(short(judgedIndependence(source, middle, branch(1, MARKS.overlay, { events: copied }), ...again))).toBe(
      'pass',
    );
  });

  it.each([0, 1])('fails where another branch changes a run (%d)', (which) => {
    const changed = again.map((each, index) =>
      index === which ? { ...each, events: [...each.events, event(5, 'run.superseded')] } : each,
    );
    expect(short(judgedIndependence(source, middle, early, ...changed))).toBe('fail source-changed');
    const reopened = again.map((each, index) =>
      index === which ? { ...each, snapshot: { runId: each.runId, status: 'running' } } : each,
    );
    expect(short(judgedIndependence(source, middle, early, ...reopened))).toBe('fail source-changed');
  });

  it('fails where the snapshot of a branch shows other variables afterwards', () => {
    const variables = { configured: 'other' };
    const changed = again.map((each) => ({ ...each, snapshot: { runId: each.runId, status: 'completed', variables } }));
    const [branchAgain = source, sourceAgain = source] = changed;
    expect(short(judgedIndependence(source, middle, early, branchAgain, { ...source, role: 'source again' }))).toBe(
      'fail source-changed',
    );
    // That of the source is for the rows about sources.
    expect(short(judgedIndependence(source, middle, early, again[0] ?? source, sourceAgain))).toBe('pass');
  });

  it('rests on the row about sources where it is the source that changed', () => {
    const [branchAgain, sourceAgain] = again;
    const changed = { ...sourceAgain, events: [...source.events, event(5, 'run.superseded')] } as typeof source;
    const found = judgedIndependence(source, middle, early, { ...branchAgain } as typeof source, changed);
    expect(found).toMatchObject({ verdict: 'fail', restsOn: 'fork.source-untouched' });
  });

  it.each(['run_other', 'run_child'])('dispatches children of its own: %s', (child) => {
    const pair = [handing('source with a child', 'run_h', 'run_child'), handing('branch with a child', 'run_i', child)];
    expect(judgedIndependence(source, middle, early, ...again, ...pair)).toMatchObject(
      child === 'run_other'
        ? { verdict: 'pass' }
        : { verdict: 'fail', actual: 'run_child, which the source with a child run_h dispatched' },
    );
  });

  it.each(['run_i', 'run_h'])('is the parent of what it dispatches: %s', (parentRunId) => {
    const transition = event(3, 'core.workflowChain.event', { payload: { phase: 'dispatch.began', parentRunId } });
    const pair = [
      handing('source with a child', 'run_h', 'run_child'),
      { ...handing('branch with a child', 'run_i', 'run_other'), events: as('run_i', [transition]) },
    ];
    expect(judgedIndependence(source, middle, early, ...again, ...pair)).toMatchObject(
      parentRunId === 'run_i' ? { verdict: 'pass' } : { verdict: 'fail', actual: '"run_h", the source\'s' },
    );
  });

  it('does not mind a snapshot that catches up with its log', () => {
    const lagging = { ...middle, snapshot: { runId: 'run_2', status: 'running' } };
    expect(short(judgedIndependence(source, lagging, early, ...again))).toBe('pass');
  });

  it('is undecided with one branch, or where runs were not read again', () => {
    expect(short(judgedIndependence(source, middle, ...again))).toBe('inconclusive');
    expect(short(judgedIndependence(source, middle, early))).toBe('inconclusive');
  });
});
