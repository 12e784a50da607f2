import { describe, expect, it } from 'vitest';
import type { Judgement } from '../contract/verdict.ts';
import { expiredIn, onExpired, secondsIn } from './expired-runs.ts';
import type { Everything } from './scenario.ts';

type Seen = Everything[number];

/** Events of these numbers. */
function eventsOf(...numbers: readonly number[]): readonly object[] {
  return numbers.map((sequence) => ({ eventId: `e${sequence}`, type: 't', sequence }));
}

/** A run that was followed to its end. */
function run(id: string, events: readonly object[], more: object = {}): Seen {
  const seen = { type: 'run', runId: 'r', fork: null, answered: 201, problem: null, events };
  return { id, scenario: 'fork.branch', exchanges: [], ...seen, ...more };
}

function reading(id: string, numbers: readonly number[], more: object = {}): Seen {
  const events = eventsOf(...numbers).map((data) => ({ id: null, name: null, data }));
  return run(id, events, { type: 'reading', after: null, partial: false, ...more });
}

/** A fork of `r`. */
function fork(id: string, events: readonly object[], more: object = {}): Seen {
  return run(id, events, { runId: 'f', fork: { sourceRunId: 'r' }, ...more });
}

/** A fork of `r` that was refused. */
function refused(sourceStart?: number | null, more: object = {}): Seen {
  return fork('refused', [], { runId: null, answered: 410, problem: '410', sourceStart, ...more });
}

const WHOLE = run('whole', eventsOf(0, 1, 2, 3));
const KEY = { type: 'asked', sent: 'POST /v1/runs/r:fork', answer: { kind: 'answer', status: 422 } };

function never(): boolean {
  return false;
}

/** What is expired where the host lets events expire by the clock, all the time. */
function lateIn(...seen: readonly Seen[]): readonly string[] {
  return [...expiredIn([WHOLE, ...seen], () => true).keys()];
}

/** The same where its policy names no time. */
function refusedIn(...seen: readonly Seen[]): readonly string[] {
  return [...expiredIn([WHOLE, ...seen], never).keys()];
}

describe('what shows less than there was', () => {
  it.each<[string, readonly Seen[]]>([
    ['whose source has lost its first events', [refused(2)]],
    ['whose source has lost all events', [refused(null)]],
    ['of a run that was read without its first events since', [refused(2), reading('again', [2, 3])]],
    ['under a key', [refused(2), run('asked', [], KEY)]],
  ])('is a fork that was refused with 410 or 422 %s', (_, seen) =>
    expect(refusedIn(...seen)).toEqual(seen.map(({ id }) => id)),
  );

  it.each<[string, readonly Seen[]]>([
    ['while its source shows its first events', [refused(0)]],
    ['and nobody read its source', [refused()]],
    ['with another status', [refused(2, { answered: 404 })]],
    ['of a run that nobody read', [refused(2, { fork: { sourceRunId: 'other' } })]],
    ['where a seam lets events go', [refused(2, { scenario: 'retention.expired-range' })]],
    ['under a key, of a run that has its events', [refused(0), run('asked', [], KEY)]],
    ['nowhere, of a run that is shown without its first events', [reading('again', [2, 3])]],
  ])('is no fork that was refused %s', (_, seen) => expect(refusedIn(...seen)).toEqual([]));

  it.each<[string, Seen]>([
    ['a reading without the first events', reading('x', [3])],
    ['a run that is read again without them', run('x', eventsOf(2, 3))],
    ['a log that is empty', reading('x', [])],
    ['a resumed one that lacks what follows', reading('x', [3], { after: 1 })],
    ['a fork without the first events of its source', fork('x', eventsOf(3, 4))],
    ['a fork that was refused where its source was not read', refused(undefined, { id: 'x' })],
  ])('is by a policy that lets events expire in that time %s', (_, seen) => expect(lateIn(seen)).toEqual(['x']));

  it.each<[string, Seen]>([
    ['all events', reading('x', [0, 1, 2, 3])],
    ['those behind a cursor', reading('x', [2, 3], { after: 1 })],
    ['the first and not the last ones', reading('x', [0, 1])],
    ['neither the first nor others', reading('x', [1, 3])],
    ['the whole history of its source', fork('x', eventsOf(0, 1, 4))],
    ['nothing, as it was not seen', run('x', [], { problem: 'gone' })],
    ['that its source has all events, as it was refused', refused(0, { id: 'x' })],
  ])('is even then nothing that shows %s', (_, seen) => expect(lateIn(seen)).toEqual([]));

  it('holds the history of the first source against a fork of a fork', () => {
    const second = { id: 'y', runId: 'g', fork: { sourceRunId: 'f' } };
    expect(lateIn(fork('x', eventsOf(2, 3)), fork('y', eventsOf(2, 3), second))).toEqual(['x', 'y']);
  });
});

describe('a retention policy', () => {
  it.each<[unknown, readonly number[]]>([
    [{ windowSeconds: 4 }, [4]],
    ['Events expire 90 seconds after they were written.', [90]],
    [{ snapshots: 'kept for 30 days', eventLogs: 'PT5M' }, [300]],
    [{ eventLogs: { minutes: 2 } }, [120]],
    [{ eventLogs: 'Kept until they expire: 410 event_range_expired.', windowSeconds: null }, []],
    [{ windowSeconds: 0 }, []],
    [undefined, []],
  ])('%j names the seconds %j', (retention, seconds) =>
    expect(secondsIn(JSON.stringify({ replay: { supported: true, retention } }))).toEqual(seconds),
  );

  it('is not read in what is no document', () => expect(secondsIn('{"replay"')).toEqual([]));
});

describe('a verdict by what shows less than there was', () => {
  const failed: Judgement = { check: 'c', verdict: 'fail', expected: '201', actual: '410', evidence: ['o1', 'o2'] };
  const expired = new Map([['o2', 'events of r have expired']]);

  it('is open, with what to do about it', () => {
    const [judgement] = onExpired([{ ...failed, restsOn: 'd' }], expired, () => [{ ...failed, verdict: 'pass' }]);
    expect(judgement).toMatchObject({ verdict: 'inconclusive', evidence: ['o1', 'o2'] });
    expect(judgement?.reason).toMatch(/^events of r have expired \(410\): keep /u);
    expect(judgement).not.toHaveProperty('restsOn');
  });

  it('is a failure where the rest fails, too', () => {
    const rest: Judgement = { ...failed, actual: '500', evidence: ['o1'] };
    const asked: unknown[] = [];
    const judged = onExpired([failed], expired, (isKept, only) => {
      asked.push(isKept({ id: 'o1' }), isKept({ id: 'o2' }), only('c'), only('d'));
      return [rest];
    });
    expect([judged, asked]).toEqual([[rest], [true, false, true, false]]);
  });

  it.each<[string, Judgement]>([
    ['passes', { ...failed, verdict: 'pass' }],
    ['is open', { ...failed, verdict: 'inconclusive' }],
    ['fails by something else', { ...failed, evidence: ['o1'] }],
  ])('stands where it %s', (_, judgement) => expect(onExpired([judgement], expired, () => [])).toEqual([judgement]));
});
