import { describe, expect, it } from 'vitest';
import { member } from '../../src/contract/discovery.ts';
import { judgementOf } from '../../src/runner/define-scenario.ts';
import { as, event, LOG, recorded, requested, run, short } from '../../test/fork-observations.ts';
import type { ReadingObservation } from '../shared/reading.ts';
import { judgeCursors, judgeModes, typesShown } from './resuming.ts';
import { EXCLUSIVE, RESUME, type StreamModeObservation, UNKNOWN } from './observation.ts';

const TYPES = ['run.started', 'node.started', 'run.completed'];

function mode(name: string | null, status: number | null, types: readonly string[] = []): StreamModeObservation {
  return { type: 'stream-mode', mode: name, status, types, exchanges: ['x1'] };
}

function modes(...read: readonly StreamModeObservation[]): string {
  return short(judgementOf('c', judgeModes(recorded(run('run'), ...read))));
}

describe('run.stream-modes', () => {
  const plain = mode(null, 200, TYPES);

  it('passes where such a mode is refused with 400, or ignored as a whole', () => {
    expect(modes(plain, mode(UNKNOWN, 400), mode(EXCLUSIVE, 422))).toBe('pass');
    expect(modes(plain, mode(UNKNOWN, 200, TYPES), mode(EXCLUSIVE, 400))).toBe('pass');
    expect(modes(plain, mode(UNKNOWN, 200, ['log.appended', ...TYPES]), mode(EXCLUSIVE, 400))).toBe('pass');
  });

  it('fails where it hides events, or is answered otherwise', () => {
    expect(modes(plain, mode(UNKNOWN, 200))).toBe('fail mode-half-obeyed');
    expect(modes(plain, mode(EXCLUSIVE, 200, ['run.started', 'run.completed']))).toBe('fail mode-half-obeyed');
    expect(modes(plain, mode(UNKNOWN, 500))).toBe('fail');
  });

  it('is undecided where nothing is shown without a mode, or nobody answered', () => {
    expect(modes(mode(null, 200), mode(UNKNOWN, 400))).toBe('inconclusive');
    expect(modes(mode(null, 406), mode(UNKNOWN, 406))).toBe('inconclusive');
    expect(modes(plain, mode(UNKNOWN, null))).toBe('inconclusive');
    expect(modes(plain, mode(UNKNOWN, 503))).toBe('inconclusive');
    expect(modes(plain, { ...mode(UNKNOWN, 200, TYPES.slice(0, 1)), cut: true })).toBe('inconclusive');
    expect(modes({ ...plain, cut: true }, mode(UNKNOWN, 200))).toBe('inconclusive');
    expect(modes(plain)).toBe('inconclusive');
    expect(modes(mode(null, 404), mode(UNKNOWN, 404))).toBe('not-applicable');
  });
});

function message(id: string | null, type: string) {
  return { id, name: type, data: { type } };
}

describe('the types of what a reading in a stream mode shows', () => {
  const ping = { id: null, name: 'ping', data: { alive: true } };

  it('are those of its log, without what the stream says beside it', () => {
    const log = ['run.started', 'run.completed'].map((type, index) => message(String(index), type));
    expect(typesShown([ping, ...log, ping])).toEqual(['run.started', 'run.completed']);
    expect(typesShown([ping, message('0', 'run.started'), message(null, 'run.completed')])).toEqual([
      'run.started',
      'run.completed',
    ]);
    expect(typesShown([])).toEqual([]);
  });

  it('are all where nothing shows a number or an id', () => {
    expect(typesShown([ping, message(null, 'run.started')])).toEqual(['ping', 'run.started']);
  });
});

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
