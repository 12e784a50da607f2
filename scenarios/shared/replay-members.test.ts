import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/evidence/types.ts';
import { replayOf, runAs, type Said, say } from '../../test/recorded-runs.ts';
import { compareLogs, comparePrefixes } from './compare-runs.ts';
import { replayMembers, withMembersOf, withoutReplayMembers } from './replay-members.ts';

const LOG: readonly Said[] = [
  say('run.started', { tags: ['a'] }),
  say('node.started', {}, 'n'),
  say('node.completed', { output: 1 }, 'n'),
  say('run.completed'),
];
const source = runAs('source', LOG);
const replay = (fromSeq: number, change: (event: { readonly [name: string]: Json }) => Json) => {
  const run = runAs('replay', LOG, replayOf(source, fromSeq));
  return { ...run, events: run.events.map((event) => change(event as { readonly [name: string]: Json })) };
};
const withoutNodes = ({ nodeId: _nodeId, ...event }: { readonly [name: string]: Json }): Json => event;
const tagged = (event: { readonly [name: string]: Json }): Json =>
  event['type'] === 'run.started' ? { ...event, payload: { tags: ['a', 'replay'], by: 'host' } } : event;
const timed = (event: { readonly [name: string]: Json }): Json =>
  event['type'] === 'node.completed' ? { ...event, payload: { ...Object(event['payload']), tookMs: 7 } } : event;
const called = (suffix: string): readonly Said[] => [
  say('run.started'),
  say('node.completed', { output: 1 }, `n${suffix}`),
  say('node.completed', { output: 2 }, `o${suffix}`),
  say('run.completed'),
];

describe('what a host writes otherwise into replays', () => {
  it('is members of events, of payloads those that say nothing of what happened', () => {
    expect(replayMembers(source, replay(0, withoutNodes))).toEqual([['nodeId']]);
    expect(replayMembers(source, replay(0, tagged))?.toSorted()).toEqual([
      ['payload', 'by'],
      ['payload', 'tags'],
    ]);
    const other = runAs('replay', LOG.with(2, say('node.completed', { output: 2 }, 'n')), replayOf(source, 0));
    expect(replayMembers(source, other)).toBeUndefined();
    const typed = runAs('replay', LOG.with(1, say('node.started', { typeId: 'core.other' }, 'n')), replayOf(source, 0));
    expect(replayMembers(source, typed)).toBeUndefined();
    expect(replayMembers(source, runAs('replay', LOG.toSpliced(1, 1), replayOf(source, 0)))).toBeUndefined();
    expect(
      replayMembers(
        source,
        replay(0, (event) => event),
      ),
    ).toBeUndefined();
  });

  it.each([
    ['of events', withoutNodes],
    ['of payloads', tagged],
  ])("is as its source's where it was executed, and stays where it was inherited: %s", (_, change) => {
    const whole = replay(0, change);
    const members = replayMembers(source, whole) ?? [];
    expect(compareLogs(source, { ...whole, events: withMembersOf(source, whole, members) }).kind).toBe('same');
    const rest = replay(2, change);
    const restored = { ...rest, events: withMembersOf(source, rest, members) };
    expect(restored.events.slice(0, 2)).toEqual(rest.events.slice(0, 2));
    expect(comparePrefixes(source, restored, 2).kind).toBe('different');
  });

  it('is found by code with a node more as well', () => {
    const longer = runAs(
      'replay',
      LOG.toSpliced(1, 0, say('node.started', {}, 'm'), say('node.completed', { output: 2 }, 'm')),
      replayOf(source, 0),
    );
    const run = { ...longer, events: longer.events.map((event) => timed(event as { readonly [name: string]: Json })) };
    const members = replayMembers(source, replay(0, timed)) ?? [];
    expect(members).toEqual([['payload', 'tookMs']]);
    const own = (withMembersOf(source, run, members) as readonly { readonly payload: object }[]).filter(
      ({ payload }) => 'tookMs' in payload,
    );
    expect(own).toMatchObject([{ nodeId: 'm' }]);
  });

  it('is the id of a node, too, where code with a node more is executed', () => {
    const [began, again] = [runAs('source', called('')), runAs('replay', called('-2'), replayOf(source, 0))];
    const more = called('-2').toSpliced(1, 0, say('node.completed', { output: 3 }, 'm-2'));
    const members = replayMembers(began, again) ?? [];
    expect(members).toEqual([['nodeId']]);
    const left = withMembersOf(began, runAs('replay', more, replayOf(began, 0)), members);
    expect(left.map((event) => Object(event).nodeId)).toEqual([undefined, 'm-2', 'n', 'o', undefined]);
  });

  it('is set aside in replays of replays, too', () => {
    const parent = replay(0, withoutNodes);
    const again = runAs('replay of a replay', LOG, replayOf(parent, 0));
    const child = {
      ...again,
      events: again.events.map((event) => withoutNodes(event as { readonly [name: string]: Json })),
    };
    const recorded = [source, parent, child];
    const left = withoutReplayMembers(child, [parent, source], recorded);
    expect(compareLogs(source, { ...child, events: left?.events ?? [] }).kind).toBe('same');
    expect(withoutReplayMembers(source, [parent, source], recorded)).toBeUndefined();
    expect(withoutReplayMembers(child, [], recorded)).toBeUndefined();
  });
});
