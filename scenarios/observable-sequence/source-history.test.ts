import { describe, expect, it } from 'vitest';
import { replayOf, runAs, say, type Said } from '../../test/recorded-runs.ts';
import { comparePrefixes, eventsOf } from '../shared/compare-runs.ts';
import { isDisordered } from '../shared/numbers-note.ts';
import { foundations } from './foundations.ts';
import { withHistoryOf } from './source-history.ts';

const LOG: readonly Said[] = [
  say('run.started'),
  say('node.started', { typeId: 't' }, 'n'),
  say('variable.changed', { name: 'v', value: 1 }, 'n'),
  say('memory.written', { memoryId: 'm' }, 'n'),
  say('run.completed'),
];
const source = runAs('source', LOG);
const forkOf = (log: readonly Said[]) => runAs('replay', log, replayOf(source, 4));
const at = (index: number, event: Said) => forkOf(LOG.with(index, event));

describe('the history of a fork', () => {
  it.each([
    ['another node', at(1, say('node.started', { typeId: 't' }, 'elsewhere'))],
    ['no node', at(1, say('node.started', { typeId: 't' }))],
    ['another type', at(1, say('node.skipped', { typeId: 't' }, 'n'))],
    ['another payload', at(1, say('node.started', { typeId: 'u' }, 'n'))],
    ['another value', at(2, say('variable.changed', { name: 'v', value: 2 }, 'n'))],
    ['another node of a value', at(2, say('variable.changed', { name: 'v', value: 1 }, 'elsewhere'))],
  ])("is its source's where it differs by %s; what was executed stays", (_, fork) => {
    expect(comparePrefixes(source, fork, 4).kind).toBe('different');
    const events = withHistoryOf(source, fork) ?? [];
    const restored = { ...fork, events };
    expect(comparePrefixes(source, restored, 4).kind).toBe('same');
    expect(events.slice(4)).toEqual(fork.events.slice(4));
  });

  const extra = say('node.started', { typeId: 't' }, 'extra');
  it.each([
    ['lacks an event', LOG.toSpliced(1, 1)],
    ['lacks its last event', LOG.toSpliced(3, 1)],
    ['has an event more', LOG.toSpliced(2, 0, extra)],
    ['has two events swapped', LOG.with(1, LOG[2] ?? extra).with(2, LOG[1] ?? extra)],
  ])("is its source's where it %s; what was executed follows it", (_, log) => {
    const fork = forkOf(log);
    const events = withHistoryOf(source, fork) ?? [];
    expect(comparePrefixes(source, { ...fork, events }, 4).kind).toBe('same');
    expect(events.slice(4)).toHaveLength(1);
    expect(events[4]).toMatchObject({ type: 'run.completed' });
    expect(isDisordered({ events: eventsOf({ events }) })).toBe(false);
  });

  it.each([
    ['a second one', [say('run.completed'), say('run.completed')]],
    ['two more', [say('run.completed'), say('run.completed'), say('run.completed')]],
    ['another one', [say('run.failed')]],
    ['one that speaks about the replay', [say('replay.divergedAtRefusal'), say('run.failed')]],
  ])('leaves what was executed where that has %s', (_, executed) => {
    const fork = forkOf([...LOG.slice(0, 1), ...LOG.slice(2, 4), ...executed]);
    const types = (withHistoryOf(source, fork) ?? []).map((event) => Reflect.get(event as object, 'type') as unknown);
    expect(types.slice(4)).toEqual(eventsOf({ events: runAs('executed', executed).events }).map(({ type }) => type));
  });

  it('keeps the names that the fork gave, and has as many where it gave one twice', () => {
    const [first, second, ...others] = at(1, say('node.started', {}, 'n')).events as readonly {
      readonly eventId: string;
    }[];
    const twice = {
      ...forkOf(LOG),
      events: [first, { ...second, eventId: first?.eventId ?? '' }, ...others],
    } as typeof source;
    const ids = (withHistoryOf(source, twice) ?? []).map((event) => Reflect.get(event as object, 'eventId') as unknown);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids[0]).toBe(first?.eventId);
  });

  it('is left where it is alike, and where a recorded fact differs, which has a row of its own', () => {
    expect(withHistoryOf(source, forkOf(LOG))).toBeUndefined();
    expect(withHistoryOf(source, at(3, say('memory.written', { memoryId: 'other' }, 'n')))).toBeUndefined();
    expect(withHistoryOf(source, runAs('replay', LOG, replayOf(source, 0)))).toBeUndefined();
  });

  it('is set aside where the source stands beside the fork', () => {
    const histories = foundations.find(({ check }) => check === 'sequence.prefix-equal');
    const fork = at(1, say('node.started', { typeId: 't' }, 'elsewhere'));
    expect(histories?.without?.(fork, [], [source, fork])).toEqual({ events: withHistoryOf(source, fork) });
    expect(histories?.without?.(fork, [], [fork])).toBeUndefined();
    expect(histories?.without?.(source, [], [source, fork])).toBeUndefined();
  });
});
