import { describe, expect, it } from 'vitest';
import type { Observation } from '../../src/evidence/types.ts';
import { judgementOf } from '../../src/runner/define-scenario.ts';
import { requested, fork, recorded, refusedFork, run, short } from '../../test/fork-observations.ts';
import { OPTIONS } from '../../test/recorded-runs.ts';
import { accessChecks, BLIND, holdingEventOf, judgeBlind, judgeListed, SECOND_TENANT } from './access-checks.ts';
import { judgeAccess } from './judge-access.ts';

function pair(name: string, source: number | null, of: number | null): readonly Observation[] {
  const common = { type: 'access', name, exchanges: ['x1'] };
  return [
    { ...common, of: 'source', status: source } as Observation,
    { ...common, of: 'fork', status: of } as Observation,
  ];
}

/** An answer to the questions of a run that waits and of its fork. */
function answering(status: number): readonly Observation[] {
  return pair('an answer', 404, status).map((each, index) => ({ ...each, runId: ['run_x', 'run_y'][index] }));
}

const MADE = [run('source'), fork('fork', 'run_b')];
const RUNS = [...MADE, run("second tenant's run", { runId: 'run_o' })];
const KEPT = pair('the snapshot', 404, 404);

function refusedRun(answered: number): Observation {
  return run("second tenant's run", {
    runId: null,
    answered,
    problem: `the request was answered with ${answered}`,
  });
}

function judge(...observations: readonly Observation[]) {
  return judgementOf('c', judgeAccess(recorded(...observations), SECOND_TENANT));
}

describe('judgeAccess', () => {
  it.each<[string, readonly Observation[]]>([
    ['pass', KEPT],
    ['pass', [...KEPT, ...pair('the log', 403, 404)]],
    ['pass', [...KEPT, ...pair('the log', 200, 200)]],
    ['pass', [...KEPT, ...pair('the log', 500, 200)]],
    ['fail checks-bypassed', [...KEPT, ...pair('the log', 404, 200)]],
    ['fail checks-bypassed', pair('the snapshot', 403, 200)],
    ['inconclusive', pair('the snapshot', 200, 200)],
    ['inconclusive', [...pair('the snapshot', 200, 200), ...pair('its determinism report', 404, 200)]],
    ['fail checks-bypassed', [...pair('the snapshot', 200, 200), ...pair('the log', 403, 200)]],
    ['inconclusive', pair('the snapshot', null, 404)],
    ['inconclusive', pair('the snapshot', 429, 404)],
    ['inconclusive', [...KEPT, ...pair('the log', 404, 500)]],
    ['inconclusive', [...KEPT, ...pair('the log', 404, null)]],
    ['inconclusive', pair('the log', 404, 404)],
    ['inconclusive', KEPT.slice(0, 1)],
    ['inconclusive', []],
  ])('%s', (expected, observations) => expect(short(judge(...RUNS, ...observations))).toBe(expected));

  it('is undecided where what is answered for the fork holds nothing', () => {
    const empty = pair('the snapshot', 404, 200).map((each, index) =>
      index === 1 ? { ...each, isEmpty: true } : each,
    );
    expect(judge(...RUNS, ...empty)).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringContaining('the snapshot of the fork was answered with 200 that holds nothing') as string,
    });
    expect(short(judge(...RUNS, ...empty, ...pair('the log', 404, 200)))).toBe('fail checks-bypassed');
  });

  it('fails where a page of the replay shows an event of it, though that of its source is open as well', () => {
    const page = (showsEvent: boolean) =>
      pair('its page', 200, 200).map((each) => (showsEvent ? { ...each, showsEvent: true } : each));
    expect(short(judge(...RUNS, ...KEPT, ...page(false)))).toBe('pass');
    const open = judge(...RUNS, ...KEPT, ...page(true));
    expect(short(open)).toBe('fail checks-bypassed');
    expect(open).toMatchObject({ expected: expect.stringContaining('(404)') as string, actual: 'its page: 200' });
    expect(short(judge(...RUNS, ...pair('the snapshot', 200, 200), ...page(true)))).toBe('inconclusive');
  });

  it('names the run that waits where somebody else may answer its question', () => {
    expect(short(judge(...RUNS, ...KEPT, ...answering(404)))).toBe('pass');
    expect(short(judge(...RUNS, ...KEPT, ...answering(409)))).toBe('pass');
    expect(judge(...RUNS, ...KEPT, ...answering(200)).actual).toBe('an answer (run_y): 200');
  });

  it('names what is open, and notes other refusals', () => {
    expect(judge(...RUNS, ...KEPT, ...pair('the log', 404, 200)).actual).toBe('the log: 200');
    expect(judge(...RUNS, ...KEPT, ...pair('the log', 403, 404)).reason).toContain('the log: 404, of the source 403');
  });

  it.each<[string, string, readonly Observation[]]>([
    [
      'inconclusive',
      'is refused everything',
      [refusedRun(401), requested('unknown', 'run_x', 401), ...pair('the snapshot', 401, 401)],
    ],
    [
      'inconclusive',
      'may nothing',
      [refusedRun(403), requested('unknown', 'run_x', 403), ...pair('the snapshot', 403, 403)],
    ],
    ['inconclusive', 'was not tried', KEPT],
    ['inconclusive', 'may make no run', [refusedRun(403), requested('unknown', 'run_x', 404), ...KEPT]],
    [
      'pass',
      'has a run that did not end',
      [run("second tenant's run", { runId: 'run_o', problem: 'no end' }), ...KEPT],
    ],
    [
      'inconclusive',
      'cannot read what it made',
      [run("second tenant's run", { runId: 'run_o', problem: '404', snapshot: null, events: [] }), ...KEPT],
    ],
    ['fail checks-bypassed', 'is let in all the same', [refusedRun(401), ...pair('the snapshot', 401, 200)]],
  ])('%s where the second credential %s', (expected, _, observations) => {
    expect(short(judge(...MADE, ...observations))).toBe(expected);
  });

  it('needs a fork that its owner sees', () => {
    const refused = judge(run('source'), refusedFork('fork', 501), ...KEPT);
    expect(refused).toMatchObject({ verdict: 'inconclusive', restsOn: 'fork.created' });
    expect(judge(run('source'), refusedFork('fork', 429), ...KEPT).verdict).toBe('inconclusive');
    expect(judge(...KEPT).verdict).toBe('inconclusive');
  });
});

function judgedBlind(...observations: readonly Observation[]): string {
  return short(judgementOf('c', judgeAccess(recorded(...MADE, ...observations), BLIND)));
}

describe('a credential that may not read', () => {
  const own = run('run that is not read', { runId: 'run_o', events: [] });
  it.each<[string, readonly Observation[]]>([
    ['pass', pair('the snapshot', 403, 403)],
    ['pass', [own, ...KEPT]],
    ['fail checks-bypassed', [...pair('the snapshot', 403, 403), ...pair('the event stream', 403, 200)]],
    ['inconclusive', pair('the snapshot', 401, 401)],
    ['inconclusive', KEPT],
    ['inconclusive', [own, ...pair('the snapshot', 200, 200)]],
    ['inconclusive', []],
  ])('%s', (expected, observations) => expect(judgedBlind(...observations)).toBe(expected));
});

const snapshotOfRole = (role: string, status: number): Observation =>
  ({ type: 'access', of: role, name: 'the snapshot', status, exchanges: ['x1'] }) as Observation;

describe('what else a credential that may not read is let see', () => {
  const made = [...MADE, fork('further fork', 'run_c'), fork('branch', 'run_d', { mode: 'branch' })];
  const said = (...seen: readonly Observation[]): string =>
    short(judgementOf('c', judgeBlind(recorded(...made, ...pair('the snapshot', 403, 403), ...seen))));

  it('is no other fork and no child', () => {
    expect(said()).toBe('pass');
    for (const role of ['further fork', 'branch', 'child of the fork']) {
      expect(said(snapshotOfRole(role, 403))).toBe('pass');
      expect(said(snapshotOfRole(role, 200))).toBe('fail checks-bypassed');
    }
  });
});

const holds = (text: string, eventId: string): boolean => {
  const events = [{ eventId, type: 'run.started', sequence: 0, payload: {} }];
  return holdingEventOf([run('source', { events })])(text, 'run_a');
};

describe('a page that another tenant is given', () => {
  it('shows the run where an event of it stands there, not where only what was asked for does', () => {
    expect(holds('<p>event-of-a</p>', 'event-of-a')).toBe(true);
    expect(holds('<p>Sign in to see run_a</p>', 'event-of-a')).toBe(false);
    expect(holds('<p>1 of 12</p>', '12')).toBe(false);
    expect(holdingEventOf([])('event-of-a', 'run_a')).toBe(false);
  });
});

const listed = (...children: readonly string[]): Observation =>
  ({ type: 'timeline-list', runId: 'run_a', problem: null, children, exchanges: ['x1'] }) as Observation;

const saidOfList = (...seen: readonly Observation[]): string =>
  short(judgementOf('c', judgeListed(recorded(...RUNS, ...KEPT, ...seen))));

describe('a list of runs', () => {
  it('shows no replay to another tenant that is refused it', () => {
    expect(saidOfList()).toBe('pass');
    expect(saidOfList(listed())).toBe('pass');
    expect(saidOfList(listed('run_x'))).toBe('pass');
    expect(saidOfList(listed('run_x', 'run_b'))).toBe('fail checks-bypassed');
  });
});

describe('a replay from a later event', () => {
  it('is judged with the replay', () => {
    const later = fork('later fork', 'run_l', { fromSeq: 1 });
    expect(saidOfList(later, snapshotOfRole('later fork', 404))).toBe('pass');
    expect(saidOfList(later, snapshotOfRole('later fork', 200))).toBe('fail checks-bypassed');
    expect(saidOfList(refusedFork('later fork', 501))).toBe('pass');
  });
});

describe('a replay of a replay', () => {
  const further = fork('further fork', 'run_c');

  /** What the second tenant is answered about the source, its fork and a fork of that. */
  function judged(of: number, ofFurther: number, made: Observation = further) {
    const last = { type: 'access', of: 'further fork', name: 'the snapshot', status: ofFurther, exchanges: ['x1'] };
    const seen = [...RUNS, made, ...pair('the snapshot', 404, of), last as Observation];
    return accessChecks
      .judge(recorded(...seen), OPTIONS)
      .find(({ check }) => check === 'privacy.same-access-checks.replay-of-replay');
  }

  it('is judged as the replay is, and rests on it where that is open as well', () => {
    expect(judged(404, 404)).toMatchObject({ verdict: 'pass' });
    expect(judged(404, 200)).toMatchObject({ verdict: 'fail' });
    expect(judged(404, 200)).not.toHaveProperty('restsOn');
    expect(judged(200, 200)).toMatchObject({ verdict: 'fail', restsOn: 'privacy.same-access-checks' });
  });

  it('is undecided where none was made', () => {
    expect(judged(404, 404, refusedFork('further fork', 501))).toMatchObject({ verdict: 'inconclusive' });
  });
});

/** What is said where the second tenant's request to fork the first one's fork is answered with this. */
function judgedStranger(status: number) {
  const unknown = ['run_x', 'run_y'].map((name) => requested('unknown', name, 404));
  return accessChecks
    .judge(recorded(...RUNS, requested('invisible', 'run_b', status), ...unknown), OPTIONS)
    .find(({ check }) => check === 'privacy.same-access-checks.indistinguishable');
}

describe('a fork of another tenant that is told from a run that there is not', () => {
  it('rests on the row about runs as such', () => {
    expect(judgedStranger(404)).toMatchObject({ verdict: 'pass' });
    for (const status of [201, 403])
      expect(judgedStranger(status)).toMatchObject({ verdict: 'fail', restsOn: 'fork.invisible-run' });
  });
});
