import { describe, expect, it } from 'vitest';
import { member } from '../../src/contract/discovery.ts';
import { judgementOf } from '../../src/runner/define-scenario.ts';
import { as, event, LOG, recorded, requested, run, short } from '../../test/fork-observations.ts';
import type { ReadingObservation } from '../shared/reading.ts';
import { judgeCursors } from './resuming.ts';
import { RESUME } from './observation.ts';

function reading(log: readonly unknown[], after: number | null = null): ReadingObservation {
  const events = log.map((data) => ({ id: null, name: null, data: data as never }));
  const how = after === null ? 'start' : 'resumed';
  return {
    type: 'reading',
    run: 'run',
    runId: 'run_a',
    transport: 'poll',
    how,
    after,
    partial: false,
    events,
    exchanges: [],
  };
}

/** A reading whose connection failed. */
function cut(log: readonly unknown[], after: number): ReadingObservation {
  return { ...reading(log, after), cut: true };
}

function cursors(...read: readonly ReadingObservation[]): string {
  return short(judgementOf('c', judgeCursors(recorded(run('run'), ...read))));
}

/** A stream whose messages have these ids. */
function streamed(ids: readonly (string | null)[], log: readonly unknown[], after: number | null = null) {
  const events = log.map((data, index) => ({ id: ids[index] ?? null, name: null, data: data as never }));
  return { ...reading(log, after), transport: 'sse', events } as const;
}

function judged(...read: readonly ReadingObservation[]) {
  return judgementOf('c', judgeCursors(recorded(run('run'), ...read)));
}

const POLL = '/v1/runs/run_a/events/poll';

/** How a log is judged of which a poll after one event is answered so, beside polls after others. */
function pollRefused(status: number, ...others: readonly ReadingObservation[]): string {
  const asked = { ...requested(RESUME, 'the poll after sequence 2', status), sent: `GET ${POLL}?lastSequence=2` };
  return short(judgementOf('c', judgeCursors(recorded(run('run'), reading(LOG), ...others, asked))));
}

/** A log that is resumed as it should, and a stream that is answered so when it should go on. */
function refused(status: number): string {
  const asked = requested(RESUME, 'the stream after an event', status);
  const seen = recorded(run('run'), reading(LOG), reading(LOG.slice(2), 1), asked);
  return short(judgementOf('c', judgeCursors(seen)));
}

describe('run.cursor', () => {
  const whole = reading(LOG);

  it('passes where what follows is shown, each once', () => {
    expect(cursors(whole, reading(LOG.slice(2), 1), reading([], 2))).toBe('pass');
    const greeting = { type: 'connected' };
    expect(cursors(reading([greeting, ...LOG]), reading([greeting, ...LOG.slice(2)], 1))).toBe('pass');
  });

  it('fails where an event is left out, or shown again', () => {
    expect(cursors(whole, reading([], 1))).toBe('fail cursor-skips');
    expect(cursors(whole, reading(LOG.slice(1), 1))).toBe('fail cursor-repeats');
    expect(cursors(whole, reading(LOG, 1))).toBe('fail cursor-repeats');
    expect(cursors(whole, reading([LOG[2], LOG[2]], 1))).toBe('fail cursor-repeats');
    expect(cursors(whole, reading(LOG.slice(2), 2))).toBe('fail cursor-repeats');
  });

  it('says how many events follow those that it names', () => {
    const long = [0, 1, 2, 3, 4, 5].map((sequence) => event(sequence, sequence === 5 ? 'run.completed' : 'a'));
    const { expected, actual } = judged(reading(long), reading(long, 0));
    expect(expected).toContain('5 events: 1 a, 2 a, 3 a, 4 a and 1 more');
    expect(actual).toBe('6 events: 0 a, 1 a, 2 a, 3 a and 2 more');
    expect(judged(reading(LOG), reading(LOG, 1)).actual).not.toContain('more');
  });

  it('fails where an event names another run than it does in the whole log', () => {
    const foreign = as('run_other', LOG.slice(2));
    expect(cursors(whole, reading(LOG.slice(1), 0), reading(foreign, 1))).toBe('fail cursor-other-run');
    expect(cursors(whole, cut(as('run_other', LOG.slice(1, 2)), 0))).toBe('fail cursor-other-run');
    // What a host writes into the history of a fork is left open, and reduced events name no run.
    expect(cursors(reading(as('run_other')), reading(foreign, 1))).toBe('pass');
    const reduced = LOG.map((each) => ({ sequence: member(each, 'sequence'), type: member(each, 'type') }));
    expect(cursors(reading(reduced), reading(foreign, 1))).toBe('pass');
  });

  it('fails where a poll is refused after an event, but for one that has no route with a cursor', () => {
    const other = reading(LOG.slice(2), 1);
    for (const status of [400, 410, 500]) {
      expect(pollRefused(status)).toBe('fail cursor-refused');
      expect(pollRefused(status, other)).toBe('fail cursor-refused');
    }
    expect(pollRefused(404, other)).toBe('fail cursor-refused');
    for (const status of [404, 501, 204, 503]) expect(pollRefused(status)).toBe('inconclusive');
    for (const status of [204, 503]) expect(pollRefused(status, other)).toBe('pass');
  });

  it('holds replays and failing runs to the same, each beside its own log', () => {
    const other = { run: 'replay', runId: 'run_b' };
    const own = [whole, reading(LOG.slice(2), 1)] as const;
    expect(cursors(...own, { ...whole, ...other }, { ...reading(LOG.slice(2), 1), ...other })).toBe('pass');
    expect(cursors(...own, { ...whole, ...other }, { ...reading([], 1), ...other })).toBe('fail cursor-skips');
  });

  it('fails where a stream names no ids, or those of other events', () => {
    const stream = streamed(['0', '1', '2'], LOG);
    expect(cursors(stream, streamed(['1', '2'], LOG.slice(1), 0))).toBe('pass');
    expect(cursors(stream, streamed(['a', 'b'], LOG.slice(1), 0))).toBe('pass');
    expect(cursors(stream, streamed([], LOG.slice(1), 0))).toBe('pass');
    expect(cursors(stream, streamed(['0', '1'], LOG.slice(1), 0))).toBe('fail cursor-other-id');
    expect(cursors(streamed([], LOG), streamed([], LOG.slice(1), 0))).toBe('fail cursor-other-id');
  });

  it('tells ids that are those of other events from a stream that goes on otherwise', () => {
    const stream = streamed(['1', '2', '3'], LOG);
    const after = (place: number, log: readonly unknown[]) => judged(stream, streamed([], log, place));
    expect(after(0, LOG.slice(2))).toMatchObject({
      diagnosis: { code: 'cursor-other-id' },
      expected: 'sse: 0 as the id of the message of sequence 0 of run_a',
    });
    expect(short(after(1, []))).toBe('fail cursor-other-id');
    expect(short(after(0, []))).toBe('fail cursor-skips');
    expect(short(after(1, LOG.slice(1)))).toBe('fail cursor-repeats');
    // An id need not be the number.
    expect(short(after(0, LOG.slice(1)))).toBe('pass');
    expect(cursors(streamed(['0', '1', '2'], LOG), streamed([], LOG.slice(2), 0))).toBe('fail cursor-skips');
  });

  it('leaves what comes in another order to the row about numbers', () => {
    const turned = recorded(run('run'), whole, reading([LOG[2], LOG[1]], 0));
    expect(judgementOf('c', judgeCursors(turned))).toMatchObject({ verdict: 'fail', restsOn: 'sequence.monotonic' });
  });

  it('leaves to the row about transports what one of them lacks that another one shows', () => {
    const json: ReadingObservation = { ...whole, transport: 'json', exchanges: ['x1'] };
    const lacking: ReadingObservation = { ...reading([LOG[0], LOG[2]]), exchanges: ['x2'] };
    const resumed = reading(LOG.slice(1), 0);
    expect(judged(json, lacking, resumed)).toMatchObject({ verdict: 'fail', restsOn: 'sequence.transports-agree' });
    expect(judged(lacking, resumed)).not.toHaveProperty('restsOn');
    expect(judged(json, { ...lacking, exchanges: ['x2', 'x3'] }, resumed)).not.toHaveProperty('restsOn');
  });

  it('leaves what comes behind the end meanwhile to the row about ends', () => {
    const later = recorded(run('run'), whole, reading([LOG[2], event(3, 'log.appended')], 1));
    expect(judgementOf('c', judgeCursors(later))).toMatchObject({
      verdict: 'fail',
      restsOn: 'sequence.single-terminal-event',
    });
    const skipping = recorded(run('run'), whole, reading([event(3, 'log.appended')], 1));
    expect(judgementOf('c', judgeCursors(skipping))).not.toHaveProperty('restsOn');
  });

  it('fails where a stream that is to go on after one of its events is refused', () => {
    for (const status of [400, 500]) expect(refused(status)).toBe('fail cursor-refused');
    for (const status of [200, 204, 503]) expect(refused(status)).toBe('pass');
  });

  it('misses nothing behind the place where a reading was cut off', () => {
    expect(cursors(whole, cut([], 0))).toBe('inconclusive');
    expect(cursors(whole, cut(LOG.slice(1, 2), 0))).toBe('inconclusive');
    expect(cursors(whole, cut([], 0), reading(LOG.slice(2), 1))).toBe('pass');
    expect(cursors(whole, cut(LOG.slice(2), 0))).toBe('fail cursor-skips');
    expect(cursors(whole, cut(LOG.slice(0, 1), 0))).toBe('fail cursor-skips');
  });

  it('leaves a number that is none to the row about numbers', () => {
    const [first, ...others] = LOG;
    const misnumbered = { ...(first as unknown as object), sequence: 'one' };
    expect(cursors(reading([misnumbered, ...others]), reading(LOG.slice(2), 1))).toBe('inconclusive');
    expect(cursors(whole, reading([misnumbered], 1))).toBe('inconclusive');
  });

  it('is undecided where no cursor is known, or the log shows no end or no order', () => {
    expect(cursors(whole)).toBe('inconclusive');
    expect(cursors()).toBe('inconclusive');
    expect(cursors(reading(LOG.slice(0, 2)), reading([], 0))).toBe('inconclusive');
    const goesOn = recorded(run('run'), reading([...LOG, event(3, 'log.appended')]), reading([], 2));
    expect(judgementOf('c', judgeCursors(goesOn))).toMatchObject({ restsOn: 'sequence.single-terminal-event' });
    const disordered = recorded(run('run'), reading([event(1, 'run.started'), event(0, 'run.completed')]));
    expect(judgementOf('c', judgeCursors(disordered))).toMatchObject({ restsOn: 'sequence.monotonic' });
    expect(cursors(reading([{ type: 'run.completed' }]))).toBe('inconclusive');
  });
});
