import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/evidence/types.ts';
import { replayOf, runAs, type Said, say } from '../../test/recorded-runs.ts';
import { foundations, replayMembers, withMembersOf } from './foundations.ts';
import { compareLogs, comparePrefixes } from '../shared/compare-runs.ts';
import type { RunObservation } from '../shared/run-observation.ts';

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

describe('what a host writes otherwise into replays', () => {
  it('is members of events, of payloads those that say nothing of what happened', () => {
    expect(replayMembers(source, replay(0, withoutNodes))).toEqual([['nodeId']]);
    expect(replayMembers(source, replay(0, tagged))?.toSorted()).toEqual([
      ['payload', 'by'],
      ['payload', 'tags'],
    ]);
    const other = runAs('replay', LOG.with(2, say('node.completed', { output: 2 }, 'n')), replayOf(source, 0));
    expect(replayMembers(source, other)).toBeUndefined();
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

  it('is set aside in replays of replays, too', () => {
    const claim = foundations.find(({ check }) => check === 'fork.replay-defaults-to-zero');
    const parent = replay(0, withoutNodes);
    const again = runAs('replay of a replay', LOG, replayOf(parent, 0));
    const child = {
      ...again,
      events: again.events.map((event) => withoutNodes(event as { readonly [name: string]: Json })),
    };
    const recorded = [source, parent, child];
    const left = claim?.without?.(child, [parent, source], recorded) as Pick<RunObservation, 'events'> | undefined;
    expect(compareLogs(source, { ...child, events: left?.events ?? [] }).kind).toBe('same');
    expect(claim?.without?.(source, [parent, source], recorded)).toBeUndefined();
    expect(claim?.without?.(child, [], recorded)).toBeUndefined();
  });
});

const answering = (mode: string, fromSeq: number): RunObservation => ({
  ...runAs('replay', LOG, replayOf(source, 2)),
  answer: { mode, fromSeq },
});

const left = (check: string, run: RunObservation) =>
  foundations.find((claim) => claim.check === check)?.without?.({ ...run, id: 'o1' }, [], []);

describe('a fork that is another one by its own answer', () => {
  it('is none, for the row about such forks', () => {
    const branch = { ...answering('replay', 2), fork: { ...replayOf(source, 2).fork, mode: 'branch' as const } };
    expect(left('fork.created', answering('branch', 2))).toMatchObject({ runId: null, events: [], snapshot: null });
    expect(left('fork.created.branch', branch)).toMatchObject({ runId: null });
    expect(left('fork.created.every-sequence', answering('replay', 0))).toMatchObject({ runId: null });
  });

  it('stays as it is where the answer says what was requested, or names no mode and no start', () => {
    for (const answer of [{ mode: 'replay', fromSeq: 2 }, { mode: 'REPLAY', fromSeq: '2' }, {}, null]) {
      const run = { ...answering('replay', 2), answer };
      for (const check of ['fork.created', 'fork.created.every-sequence', 'fork.created.branch']) {
        expect(left(check, run)).toBeUndefined();
      }
    }
  });
});
