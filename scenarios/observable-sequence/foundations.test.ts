import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/evidence/types.ts';
import { replayOf, runAs, say, type Said } from '../../test/recorded-runs.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { foundations } from './foundations.ts';

const histories = foundations.find(({ check }) => check === 'sequence.prefix-equal');

function log(started: Json, value: Json = 1): readonly Said[] {
  return [
    say('run.started'),
    say('node.started', started, 'n'),
    say('variable.changed', { name: 'v', value }, 'n'),
    say('memory.written', { memoryId: 'm' }, 'n'),
    say('run.completed'),
  ];
}

const source = runAs('source', log({ typeId: 't' }));

/** What is left of a replay of another run, where a fork shows that log, and replays write that in node.started. */
function leftOf(forked: readonly Said[], started: Json = { typeId: 't', again: true }): unknown {
  const fork = runAs('replay', forked, replayOf(source, 4));
  const own = runAs('own', log({ typeId: 'of its own' }));
  const other = runAs('other', log(started), replayOf(own, 0));
  return histories?.without?.(other, [source, fork], [own, other]);
}

describe('a history that is changed', () => {
  it('is set aside in every replay: the members that differ are as in its source', () => {
    expect(leftOf(log({ typeId: 't', again: true }))).toHaveProperty('events.1.payload', { typeId: 't' });
    expect(leftOf(log({ typeId: 'u', again: true }))).toHaveProperty('events.1.payload', { typeId: 'of its own' });
    expect(leftOf(log({ typeId: 't' }, 2), { typeId: 'u' })).toHaveProperty('events.1.payload', { typeId: 'u' });
    const renamed = log({ typeId: 't' }).with(1, say('node.started', { typeId: 't' }, 'elsewhere'));
    expect(leftOf(renamed, { typeId: 'u' })).toHaveProperty('events.1.nodeId', 'n');
  });

  it('is set aside with the values that it writes, in the snapshots of replays, too', () => {
    const own = runAs('own', log({}, 3), { snapshot: { status: 'completed', variables: { v: 3 } } });
    const ends = { status: 'completed', variables: { v: 4 } };
    const other = runAs('other', log({}, 4), { ...replayOf(own, 0), snapshot: ends });
    const fork = runAs('replay', log({ typeId: 't' }, 2), replayOf(source, 4));
    const left = histories?.without?.(other, [source, fork], [own, other]);
    expect(left).toHaveProperty('events.2.payload', { name: 'v', value: 3 });
    expect(left).toHaveProperty('snapshot', { status: 'completed', variables: { v: 3 } });
  });

  it('is looked for in the first fork that shows it, and named by members', () => {
    const nested = (typeId: string): readonly Said[] => log({ typeId, config: { url: typeId } });
    const own = runAs('own', nested('t'));
    const theirs = runAs('their', nested('u'), replayOf(own, 0));
    const fork = runAs('fork', log({ typeId: 't', config: { url: 'v' } }), replayOf(own, 4));
    const same = runAs('replay', log({ typeId: 't' }), replayOf(source, 4));
    const left = histories?.without?.(theirs, [source, same, own, fork], [own, theirs]);
    expect(left).toHaveProperty('events.1.payload', { typeId: 'u', config: { url: 't' } });
  });

  it('lacks events of a type, which are then in no run', () => {
    const lacking = log({ typeId: 't' }).toSpliced(1, 1);
    expect(leftOf(lacking)).toMatchObject({ events: [{}, { type: 'variable.changed' }, {}, {}] });
    const fork = runAs('replay', lacking, replayOf(source, 4));
    const first = histories?.without?.(source, [source, fork], [source, fork]);
    expect(first).toMatchObject({ events: [{}, { type: 'variable.changed' }, {}, {}] });
    // More than that is no matter of one type.
    const other = say('variable.changed', { name: 'v', value: 2 }, 'n');
    expect(leftOf(lacking.with(1, other))).toBeUndefined();
    expect(leftOf(lacking.toSpliced(1, 1))).toBeUndefined();
  });

  it('names no change where a payload names its own run', () => {
    const own = runAs('own', log({ typeId: 't', runId: 'run-own' }));
    const fork = runAs('fork', log({ typeId: 't', runId: 'run-fork' }), replayOf(own, 4));
    expect(histories?.without?.(own, [own, fork], [])).toBeUndefined();
  });

  it('is left where other rows are about it, or more than a payload differs', () => {
    expect(leftOf(log({ typeId: 't' }))).toBeUndefined();
    const regenerated = log({ typeId: 't' }).with(3, say('memory.written', { memoryId: 'other' }, 'n'));
    expect(leftOf(regenerated)).toBeUndefined();
    const timed = (startedAt: string): readonly Said[] => log({ startedAt });
    const own = runAs('own', timed('2026-11-27T10:00:00Z'));
    const fork = runAs('fork', timed('2026-11-27T10:00:01Z'), replayOf(own, 4));
    expect(histories?.without?.(fork, [own, fork], [])).toBeUndefined();
  });

  it('is not looked for without the fork and its source', () => {
    for (const shown of [[], [source], [runAs('replay', log({ typeId: 'u' }), replayOf(source, 4))]]) {
      expect(histories?.without?.(source, shown, [])).toBeUndefined();
    }
  });
});

describe('what the replay of one workflow leaves out of its events', () => {
  it.each(['sequence.state-equal', 'sequence.state-equal.concurrent'])('is set aside in others by %s', (check) => {
    const [own, first] = [runAs('own', log({}, 3)), runAs('first', log({}, 4))];
    const bare = log({}).with(2, say('variable.changed', { name: 'v' }, 'n'));
    const [theirs, again] = [runAs('theirs', bare, replayOf(own, 0)), runAs('again', bare, replayOf(first, 0))];
    const changed = runAs('again', log({}, 5), replayOf(first, 0));
    const without = foundations.find((each) => each.check === check)?.without;
    expect(without?.(theirs, [first, again], [own, theirs])).toHaveProperty('events.2.payload.value', 3);
    expect(without?.(theirs, [first, changed], [own, theirs])).toBeUndefined();
    expect(without?.(own, [first, again], [own, theirs])).toBeUndefined();
  });
});

function readingOf(data: Json, how = 'start') {
  return {
    ...({ id: 'r', type: 'reading', run: 'run', runId: 'r', exchanges: [], after: null, partial: false, how } as const),
    events: [{ id: null, name: null, data }],
  };
}

describe('an event that two readings show otherwise', () => {
  const agreement = foundations.findLast(({ check }) => check === 'sequence.transports-agree');
  const run = runAs('source', log({ typeId: 't' }));
  const started = { eventId: 'e', type: 'node.started', sequence: 1, nodeId: 'n', payload: { typeId: 't' } };
  const left = (one: Json, other: Json, how = 'start'): unknown => {
    const without = agreement?.without?.(run, [readingOf(one), readingOf(other, how)], []);
    return without === undefined ? undefined : (without as typeof run).events[1];
  };

  it('is shown in no run with what differs, and under one type', () => {
    expect(left(started, { ...started, payload: { typeId: 'u' } })).toMatchObject({ payload: {} });
    expect(left(started, { ...started, payload: null })).toMatchObject({ payload: null });
    expect(left(started, { ...started, nodeId: 'm' })).toMatchObject({ nodeId: null, payload: { typeId: 't' } });
    const began = { ...started, type: 'node.began' };
    expect(left(started, began)).toMatchObject({ type: 'node.began', nodeId: 'n', payload: { typeId: 't' } });
    expect(left(started, began, 'live')).toMatchObject({ type: 'node.started' });
    const other = { ...started, type: 'other' };
    expect(left({ ...other, runId: 'a' }, { ...other, runId: 'b' })).toMatchObject({
      runId: null,
      type: 'node.started',
    });
  });

  it('ends a run as its snapshot says', () => {
    const ended = { ...started, type: 'run.completed' };
    const failed = { ...started, type: 'run.failed' };
    for (const pair of [
      [ended, failed],
      [failed, ended],
    ]) {
      const [one = null, other = null] = pair;
      const without = agreement?.without?.(run, [readingOf(one), readingOf(other)], []) as typeof run;
      expect(without.events.at(-1)).toMatchObject({ type: 'run.completed' });
    }
  });

  it('is shown in no run with what differs beside it', () => {
    const [timed, later] = [
      { ...started, timestamp: 'a', live: true },
      { ...started, timestamp: 'b' },
    ];
    const without = agreement?.without?.(run, [readingOf(timed), readingOf(later)], []) as typeof run;
    expect(run.events[0]).toHaveProperty('timestamp');
    for (const event of without.events) expect(event).not.toHaveProperty('timestamp');
    expect(without.events[1]).toMatchObject({ payload: { typeId: 't' } });
  });

  it('is left where readings agree, or one shows no such event', () => {
    expect(left(started, started)).toBeUndefined();
    expect(left(started, { ...started, sequence: 2 })).toBeUndefined();
    expect(left({ ...started, type: 'a' }, { ...started, type: 'b' })).toBeUndefined();
    expect(agreement?.without?.(run, [], [])).toBeUndefined();
  });
});

/** One reading of two events, with these ids. */
function reading(id: string, eventIds: readonly string[]) {
  return {
    id,
    type: 'reading',
    exchanges: [],
    events: eventIds.map((eventId, sequence) => ({ id: null, name: null, data: { eventId, sequence } })),
  };
}

describe('names of events that are others in each reading', () => {
  const agreeing = foundations.find(({ check }) => check === 'sequence.transports-agree');
  it('name nothing: a source that is read again is the same, and so are its forks', () => {
    const shown = [reading('o1', ['a', 'b']), reading('o2', ['c', 'd'])];
    const again = { ...source, events: source.events.map((each) => ({ ...Object(each), eventId: 'other' })) };
    const left = agreeing?.without?.(again, shown, []);
    expect(left).toEqual(agreeing?.without?.(source, shown, []));
    expect(left).toHaveProperty('events.1.eventId', `${source.runId} 1`);
    expect(left).not.toHaveProperty('events.1.causationId');
  });

  it('stay where readings differ in something else', () => {
    const shown = [reading('o1', ['a', 'b']), reading('o2', ['a'])];
    for (const each of [shown, shown.slice(0, 1), []]) expect(agreeing?.without?.(source, each, [])).toBeUndefined();
  });
});

describe('a fork of a host that shows the log of its source', () => {
  const execution = foundations.find(({ check }) => check === 'sequence.not-a-copy');
  const left = (fork: RunObservation, beside = [source]) => execution?.without?.({ ...fork, id: 'o9' }, [], beside);

  it('says nothing where it is that log, under ids of its own or not', () => {
    const copy = runAs('replay', log({ typeId: 't' }), replayOf(source, 0));
    expect(left(copy)).toMatchObject({ problem: expect.any(String) as string, events: [], snapshot: null });
    expect(left({ ...copy, events: source.events })).toMatchObject({ events: [] });
  });

  it('is left where it is another log, is no fork, or its source is not known', () => {
    expect(left(runAs('replay', log({ typeId: 't' }, 2), replayOf(source, 0)))).toBeUndefined();
    expect(left(source)).toBeUndefined();
    expect(left(runAs('replay', log({ typeId: 't' }), replayOf(source, 0)), [])).toBeUndefined();
    const unseen = runAs('replay', log({ typeId: 't' }), replayOf(source, 0));
    expect(left({ ...unseen, problem: 'not seen' })).toBeUndefined();
  });
});

/** What is set aside of a replay of this log for the sake of its numbers. */
function leftOfReplay(numbered: RunObservation, seen: Partial<RunObservation> = {}): readonly unknown[] {
  const fork = { ...runAs('replay', log({ typeId: 't' }), replayOf(numbered, 7)), ...seen, id: 'o9' };
  return foundations
    .filter(({ check }) => check === 'sequence.monotonic')
    .map(({ without }) => without?.(fork, [], [{ ...numbered, id: 'o1' }, fork]));
}

/** The log of the source with other numbers. */
function numberedBy(number: (at: number) => number): RunObservation {
  return { ...source, events: source.events.map((event, at): Json => ({ ...Object(event), sequence: number(at) })) };
}

describe('a fork of a log in which all events have one number', () => {
  it('is of no place in it, and shows nothing', () => {
    expect(leftOfReplay(numberedBy(() => 7))).toContainEqual(expect.objectContaining({ runId: null, events: [] }));
    expect(leftOfReplay(numberedBy((at) => (at === 0 ? 6 : 7)))).toEqual([undefined, undefined]);
  });

  it('was not asked for where it was refused for a number of a log whose numbers go back', () => {
    const refused = { runId: null, answered: 422, events: [], snapshot: null };
    expect(
      leftOfReplay(
        numberedBy((at) => 100 - at),
        refused,
      ),
    ).toContainEqual(expect.objectContaining({ answered: null, runId: null }));
    for (const answered of [401, 500, 501]) {
      expect(
        leftOfReplay(
          numberedBy((at) => 100 - at),
          { ...refused, answered },
        ),
      ).toEqual([undefined, undefined]);
    }
    expect(
      leftOfReplay(
        numberedBy((at) => at),
        refused,
      ),
    ).toEqual([undefined, undefined]);
  });
});

/** The claims that a run breaks. */
function brokenBy(run: RunObservation): readonly string[] {
  return foundations.filter(({ isBrokenBy }) => isBrokenBy?.({ ...run, id: 'o1' }) === true).map(({ check }) => check);
}

describe('a log that could not be followed', () => {
  const unseen: RunObservation = { ...source, problem: 'not seen', snapshot: { status: 'completed' } };

  it('breaks the claim about numbers where an event has none, and that about ends where there is none', () => {
    const endless = { ...unseen, events: unseen.events.slice(0, -1) };
    expect(brokenBy(endless)).toEqual(['sequence.single-terminal-event']);
    expect(brokenBy({ ...numberedBy((at) => at + 0.5), problem: 'not seen' })).toEqual(['sequence.monotonic']);
    expect(brokenBy({ ...endless, problem: null })).toEqual([]);
    expect(brokenBy({ ...endless, snapshot: { status: 'running' } })).toEqual([]);
  });
});

describe('a fork that was refused', () => {
  const ends = foundations.find(({ check }) => check === 'sequence.single-terminal-event');
  const behind = runAs('source', [...log({ typeId: 't' }), say('vendor.noted')]);
  const refused = (fromSeq: number, of: typeof source) => {
    const fork = { ...runAs('replay', [], replayOf(of, fromSeq)), runId: null, answered: 422, snapshot: null };
    return ends?.without?.(fork, [], [of, fork]);
  };

  it('was not asked for where it begins behind the end of its source, and stays refused everywhere else', () => {
    expect(refused(5, behind)).toMatchObject({ answered: null, runId: null });
    for (const fromSeq of [4, 2]) expect(refused(fromSeq, behind)).toBeUndefined();
    expect(refused(4, source)).toBeUndefined();
  });
});
