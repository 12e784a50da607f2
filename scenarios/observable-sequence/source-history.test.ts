import { describe, expect, it } from 'vitest';
import { replayOf, runAs, say, type Said } from '../../test/recorded-runs.ts';
import { comparePrefixes } from '../shared/compare-runs.ts';
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
    ['another node of a value', at(2, say('variable.changed', { name: 'v', value: 1 }, 'elsewhere'))],
  ])("is its source's where it differs by %s; what was executed stays", (_, fork) => {
    expect(comparePrefixes(source, fork, 4).kind).toBe('different');
    const events = withHistoryOf(source, fork) ?? [];
    const restored = { ...fork, events };
    expect(comparePrefixes(source, restored, 4).kind).toBe('same');
    expect(events.slice(4)).toEqual(fork.events.slice(4));
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

  it('is left where it is alike, where rows of their own are about it, and where events of it are missing', () => {
    expect(withHistoryOf(source, forkOf(LOG))).toBeUndefined();
    expect(withHistoryOf(source, at(2, say('variable.changed', { name: 'v', value: 2 }, 'n')))).toBeUndefined();
    expect(withHistoryOf(source, at(3, say('memory.written', { memoryId: 'other' }, 'n')))).toBeUndefined();
    expect(withHistoryOf(source, forkOf(LOG.toSpliced(1, 1)))).toBeUndefined();
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
