import { describe, expect, it } from 'vitest';
import type { Json, Observation } from '../../src/evidence/types.ts';
import { readRunEvent } from '../../src/host/run-event.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { replayCalled, runCalled, type Said, withReplay } from '../../test/recorded-runs.ts';
import { addedInAll, type Kind, namedKind, withoutAdded } from './added-in-replays.ts';
import { replayedIn } from './lost-in-replays.ts';

const STARTED: readonly Said[] = [['run.started'], ['node.started', {}, 'node']];
const ENDED: readonly Said[] = [['node.completed', { output: 1 }, 'node'], ['run.completed']];
const WORKED = [...STARTED, ...ENDED];
const LINE: Said = ['log.appended', { text: 'replayed' }];
const SET: Said = ['variable.changed', { name: 'isReplay', value: true }];

function setting(name: string): Said {
  return ['variable.changed', { name, value: 1 }];
}

function written(channel: string): Said {
  return ['channel.written', { channel, value: 1 }];
}

const pair = (name: string, replayed: readonly Said[], ran = WORKED) => withReplay(name, ran, replayed);

function added(...pairs: readonly (readonly Recorded<Observation>[])[]): readonly string[] {
  return addedInAll(replayedIn(pairs.flat())).map(namedKind);
}

function typesIn(events: readonly Json[] = []): readonly unknown[] {
  return events.map((event) => readRunEvent(event)?.type);
}

describe('what replays write beside what their sources do', () => {
  const more = [...STARTED, LINE, SET, ...ENDED];

  it('is a type of events, or a variable or channel that they write', () => {
    const all = ['a', 'b', 'c'].map((name) => pair(name, more));
    expect(added(...all)).toEqual(['log.appended', 'variable.changed of isReplay']);
    const others = ['a', 'b', 'c'].map((name) => pair(name, [written('own'), written('other')], [written('own')]));
    expect(added(...others)).toEqual(['channel.written of other']);
  });

  it('may be one event more of a type than the source has', () => {
    const all = ['a', 'b', 'c'].map((name) =>
      pair(name, [...STARTED, LINE, LINE, ...ENDED], [...STARTED, LINE, ...ENDED]),
    );
    expect(added(...all)).toEqual(['log.appended']);
  });

  it('is a type where each workflow has variables of its own', () => {
    const all = ['a', 'b', 'c'].map((name) => pair(name, [setting(name), setting(name)], [setting(name)]));
    expect(added(...all)).toEqual(['variable.changed']);
  });

  it('is nothing in few workflows, in less than half of them, or where a replay has less of it', () => {
    const all = ['a', 'b', 'c'].map((name) => pair(name, more));
    expect(added(pair('a', more), pair('b', more))).toEqual([]);
    expect(added(...all, ...['d', 'e', 'f', 'g'].map((name) => pair(name, WORKED)))).toEqual([]);
    const less = pair('d', WORKED, [...STARTED, SET, LINE, ...ENDED]);
    expect(added(...all, less)).toEqual([]);
    expect(added(...['a', 'b', 'c'].map((name) => pair(name, [...WORKED, ['replay.diverged']])))).toEqual([]);
  });
});

describe('a replay without that', () => {
  const kinds: readonly Kind[] = [{ type: 'log.appended' }, { type: 'variable.changed', written: 'isReplay' }];
  const source = runCalled('a', [...STARTED, LINE, ...ENDED]);
  const snapshot = { status: 'completed', variables: { isReplay: true, own: 1 }, channels: {} };
  const replay = replayCalled('a-replay', [...STARTED, LINE, SET, LINE, ...ENDED], { of: 'a', snapshot });

  it('has as many events of the kind as its source, each caused by one that is there, and no value of it', () => {
    const left = withoutAdded(replay, kinds, [source, replay]);
    expect(typesIn(left?.events)).toEqual(typesIn(source.events));
    expect(left?.events.map((event) => Object(event)['causationId'] as Json)).toEqual([
      undefined,
      'a-replay-0',
      'a-replay-1',
      'a-replay-2',
      'a-replay-5',
    ]);
    expect(left?.snapshot).toEqual({ ...snapshot, variables: { own: 1 } });
  });

  it('keeps what a run wrote that it was made of, by whichever forks', () => {
    const set = runCalled('a', [...STARTED, SET, ...ENDED]);
    const again = replayCalled('b', [...STARTED, SET, LINE, ...ENDED], { of: 'a', snapshot });
    const third = replayCalled('c', [...STARTED, SET, LINE, LINE, ...ENDED], { of: 'b', snapshot });
    const left = withoutAdded(third, kinds, [set, again, third]);
    expect(typesIn(left?.events)).toEqual(typesIn(set.events));
    expect(left?.snapshot).toEqual(snapshot);
  });

  it('has each value as often as its source, where a type is meant, and no value of its own', () => {
    const own: Said = ['variable.changed', { name: 'own', value: 1 }];
    const once = runCalled('a', [...STARTED, own, ...ENDED]);
    const twice = replayCalled('b', [...STARTED, own, SET, own, ...ENDED], { of: 'a', snapshot });
    const left = withoutAdded(twice, [{ type: 'variable.changed' }], [once, twice]);
    expect(typesIn(left?.events)).toEqual(typesIn(once.events));
    expect(left?.snapshot).toEqual({ ...snapshot, variables: { own: 1 } });
  });

  it('is the same where nothing was added, or nobody knows to what', () => {
    const same = replayCalled('b', [...STARTED, LINE, ...ENDED], { of: 'a' });
    expect(withoutAdded(same, kinds, [source, same])).toBeUndefined();
    expect(withoutAdded(replay, kinds, [replay])).toBeUndefined();
    expect(withoutAdded(source, kinds, [source])).toBeUndefined();
  });
});
