import { describe, expect, it } from 'vitest';
import type { Json, Observation } from '../../src/evidence/types.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { replayCalled, runCalled, type Said, withReplay } from '../../test/recorded-runs.ts';
import { executed, lostInAll, replayedIn, withoutLost } from './lost-in-replays.ts';

const MEMBERS = ['output', 'value'];
const WORKED: readonly Said[] = [
  ['run.started'],
  ['node.started', {}, 'node'],
  ['node.completed', { output: 1 }, 'node'],
  ['run.completed'],
];
const NO_END = WORKED.filter(([type]) => type !== 'node.completed');
const NO_OUTPUT = WORKED.map((said): Said => (said[0] === 'node.completed' ? ['node.completed', {}, 'node'] : said));

const pair = (name: string, replayed: readonly Said[], ran = WORKED) => withReplay(name, ran, replayed);

function lost(...pairs: readonly (readonly Recorded<Observation>[])[]): unknown {
  return lostInAll(replayedIn(pairs.flat()), MEMBERS);
}

function twice(...outputs: readonly number[]): readonly Said[] {
  return outputs.map((output): Said => ['node.completed', { output }, 'node']);
}

describe('what replays show nowhere', () => {
  it('is a type of events, or a member of their payloads', () => {
    expect(lost(pair('a', NO_END), pair('b', NO_END), pair('c', NO_END))).toEqual({ type: 'node.completed' });
    expect(lost(pair('a', NO_OUTPUT), pair('b', NO_OUTPUT), pair('c', NO_OUTPUT))).toEqual({
      type: 'node.completed',
      member: 'output',
    });
  });

  it('is a member that no replay has as its source, though it has one', () => {
    const other = WORKED.map((said): Said => (said[0] === 'node.completed' ? [said[0], { output: 2 }, 'node'] : said));
    const all = [pair('a', other), pair('b', other), pair('c', other)];
    expect(lost(...all)).toEqual({ type: 'node.completed', member: 'output' });
    expect(lost(...all, pair('d', WORKED))).toBeUndefined();
    // Of a node that completes twice, each time is compared with its own.
    const both = (second: number) => pair('d', twice(2, second), twice(1, 2));
    expect([lost(...all, both(3)), lost(...all, both(2))]).toEqual([lost(...all), undefined]);
  });

  it('is nothing where one replay shows it, where few workflows do, or where nothing is missing', () => {
    expect(lost(pair('a', NO_END), pair('b', NO_END), pair('c', NO_END), pair('d', WORKED))).toBeUndefined();
    expect(lost(pair('a', NO_END), pair('b', NO_END))).toBeUndefined();
    expect(lost(pair('a', WORKED), pair('b', WORKED), pair('c', WORKED))).toBeUndefined();
  });

  it('is nothing where most workflows do not show it at all', () => {
    const other = (name: string): readonly Recorded<Observation>[] => pair(name, NO_END, NO_END);
    const some = [pair('a', NO_END), pair('b', NO_END), pair('c', NO_END)];
    expect(lost(...some, other('d'), other('e'), other('f'))).toEqual({ type: 'node.completed' });
    expect(lost(...some, other('d'), other('e'), other('f'), other('g'))).toBeUndefined();
  });

  it('is looked for in what was executed, not in histories', () => {
    const later = ['a', 'b', 'c'].map((name) => [
      runCalled(name, WORKED, { role: `source of conformance-${name}` }),
      replayCalled(`${name}-replay`, NO_OUTPUT, { of: name, from: 3, role: `replay of ${name}` }),
    ]);
    expect(lost(...later)).toBeUndefined();
  });

  it('is taken out of snapshots, where they are values', () => {
    const set: Said = ['variable.changed', { name: 'own', value: 1 }];
    const snapshot = { status: 'completed', variables: { own: 1 }, channels: { log: [1] } };
    const run = runCalled('a', [set], { snapshot });
    expect(withoutLost(run, { type: 'variable.changed', member: 'value' })?.snapshot).toEqual({
      ...snapshot,
      variables: {},
    });
    expect(withoutLost(runCalled('a', WORKED, { snapshot }), { type: 'node.completed' })?.snapshot).toEqual(snapshot);
    // A replay may keep the values whose events it does not show.
    const silent = runCalled('a', [['run.started']], { snapshot });
    expect(withoutLost(silent, { type: 'variable.changed' })?.snapshot).toMatchObject({ variables: {} });
  });

  it('is taken out of every run', () => {
    const run = runCalled('a', WORKED);
    const left = withoutLost(run, { type: 'node.completed' })?.events ?? [];
    expect(left.map((event) => Object(event)['type'] as Json)).toEqual(NO_END.map(([type]) => type));
    const [, , completed] = withoutLost(run, { type: 'node.completed', member: 'output' })?.events ?? [];
    expect(Object(completed)['payload']).toEqual({});
    expect(withoutLost(run, { type: 'channel.written' })).toBeUndefined();
  });
});

describe('what a replay executed', () => {
  it('begins behind its history, whatever it says about itself before', () => {
    const [source] = pair('a', WORKED);
    const replay = replayCalled('a-replay', [['replay.started'], ...WORKED], { of: 'a', from: 2 });
    const [both] = replayedIn([source, replay].filter((run) => run !== undefined));
    const types = both && [both.source, both.replay].map((run) => executed(run, both).map(({ type }) => type));
    expect(types).toEqual([
      ['node.completed', 'run.completed'],
      ['node.completed', 'run.completed'],
    ]);
  });
});
