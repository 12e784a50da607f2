import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/evidence/types.ts';
import { as, event, fork, judged, LOG, recorded, requested, run, short } from '../../test/fork-observations.ts';
import type { RequestedObservation } from '../shared/requested.ts';
import { ANOTHER, ONE } from './diff-of-states.ts';
import { judgeFirstDivergence, judgeShape } from './judge-diff.ts';

const SAME = { divergedAtSeq: null, eventDiffs: [], stateDiff: {} };
const DIFFERENT = { ...SAME, divergedAtSeq: 1, eventDiffs: [{ seq: 1, op: 'changed' }] };

function diff(name: string, b: string, body: object, status = 200): RequestedObservation {
  return requested('diff of source', name, status, { a: 'run_a', b, ...body });
}

const self = diff('source', 'run_a', SAME);

function refused(...statuses: readonly number[]): readonly RequestedObservation[] {
  return statuses.map((status) => requested('no-diff', 'no run', status));
}

function judge(own: RequestedObservation, ...others: readonly RequestedObservation[]): string {
  return short(judged(judgeShape(recorded(run('source'), own, ...others))));
}

describe('diff.shape', () => {
  it('passes where a run does not differ from itself, and no run cannot be compared with', () => {
    expect(judge(self, ...refused(400, 404))).toBe('pass');
    const empty = { divergedAtSeq: null, eventDiffs: [], stateDiff: { variables: {}, channels: [] } };
    expect(judge(diff('source', 'run_a', empty), ...refused(422, 404))).toBe('pass');
    expect(judge(diff('source', 'run_a', { ...empty, stateDiff: null }), ...refused(400, 404))).toBe('pass');
  });

  it.each<Json>([
    { variables: { added: {}, removed: {}, changed: {} }, channels: { added: [], removed: [] }, status: null },
    { status: { changed: false }, changes: [], count: 0, text: '' },
    { equal: true, variables: [[], {}] },
  ])('passes where states do not differ, in another form: %j', (stateDiff) => {
    expect(judge(diff('source', 'run_a', { ...SAME, stateDiff }), ...refused(400, 404))).toBe('pass');
  });

  it.each<Json>([{ status: { changed: true } }, { variables: { changed: { a: 1 } } }, [[{ path: '/a' }]], true, 1])(
    'fails where states do, in another form: %j',
    (stateDiff) => {
      expect(judge(diff('source', 'run_a', { ...SAME, stateDiff }))).toBe('fail diff-of-itself');
    },
  );

  it('fails where a run differs from itself at its first event', () => {
    expect(judge(diff('source', 'run_a', { ...SAME, divergedAtSeq: 0 }))).toBe('fail diff-of-itself');
  });

  it('fails where a run differs from itself, the answer has another form, or nothing is compared with', () => {
    expect(judge(diff('source', 'run_a', DIFFERENT))).toBe('fail diff-of-itself');
    expect(judge(diff('source', 'run_a', { ...SAME, stateDiff: { status: { a: 'x', b: 'y' } } }))).toBe(
      'fail diff-of-itself',
    );
    expect(judge(diff('source', 'run_x', SAME))).toBe('fail other-diff');
    expect(judge(diff('source', 'run_a', {}))).toBe('fail other-diff');
    expect(judge(diff('source', 'run_a', { ...SAME, eventDiffs: 0 }))).toBe('fail other-diff');
    expect(judge(self, requested('no-diff', 'no run', 200, SAME))).toBe('fail carried-out');
    expect(judge(self, ...refused(500))).toBe('fail server-error');
  });

  it('fails where an answer about two runs is no JSON, and the other row rests on it', () => {
    const body = { json: false, why: 'not JSON' } as const;
    const answer = { kind: 'answer', status: 200, body } as const;
    const textual = { ...diff('full replay', 'run_b', SAME), answer };
    const all = recorded(run('source'), fork('full replay', 'run_b'), self, textual, ...refused(400, 404));
    expect(judged(judgeShape(all))).toMatchObject({ verdict: 'fail', actual: '200, not JSON' });
    expect(judged(judgeFirstDivergence(all, []))).toMatchObject({ verdict: 'fail', restsOn: 'diff.shape' });
  });

  it('asks nothing of a host that compares no runs, and is undecided where nobody looked', () => {
    expect(judge(diff('source', 'run_a', {}, 404))).toBe('not-applicable');
    expect(judge(diff('source', 'run_a', {}, 403))).toBe('inconclusive');
    expect(judge(diff('source', 'run_a', {}, 503))).toBe('inconclusive');
    expect(judge(self, ...refused(429))).toBe('inconclusive');
    expect(short(judged(judgeShape(recorded(run('source')))))).toBe('inconclusive');
  });
});

/** The log, whose payloads say how long each thing took. */
function timed(ms: number): readonly Json[] {
  return LOG.map((each) => ({ ...(each as object), payload: { ms } }));
}

/** Judges what is said of two logs that differ in how long things took, where that may be declared volatile. */
function judgeTimed(divergedAtSeq: number | null, volatile: readonly string[]): string {
  const eventDiffs = divergedAtSeq === null ? [] : [{ seq: divergedAtSeq, op: 'changed' }];
  const replay = fork('full replay', 'run_b', { events: as('run_b', timed(2)) });
  const answer = diff('full replay', 'run_b', { ...SAME, divergedAtSeq, eventDiffs });
  const seen = recorded(run('source', { events: timed(1) }), replay, self, answer);
  return short(judged(judgeFirstDivergence(seen, volatile)));
}

/** Judges a difference in no form, beside that of a run from itself. */
function judgedBeside(own: object) {
  const seen = [fork('full replay', 'run_b'), diff('source', 'run_a', own), diff('full replay', 'run_b', {})];
  return judged(judgeFirstDivergence(recorded(run('source'), ...seen), []));
}

function backwards(body: object, status = 200): RequestedObservation {
  return requested('diff of run of another workflow', 'source', status, { a: 'run_o', b: 'run_a', ...body });
}

/** The log of a run that was given this value. */
function given(runId: string, payload: string): readonly Json[] {
  return as(runId, [
    event(0, 'run.started', { payload: { inputs: { payload } } }),
    event(1, 'node.started', { nodeId: payload }),
    event(2, 'run.completed'),
  ]);
}

describe('diff.first-divergence', () => {
  const other = run('run of another workflow', {
    runId: 'run_o',
    workflowId: 'another',
    events: as('run_o', [
      event(0, 'run.started'),
      event(1, 'node.started', { nodeId: 'other' }),
      event(2, 'run.failed'),
    ]),
  });
  it('fails where two runs part, and the other way round they do not', () => {
    const judgeBoth = (reversed: RequestedObservation) => {
      const seen = [run('source'), other, self, diff('run of another workflow', 'run_o', DIFFERENT), reversed];
      return judged(judgeFirstDivergence(recorded(...seen), []));
    };
    expect(short(judgeBoth(backwards(DIFFERENT)))).toBe('pass');
    expect(judgeBoth(backwards(SAME))).toMatchObject({ verdict: 'fail', diagnosis: { code: 'diff-blind' } });
    expect(judgeBoth(backwards({ ...DIFFERENT, a: 'run_a', b: 'run_o' }))).toMatchObject({
      verdict: 'fail',
      actual: 'a is "run_a", not run_o',
    });
    expect(short(judgeBoth(backwards({}, 404)))).toBe('pass');
    expect(short(judgeBoth(backwards({}, 503)))).toBe('pass');
  });

  const judgeBranch = (body: object, more: object = { workflowId: 'w' }) => {
    const branch = fork('branch', 'run_b', { workflowId: 'v' });
    const said = requested('diff of branch', 'run of another workflow', 200, { a: 'run_b', b: 'run_o', ...body });
    const seen = recorded(run('source'), branch, { ...other, ...more }, self, said);
    return short(judged(judgeFirstDivergence(seen, [])));
  };

  it('fails where a branch is said not to part from a run of another workflow, wherever it is said to', () => {
    expect(judgeBranch(SAME)).toBe('fail diff-blind');
    expect(judgeBranch({ ...DIFFERENT, a: 'run_o', b: 'run_b' })).toBe('fail other-diff');
    expect(judgeBranch({ ...DIFFERENT, eventDiffs: [] })).toBe('fail diff-contradicts-itself');
    expect(
      [0, 2].map((at) => judgeBranch({ ...SAME, divergedAtSeq: at, eventDiffs: [{ seq: at, op: 'changed' }] })),
    ).toEqual(['pass', 'pass']);
    expect(judgeBranch(SAME, { workflowId: 'v' })).toBe('pass');
  });

  const judgePlace = (inReplay: object, inOther: object, events: readonly Json[] = as('run_b')): string =>
    short(
      judged(
        judgeFirstDivergence(
          recorded(
            run('source'),
            fork('full replay', 'run_b', { events }),
            other,
            self,
            diff('full replay', 'run_b', inReplay),
            diff('run of another workflow', 'run_o', inOther),
          ),
          [],
        ),
      ),
    );
  const changed = as('run_b', [
    event(0, 'run.started'),
    event(1, 'node.started', { nodeId: 'x' }),
    event(2, 'run.completed'),
  ]);

  it('passes where a host lists what is declared volatile, or leaves it out', () => {
    const declared = [0, null, 1].map((place) => judgeTimed(place, ['/payload/ms']));
    expect(declared).toEqual(['pass', 'pass', 'fail diff-elsewhere']);
    expect([judgeTimed(0, []), judgeTimed(null, [])]).toEqual(['pass', 'fail diff-blind']);
  });

  it('fails where two runs of one workflow are said to part behind the event that shows what they were given', () => {
    const runs = ['run_1', 'run_2'].map((runId, at) =>
      run(at === 0 ? ONE : ANOTHER, { runId, events: given(runId, `${at}`) }),
    );
    const judgeAt = (seq: number): string => {
      const body = { a: 'run_1', b: 'run_2', ...SAME, divergedAtSeq: seq, eventDiffs: [{ seq, op: 'changed' }] };
      const said = requested(`diff of ${ONE}`, ANOTHER, 200, body);
      return short(judged(judgeFirstDivergence(recorded(run('source'), ...runs, self, said), [])));
    };
    expect([0, 1].map(judgeAt)).toEqual(['pass', 'fail diff-elsewhere']);
  });

  it('passes where the logs part there, or nowhere', () => {
    expect(judgePlace(SAME, DIFFERENT)).toBe('pass');
    expect(judgePlace(DIFFERENT, DIFFERENT, changed)).toBe('pass');
    // Runs of two workflows may be compared by their types alone.
    const later = { ...DIFFERENT, divergedAtSeq: 2, eventDiffs: [{ seq: 2, op: 'changed' }] };
    expect(judgePlace(SAME, later)).toBe('pass');
    const seen = [run('source'), other, self, diff('run of another workflow', 'run_o', later)];
    expect(judged(judgeFirstDivergence(recorded(...seen), [])).reason).toContain(
      'divergedAtSeq 2 beside divergedAtSeq 1',
    );
    expect(judgePlace(SAME, { ...later, eventDiffs: [], truncated: true })).toBe('pass');
  });

  it('fails where the answer contradicts itself', () => {
    const ownIds = changed.map((each, at) => ({ ...(each as object), eventId: `b${at}` }));
    const says = (inReplay: object): string => judgePlace(inReplay, DIFFERENT, ownIds);
    const listing = (...eventDiffs: readonly object[]): string => says({ ...DIFFERENT, eventDiffs });
    const [a, b] = [LOG[1], ownIds[1]] as const;
    const otherwise = 'fail diff-contradicts-itself';
    // The list and the first divergence.
    expect(says({ ...DIFFERENT, eventDiffs: [] })).toBe(otherwise);
    expect(judgePlace({ ...SAME, eventDiffs: DIFFERENT.eventDiffs }, DIFFERENT)).toBe(otherwise);
    expect(judgePlace(SAME, { ...SAME, eventDiffs: DIFFERENT.eventDiffs })).toBe(otherwise);
    expect(listing({ seq: 2, op: 'changed' })).toBe(otherwise);
    expect(listing({ seq: 0, op: 'changed' }, { seq: 1, op: 'changed' })).toBe(otherwise);
    expect(listing({ seq: 2, op: 'added' }, { seq: 1, op: 'changed' })).toBe('pass');
    // A list that is cut off may begin anywhere.
    expect(says({ ...DIFFERENT, eventDiffs: [{ seq: 2, op: 'changed' }], truncated: true })).toBe('pass');
    // An entry and its events.
    expect(listing({ seq: 1, op: 'changed', aEvent: a, bEvent: b })).toBe('pass');
    expect(listing({ seq: 1, op: 'changed', aEvent: a, bEvent: a })).toBe(otherwise);
    const inPart = { sequence: 1, type: 'node.started' };
    expect(listing({ seq: 1, op: 'changed', aEvent: inPart, bEvent: inPart })).toBe('pass');
    expect(listing({ seq: 1, op: 'added', aEvent: a, bEvent: b })).toBe(otherwise);
    const [added, removed] = [
      { seq: 1, op: 'added', aEvent: null, bEvent: b },
      { seq: 1, op: 'removed', aEvent: a },
    ];
    expect(listing(added, removed)).toBe('pass');
    expect(listing({ ...added, op: 'removed' }, { ...removed, op: 'added' })).toBe('pass');
    expect(listing(added, { ...removed, op: 'added' })).toBe(otherwise);
    expect(listing(added, { ...added, op: 'removed' })).toBe(otherwise);
    expect(listing({ seq: 1, op: 'changed', aEvent: b, bEvent: a })).toBe(otherwise);
    expect(listing({ seq: 2, op: 'changed', aEvent: a, bEvent: b })).toBe(otherwise);
    expect(listing(removed, { ...added, seq: 2 })).toBe('pass');
  });

  it('fails where the list does not account for all events of a type that it shows', () => {
    const longer = as('run_b', [
      event(0, 'run.started'),
      event(1, 'node.started', { nodeId: 'first' }),
      event(2, 'node.started'),
      event(3, 'node.started'),
      event(4, 'run.completed'),
    ]).map((each, at) => ({ ...(each as object), eventId: `b${at}` }));
    const added = [2, 3].map((seq) => ({ seq, op: 'added', bEvent: longer[seq] }));
    const listing = (eventDiffs: readonly object[], more: object = {}): string =>
      judgePlace({ ...SAME, divergedAtSeq: 2, eventDiffs, ...more }, DIFFERENT, longer);
    expect(listing(added)).toBe('pass');
    expect(listing(added.slice(0, 1))).toBe('fail diff-contradicts-itself');
    // A list that is cut off, or shows no events, says nothing of what it leaves out.
    expect(listing(added.slice(0, 1), { truncated: true })).toBe('pass');
    expect(listing([{ seq: 2, op: 'added' }])).toBe('pass');
    expect(listing([{ seq: 2, op: 'added', bEvent: { eventId: 'b2' } }])).toBe('pass');
    expect(listing([{ seq: 2, op: 'changed', bEvent: longer[2] }])).toBe('pass');
    // Behind the end of the source nothing of it is changed.
    expect(listing([...added, { seq: 4, op: 'changed', bEvent: longer[4] }])).toBe('fail diff-contradicts-itself');
  });

  it('passes where an event about the replay itself is named, or none', () => {
    const noted = as('run_b', [
      event(0, 'replay.started'),
      ...LOG.map((each, at) => ({ ...(each as object), sequence: at + 1 })),
    ]);
    expect(judgePlace({ ...SAME, divergedAtSeq: 0, eventDiffs: [{ seq: 0, op: 'added' }] }, DIFFERENT, noted)).toBe(
      'pass',
    );
    expect(judgePlace(SAME, DIFFERENT, noted)).toBe('pass');
    expect(judgePlace({ ...SAME, eventDiffs: [{ seq: 0, op: 'added' }] }, DIFFERENT, noted)).toBe('pass');
    const [bEvent] = noted;
    expect(judgePlace({ ...SAME, eventDiffs: [{ seq: 0, op: 'added', bEvent }] }, DIFFERENT, noted)).toBe('pass');
    const eventDiffs = [
      { seq: 0, op: 'added' },
      { seq: 2, op: 'changed' },
    ];
    const marked = noted.map((each, at) => (at === 2 ? { ...(each as object), nodeId: 'x' } : each));
    expect(judgePlace({ ...DIFFERENT, divergedAtSeq: 2, eventDiffs }, DIFFERENT, marked)).toBe('pass');
    expect(judgePlace({ ...DIFFERENT, divergedAtSeq: 2 }, DIFFERENT, noted)).toBe('fail diff-elsewhere');
  });

  it('is undecided where a run was not seen', () => {
    const unseen = fork('full replay', 'run_b', { problem: 'not seen', events: [] });
    const all = recorded(run('source'), unseen, self, diff('full replay', 'run_b', DIFFERENT));
    expect(short(judged(judgeFirstDivergence(all, [])))).toBe('inconclusive');
  });

  it('fails where they part elsewhere, or do not part', () => {
    expect(judgePlace(DIFFERENT, DIFFERENT)).toBe('fail diff-elsewhere');
    expect(judgePlace(SAME, SAME)).toBe('fail diff-blind');
    expect(judgePlace({ ...DIFFERENT, divergedAtSeq: 2 }, DIFFERENT, changed)).toBe('fail diff-elsewhere');
    expect(judgePlace(SAME, { a: 'run_x' })).toBe('fail other-diff');
    // It lists another place than it names.
    expect(judgePlace(SAME, { ...DIFFERENT, divergedAtSeq: 2 })).toBe('fail diff-elsewhere');
    const modified = { ...DIFFERENT, eventDiffs: [{ seq: 1, op: 'modified' }] };
    expect(judgePlace(SAME, modified)).toBe('fail other-diff');
  });

  it('rests on the row about the form where the difference of a run from itself has none, either', () => {
    expect(judgedBeside({})).toMatchObject({ verdict: 'fail', restsOn: 'diff.shape' });
    expect(judgedBeside(SAME)).toMatchObject({ verdict: 'fail' });
    expect(judgedBeside(SAME).restsOn).toBeUndefined();
  });

  it('is undecided where no two runs were compared', () => {
    expect(short(judged(judgeFirstDivergence(recorded(run('source'), self), [])))).toBe('inconclusive');
    expect(short(judged(judgeFirstDivergence(recorded(run('source')), [])))).toBe('inconclusive');
  });
});
