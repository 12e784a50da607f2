import { describe, expect, it } from 'vitest';
import {
  answered,
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
  UNANSWERED,
} from '../../test/fork-observations.ts';
import { pass } from '../../src/contract/outcome.ts';
import type { Json, Observation } from '../../src/evidence/types.ts';
import { leftWithoutControl } from '../shared/control.ts';
import type { ReadingObservation } from '../shared/reading.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { foundations } from './foundations.ts';
import { judgeEverySource, judgeUntouched } from './judge-untouched.ts';
import { SOURCE_AGAIN, SOURCE_TWICE, UNFORKED_ROW } from '../shared/past-the-end.ts';

const { row: SOURCE_READ } = SOURCE_TWICE;

function judge(
  after: Partial<RunObservation>,
  before: Partial<RunObservation> = {},
  control = fork('replay', 'run_b'),
) {
  return judgeAll(run('source', before), control, run(SOURCE_AGAIN, after));
}

/** A run with this metadata in its snapshot, and in a second reading of it. */
function counted(metadata: Json, again?: Json): Partial<RunObservation> {
  const shown = { runId: 'run_a', status: 'completed' };
  return {
    snapshot: { ...shown, metadata },
    ...(again !== undefined && { snapshotAgain: { ...shown, metadata: again } }),
  };
}

/** The same with the moment at which it completed. */
function ended(completedAt: string, again?: string): Partial<RunObservation> {
  const shown = { runId: 'run_a', status: 'completed' };
  return {
    snapshot: { ...shown, completedAt },
    ...(again !== undefined && { snapshotAgain: { ...shown, completedAt: again } }),
  };
}

describe('what differs between two readings with no fork in between', () => {
  const before = counted({ note: 'a', reads: 1 });

  it('says nothing, and what differs beside it is a change', () => {
    expect(judge(counted({ note: 'a', reads: 2 }, { note: 'a', reads: 3 }), before)).toMatchObject({ verdict: 'pass' });
    const changed = judge(counted({ note: 'b', reads: 2 }, { note: 'b', reads: 3 }), before);
    expect(changed).toMatchObject({ verdict: 'fail', actual: expect.stringContaining('"note":"b"') });
  });

  it('is a change where the end stood still before', () => {
    const moving = ended('10:02', '10:03');
    expect(judge(moving, ended('10:00', '10:00'))).toMatchObject({
      verdict: 'fail',
      expected: 'snapshot /completedAt: "10:00" as in the source run_a',
    });
    for (const again of ['10:01', undefined]) {
      expect(judge(moving, ended('10:00', again))).toMatchObject({ verdict: 'pass' });
    }
  });

  it('is not known where the second reading is missing', () => {
    expect(judge(counted({ note: 'a', reads: 2 }), before)).toMatchObject({ verdict: 'fail' });
  });
});

function judgeAll(...observations: readonly Observation[]) {
  const all = recorded(...observations);
  return judged(leftWithoutControl(all, 'replay') ?? judgeUntouched(all));
}

/** A document of the source's log. */
function document(
  how: 'start' | 'again',
  log: readonly Json[],
  more: Partial<ReadingObservation> = {},
): ReadingObservation {
  const events = log.map((data) => ({ id: null, name: null, data }));
  const reading = { run: 'source', runId: 'run_a', transport: 'json', how, after: null, partial: false } as const;
  return { type: 'reading', ...reading, events, exchanges: [], ...more };
}

function judgeDocuments(before: ReadingObservation, ...after: readonly ReadingObservation[]) {
  return judged(judgeUntouched(recorded(run('source'), before, fork('replay', 'run_b'), run(SOURCE_AGAIN), ...after)));
}

const UNSEEN = run(SOURCE_AGAIN, { problem: 'the run has not ended', events: [], snapshot: null });

function snapshot(more: object) {
  return { snapshot: { runId: 'run_a', status: 'completed', variables: {}, ...more } };
}

function saying(status: string) {
  return snapshot({ status });
}

describe('an untouched run', () => {
  it('passes where log and snapshot are what they were', () => {
    expect(judge({})).toMatchObject({ verdict: 'pass', evidence: ['o3', 'o1'] });
  });

  it('does not mind members that no document names', () => {
    const judgement = judge(snapshot({ readAt: 2 }), snapshot({ readAt: 1 }));
    expect(judgement).toMatchObject({ verdict: 'pass' });
    expect(judgement.reason).toContain('readAt');
    const events = LOG.map((each) => ({ ...(each as object), shard: 7 }));
    expect(short(judge({ events }))).toBe('pass');
  });

  it('takes a member that is null for an absent one', () => {
    const events = LOG.map((each) => ({ causationId: null, ...(each as object) }));
    expect(short(judge({ events }))).toBe('pass');
  });

  it('fails an event more, and says which', () => {
    const judgement = judge({ events: [...LOG, event(3, 'run.annotated')] });
    expect(judgement).toMatchObject({ verdict: 'fail', expected: '3 events in the source run_a, as before' });
    expect(judgement.actual).toContain('run.annotated');
  });

  it('fails a payload that changed, with place and both values', () => {
    const events = [event(0, 'run.started', { payload: { forks: 1 } }), ...LOG.slice(1)];
    expect(judge({ events })).toMatchObject({
      verdict: 'fail',
      expected: 'sequence 0 (run.started) /payload: {} as in the source run_a',
      actual: '{"forks":1} in the source again run_a',
    });
  });

  it.each([{ metadata: { forks: 1 } }, { tags: ['x'] }, { status: 'running' }, { variables: { a: 1 } }])(
    'fails a snapshot with %j',
    (members) => {
      expect(short(judge(snapshot(members), snapshot({})))).toBe('fail source-changed');
    },
  );

  it('passes where an end comes to be known, and where a moment is spelt otherwise', () => {
    const later = { completedAt: '2026-01-01T00:00:01.500Z', nodeStates: { a: { status: 'completed' } } };
    expect(short(judge(snapshot(later), snapshot({ completedAt: null })))).toBe('pass');
    const spelt = { ...later, completedAt: '2026-01-01T01:00:01.5+01:00' };
    expect(short(judge(snapshot(later), snapshot(spelt)))).toBe('pass');
    const coarse = { ...later, completedAt: '2026-01-01T00:00:01Z' };
    expect(short(judge(snapshot(coarse), snapshot(later)))).toBe('pass');
    const moved = { ...later, completedAt: '2026-01-01T00:00:02Z' };
    expect(short(judge(snapshot(moved), snapshot(later)))).toBe('fail source-changed');
  });

  it('passes where a snapshot comes to show that there is nothing, or of what its run is a fork', () => {
    expect(short(judge(snapshot({ tags: [], metadata: {}, channels: null }), snapshot({})))).toBe('pass');
    const made = { fork: { sourceRunId: 'run_0', mode: 'replay', fromSeq: 0, advertised: true } };
    const shows = snapshot({ parentRunId: 'run_0', forkMode: 'replay' });
    const replayAgain = (before: object): string =>
      short(judge({ ...made, ...shows }, { ...made, ...snapshot(before) }));
    expect(replayAgain({})).toBe('pass');
    expect(replayAgain({ parentRunId: null })).toBe('pass');
    expect(replayAgain({ parentRunId: 'run_1' })).toBe('fail source-changed');
    expect(short(judge(snapshot({ parentRunId: 'run_0' }), snapshot({})))).toBe('fail source-changed');
  });

  it('is undecided where a snapshot was not read, or had not caught up', () => {
    expect(judge({ snapshot: null })).toMatchObject({ verdict: 'inconclusive', restsOn: 'run.created' });
    expect(short(judge({}, { snapshot: null }))).toBe('inconclusive');
    expect(judge({}, snapshot({ status: 'running' }))).toMatchObject({
      verdict: 'inconclusive',
      restsOn: 'run.snapshot-agrees',
    });
    expect(short(judge({ problem: 'not read' }))).toBe('inconclusive');
    expect(judge(snapshot({ status: null }), snapshot({ status: null }))).toMatchObject({
      verdict: 'inconclusive',
      restsOn: 'schema.run-snapshot',
    });
  });

  it("compares a status that is a host's own word, but for one of a run that goes on", () => {
    expect(short(judge(saying('succeeded'), saying('succeeded')))).toBe('pass');
    expect(short(judge(saying('archived'), saying('succeeded')))).toBe('fail source-changed');
    expect(short(judge(saying('succeeded'), saying('processing')))).toBe('inconclusive');
  });

  const longer = [...LOG, event(3, 'log.appended')];

  it('fails an event behind the end, where a run is left that is followed', () => {
    expect(judgeDocuments(document('start', LOG), document('again', longer))).toMatchObject({
      verdict: 'fail',
      expected: '3 events in the json reading of the source run_a, as before its forks',
      actual: '4 events after them, the last 1 behind its end: log.appended',
      evidence: ['o5', 'o2'],
    });
  });

  it('leaves what comes behind the end of a run that is not forked, too, to the row about ends', () => {
    const unforked = document('again', longer, { run: 'run that is not forked', runId: 'run_c' });
    const [start, again] = [document('start', LOG), document('again', longer)];
    expect(judgeDocuments(start, again, unforked)).toMatchObject({
      verdict: 'fail',
      restsOn: 'sequence.single-terminal-event',
    });
    expect(judgeDocuments(start, again, { ...unforked, events: start.events })).not.toHaveProperty('restsOn');
    const untouched = foundations.find(({ check }) => check === 'fork.source-untouched');
    const [other] = recorded(run('other', { events: longer }));
    expect(other && untouched?.without?.(other, recorded(start, again, unforked), [])).toBeUndefined();
  });

  it('leaves what stood there before to the row about ends, and compares no other documents', () => {
    expect(short(judgeDocuments(document('start', LOG), document('again', LOG)))).toBe('pass');
    expect(short(judgeDocuments(document('start', longer), document('again', longer)))).toBe('pass');
    expect(short(judgeDocuments(document('start', LOG.slice(0, 2)), document('again', longer)))).toBe('pass');
    const polled = document('again', longer, { transport: 'poll' });
    expect(short(judgeDocuments(document('start', LOG), polled))).toBe('pass');
    const partial = document('start', LOG, { partial: true });
    expect(short(judgeDocuments(partial, document('again', longer)))).toBe('pass');
    const other = document('again', longer, { run: 'same key, other run' });
    expect(short(judgeDocuments(document('start', LOG), other))).toBe('pass');
  });

  it('is set aside in other logs: what forks add behind an end, and nothing else', () => {
    const untouched = foundations.find(({ check }) => check === 'fork.source-untouched');
    const shown = recorded(document('start', LOG), document('again', longer));
    const left = (log: readonly Json[], by = shown) =>
      recorded(run('other', { events: log }), document('start', log)).map(
        (each) => (untouched?.without?.(each, by, []) as { events: readonly unknown[] } | undefined)?.events.length,
      );
    expect(left(longer)).toEqual([3, 3]);
    expect(left([...LOG, event(3, 'run.annotated')])).toEqual([undefined, undefined]);
    expect(left([event(0, 'log.appended'), ...LOG])).toEqual([undefined, undefined]);
    expect(left([event(0, 'log.appended')])).toEqual([undefined, undefined]);
    expect(left(longer, recorded(run('source'), run(SOURCE_AGAIN)))).toEqual([undefined, undefined]);
    expect(untouched?.without?.({ id: 'o1', type: 'asked', exchanges: [] }, shown, [])).toBeUndefined();
  });

  const cut = document('again', LOG.slice(0, 2));

  it('is set aside in other logs: an end that was seen before, and no other', () => {
    const untouched = foundations.find(({ check }) => check === 'fork.source-untouched');
    const shown = recorded(document('start', LOG), cut);
    const left = (each: Observation, ...beside: readonly Observation[]) => {
      const [first] = recorded(each);
      const found = first && untouched?.without?.(first, shown, recorded(...beside));
      return (found as { events: readonly unknown[] } | undefined)?.events.length;
    };
    const endless = run('source again', { events: LOG.slice(0, 2) });
    expect(left(endless, run('source'))).toBe(LOG.length);
    expect(left(cut, run('source'))).toBe(LOG.length);
    expect(left(endless)).toBe(LOG.length);
    const goingOn = { ...endless, snapshot: { status: 'running' } };
    expect(left(goingOn, goingOn)).toBeUndefined();
    expect(left(goingOn, run('source', { runId: 'run_other' }))).toBeUndefined();
    expect(left(run('source'), run('source'))).toBeUndefined();
    expect(left(run('source again', { events: [] }), run('source'))).toBeUndefined();
  });

  const judgeLost = (...after: readonly Observation[]) =>
    judged(judgeUntouched(recorded(run('source'), document('start', LOG), fork('replay', 'run_b'), ...after)));

  it('fails a list without the end that it had', () => {
    expect(judgeLost(UNSEEN, cut)).toMatchObject({
      verdict: 'fail',
      expected: 'run.completed in the json reading of the source run_a, as before its forks',
      actual: '2 events after them, the last of them node.started',
      evidence: ['o5', 'o2', 'o4'],
    });
    expect(judgeLost(UNSEEN, document('again', [])).actual).toBe('0 events after them, the last of them none');
    // Its stream may keep the end.
    expect(short(judgeLost(run(SOURCE_AGAIN), cut))).toBe('fail source-changed');
  });

  it('is undecided about an end that was not read in the same way before, or is still read', () => {
    expect(short(judgeLost(UNSEEN))).toBe('inconclusive');
    expect(short(judgeLost(UNSEEN, document('again', LOG)))).toBe('inconclusive');
    expect(short(judgeLost(UNSEEN, document('again', LOG.slice(0, 2), { transport: 'poll' })))).toBe('inconclusive');
    expect(short(judgeLost(UNSEEN, document('again', LOG.slice(0, 2), { partial: true })))).toBe('inconclusive');
    expect(short(judgeDocuments(document('start', LOG.slice(0, 2)), cut))).toBe('pass');
  });

  it.each([404, 410])('fails a run that is not there any more, by %i', (status) => {
    const names = ['snapshot', 'json', 'poll'];
    const found = judgeLost(UNSEEN, ...names.map((name) => requested(SOURCE_READ, name, status)));
    expect(found).toMatchObject({
      verdict: 'fail',
      expected: '200, as before its forks, for the snapshot and the json of the source run_a',
      evidence: ['o5', 'o6', 'o1'],
    });
    expect(found.actual).toContain(`${status} `);
    expect(short(judgeLost(UNSEEN, requested(SOURCE_READ, 'json', status)))).toBe('fail source-changed');
    // It may be followed as a stream all the same.
    expect(short(judgeLost(run(SOURCE_AGAIN), requested(SOURCE_READ, 'json', status)))).toBe('fail source-changed');
    const shown = run(SOURCE_AGAIN, { snapshot: null });
    expect(short(judgeLost(shown, requested(SOURCE_READ, 'snapshot', status)))).toBe('fail source-changed');
  });

  it('fails a run over whose reading the host stumbles where it reads one that is not forked', () => {
    const shown = run(SOURCE_AGAIN, { snapshot: null });
    const stumbled = (status: number, control: number) =>
      judgeLost(shown, requested(SOURCE_READ, 'snapshot', status), requested(UNFORKED_ROW, 'snapshot', control));
    expect(stumbled(500, 200)).toMatchObject({ verdict: 'fail', evidence: ['o5', 'o6', 'o1'] });
    expect(short(stumbled(500, 500))).toBe('inconclusive');
    expect(short(stumbled(503, 200))).toBe('inconclusive');
    expect(short(stumbled(200, 200))).toBe('inconclusive');
    const other = requested(UNFORKED_ROW, 'json', 200);
    expect(short(judgeLost(shown, requested(SOURCE_READ, 'snapshot', 500), other))).toBe('inconclusive');
  });

  it('is undecided about a run that is not answered, or in ways alone in which it was not read before', () => {
    for (const status of [429, 500, 503])
      expect(short(judgeLost(UNSEEN, requested(SOURCE_READ, 'json', status)))).toBe('inconclusive');
    expect(short(judgeLost(UNSEEN, answered(SOURCE_READ, 'json', UNANSWERED)))).toBe('inconclusive');
    expect(short(judgeLost(UNSEEN, requested(SOURCE_READ, 'poll', 404)))).toBe('inconclusive');
    const listed = document('again', LOG);
    expect(short(judgeLost(run(SOURCE_AGAIN), listed, requested(SOURCE_READ, 'json', 404)))).toBe('pass');
    expect(short(judgeLost(run(SOURCE_AGAIN), requested(SOURCE_READ, 'poll', 404)))).toBe('pass');
    const gone = [UNSEEN, requested(SOURCE_READ, 'snapshot', 404)];
    expect(short(judgeAll(run('source', { snapshot: null }), fork('replay', 'run_b'), ...gone))).toBe('inconclusive');
  });

  it('proves nothing without a fork', () => {
    expect(short(judge({}, {}, refusedFork('replay', 503)))).toBe('inconclusive');
    expect(short(judge({}, {}, refusedFork('replay', 501)))).toBe('fail fork-refused');
    expect(short(judgeAll(run('source'), fork('replay', 'b', { events: as('b') })))).toBe('inconclusive');
  });
});

/** What is said of sources that another scenario read again, beside a row that passes. */
function judgedIn(scenario: string, ...observations: readonly Observation[]) {
  const everything = recorded(...observations).map((each) => ({ ...each, scenario }));
  return judged(judgeEverySource(pass(['o1']), everything));
}

const again = (events: readonly Json[]) => run('source again', { events: as('run_a', events) });

describe('a source that another scenario read again', () => {
  const WAITING = 'fork.branch-is-independent.waiting';
  const waiting = run('source', { events: as('run_a', LOG.slice(0, 2)) });
  const branch = fork('branch', 'run_b', { mode: 'branch' });

  it('may have gone on where it waited', () => {
    expect(judgedIn(WAITING, waiting, branch, again(LOG)).verdict).toBe('pass');
    expect(judgedIn(WAITING, waiting, branch, again(LOG.slice(0, 2))).verdict).toBe('pass');
  });

  it('has been touched where it lost something, or has something else in its place', () => {
    const lost = judgedIn(WAITING, waiting, branch, again(LOG.slice(0, 1)));
    expect(lost).toMatchObject({ verdict: 'fail', evidence: ['o3', 'o1'] });
    const foreign = event(1, 'node.started', { eventId: 'of another', nodeId: 'first' });
    expect(judgedIn(WAITING, waiting, branch, again([...LOG.slice(0, 1), foreign, ...LOG.slice(1)])).verdict).toBe(
      'fail',
    );
  });

  it('says nothing where two runs have its id', () => {
    const shared = { type: 'run-id-again', runId: 'run_a', scenarios: [WAITING], exchanges: ['x1', 'x2'] } as const;
    expect(judgedIn(WAITING, waiting, branch, again(LOG.slice(0, 1)), shared).verdict).toBe('pass');
  });

  it('has been touched where it had ended and goes on', () => {
    const goesOn = again([...LOG, event(3, 'node.started')]);
    expect(judgedIn('sequence.generations', run('source'), branch, goesOn).verdict).toBe('fail');
  });

  it('has been touched where it failed, and its snapshot says otherwise why', () => {
    const log = [...LOG.slice(0, 2), event(2, 'run.failed')];
    const failed = (message: string, role = 'source') =>
      run(role, { events: log, snapshot: { status: 'failed', error: { code: 'e', message } } });
    const seen = (message: string) => judgedIn('replay.same-failure', failed('No.'), branch, failed(message, 'again'));
    expect(seen('No.').verdict).toBe('pass');
    expect(seen('No. (forked)')).toMatchObject({ verdict: 'fail', evidence: ['o3', 'o1'] });
  });

  it('is left to the row about it, and where it was not forked, or not seen', () => {
    const lost = again(LOG.slice(0, 1));
    expect(judgedIn('fork.refusals', run('source'), branch, lost).verdict).toBe('pass');
    expect(judgedIn('refusal.valid-to-refusal', run('source'), branch, lost).verdict).toBe('pass');
    expect(judgedIn(WAITING, waiting, lost).verdict).toBe('pass');
    const open = run('source again', { events: [], problem: 'the run has not ended' });
    expect(judgedIn(WAITING, waiting, branch, open).verdict).toBe('pass');
  });
});

const reading = (events: readonly Json[], more: Partial<ReadingObservation> = {}): ReadingObservation => ({
  type: 'reading',
  run: 'source of failure',
  runId: 'run_a',
  transport: 'json',
  how: 'start',
  after: null,
  partial: false,
  events: events.map((data) => ({ id: null, name: null, data })),
  exchanges: ['x9'],
  ...more,
});

describe('a swept source that was read again', () => {
  const failing = [LOG[0] ?? null, event(1, 'node.failed', { nodeId: 'first' }), event(2, 'run.failed')];
  const source = run('source of failure', { events: failing });
  const replay = fork('replay of failure from 1', 'run_b');
  const swept = (...read: readonly Observation[]) => judgedIn('sequence.sweep', source, replay, ...read);

  it('is what it was, also where a reading is cut, leaves types out, or has no numbers', () => {
    expect(swept(reading(failing)).verdict).toBe('pass');
    expect(swept(reading([...failing, { type: 'a notice of the host', sequence: 9 }])).verdict).toBe('pass');
    expect(swept(reading(failing.slice(0, 1), { cut: true })).verdict).toBe('pass');
    expect(swept(reading(failing.slice(0, 1), { partial: true })).verdict).toBe('pass');
    expect(swept(reading([{ type: 'run.started' }])).verdict).toBe('pass');
    expect(judgedIn('sequence.readings', source, replay, reading(failing.slice(0, 1))).verdict).toBe('pass');
  });

  it('has been touched where an event is gone or another one, unless each way of reading shows something else', () => {
    const gone = swept(reading([...failing.slice(0, 1), ...failing.slice(2)]));
    expect(gone).toMatchObject({ verdict: 'fail', evidence: ['o3', 'o1'], restsOn: 'sequence.transports-agree' });
    expect(gone.actual).toBe('no such event in its log afterwards');
    const mended = swept(reading(failing.with(1, event(1, 'node.completed', { nodeId: 'first' }))));
    expect(mended.actual).toBe('node.completed in its log afterwards');
  });
});

const childBefore = (events: readonly Json[]) => reading(events, { run: 'child of a handoff', how: 'again' });
const childAfter = (events: readonly Json[], more: Partial<ReadingObservation> = {}) =>
  reading(events, { run: 'child of a handoff, after replays of that', how: 'again', ...more });
const judgedChildren = (...read: readonly Observation[]) => judgedIn('replay.no-second-child', ...read);

describe('a child that was read again after replays of its parent', () => {
  const log = [...LOG.slice(0, 2), event(2, 'run.completed')];
  const late = [...log, event(3, 'log.appended')];
  it('is what it was, or not known', () => {
    expect(judgedChildren(childBefore(log), childAfter(log)).verdict).toBe('pass');
    expect(judgedChildren(childBefore(late), childAfter(late)).verdict).toBe('pass');
    expect(judgedChildren(childBefore(log.slice(0, 2)), childAfter(log)).verdict).toBe('pass');
    expect(judgedChildren(childBefore(log), childAfter(late, { transport: 'poll' })).verdict).toBe('pass');
    expect(judgedChildren(childBefore(log), childAfter(late, { cut: true })).verdict).toBe('pass');
    expect(judgedChildren(childBefore(log), childAfter(late, { runId: 'run_c' })).verdict).toBe('pass');
    const anew = log.map((each, index) => ({ ...Object(each), eventId: `anew-${index}` }) as Json);
    expect(judgedChildren(childBefore(log), childAfter(anew)).verdict).toBe('pass');
  });

  it('has been touched where its log is another one, unless all logs go on behind their ends', () => {
    const touched = judgedChildren(childBefore(log), childAfter(late));
    expect(touched).toMatchObject({
      verdict: 'fail',
      evidence: ['o2', 'o1'],
      restsOn: 'sequence.single-terminal-event',
    });
    expect(touched.actual).toContain('4 events in the child of a handoff, after replays of that run_a');
  });
});
