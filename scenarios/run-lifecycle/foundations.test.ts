import type { Json } from '../../src/evidence/types.ts';
import { describe, expect, it } from 'vitest';
import { runAs, say } from '../../test/recorded-runs.ts';
import { compareStates } from '../shared/compare-states.ts';
import { foundations } from './foundations.ts';

const snapshots = foundations.find(({ check }) => check === 'run.snapshot-agrees');

describe('a snapshot that is not that of its own log', () => {
  const log = [say('run.started'), say('variable.changed', { name: 'a', value: 1 }), say('run.completed')];
  const [source, replay] = [1, 2].map((a) =>
    runAs(`run that shows ${a}`, log, { snapshot: { status: 'completed', variables: { a } } }),
  );

  it('is set aside, so that what differs in it rests on the row about snapshots', () => {
    if (source === undefined || replay === undefined) throw new Error('two runs');
    expect(compareStates(source, replay).kind).toBe('different');
    expect(snapshots?.without?.(source, [], [])).toBeUndefined();
    expect(snapshots?.without?.(replay, [], [])).toEqual({ snapshot: null });
    expect(compareStates(source, { ...replay, snapshot: null }).kind).toBe('unreadable');
  });

  it('stays where it agreed with its log before: what changed it since is another defect', () => {
    if (source === undefined || replay === undefined) throw new Error('two runs');
    const again = { ...replay, id: 'again', runId: source.runId };
    expect(snapshots?.without?.(again, [], [source, again])).toBeUndefined();
    expect(snapshots?.without?.(again, [], [again, source])).toEqual({ snapshot: null });
    expect(snapshots?.without?.(again, [], [{ ...again, id: 'before' }, again])).toEqual({ snapshot: null });
  });

  it('is set aside where snapshots are seen to change when nothing else does', () => {
    if (source === undefined || replay === undefined) throw new Error('two runs');
    const again = { ...replay, id: 'again', runId: source.runId };
    for (const shown of [
      [again, source],
      [source, again],
    ])
      expect(snapshots?.without?.(again, shown, [source, again])).toEqual({ snapshot: null });
    expect(snapshots?.without?.(again, [source, { ...again, runId: 'another' }], [source, again])).toBeUndefined();
  });
});

describe('a log of events without payloads', () => {
  const payloads = foundations.find(({ check }) => check === 'schema.run-event.wire');
  const run = runAs('run', [say('run.started'), say('run.completed')]);
  const holding = (name: string) => ({
    ...run,
    events: run.events.map((event): Json => {
      const { payload = null, ...others } = Object(event) as Readonly<Record<string, Json>>;
      return { ...others, [name]: payload };
    }),
  });

  it('decides nothing, and one that holds any stays', () => {
    const without = holding('content');
    expect(payloads?.without?.(without, [], [])).toMatchObject({ events: [], snapshot: null });
    expect(payloads?.isBrokenBy?.(without)).toBe(true);
    for (const each of [
      run,
      holding('data'),
      { ...run, events: [] },
      { ...run, events: [...without.events, ...run.events] },
    ]) {
      expect(payloads?.without?.(each, [], [])).toBeUndefined();
      expect(payloads?.isBrokenBy?.(each)).toBe(false);
    }
  });

  it('decides nothing where payloads that have to say something hold nothing, and none of the others does', () => {
    const hollow = runAs('run', [say('run.started'), say('variable.changed'), say('run.completed')]);
    expect(payloads?.without?.(hollow, [], [])).toMatchObject({ events: [], snapshot: null });
    expect(payloads?.isBrokenBy?.(hollow)).toBe(true);
    const told = runAs('run', [say('run.started', { by: 'me' }), say('variable.changed'), say('run.completed')]);
    expect(payloads?.without?.(told, [], [])).toBeUndefined();
    expect(payloads?.without?.(run, [], [])).toBeUndefined();
  });
});

const naming = (runId: string) => runAs('r', [say('run.completed')], { snapshot: { runId, status: 'failed' } });

describe('a snapshot that names another run', () => {
  const names = foundations.find(({ check }) => check === 'schema.run-snapshot.wire');

  it('is set aside, and what another row says of it against its log stays', () => {
    expect(names).toMatchObject({ onlyPasses: true });
    expect(names?.isBrokenBy?.(naming('other'))).toBe(true);
    expect(names?.without?.(naming('other'), [], [])).toEqual({ snapshot: null });
    expect(names?.isBrokenBy?.(naming('run-r'))).toBe(false);
    expect(names?.without?.(naming('run-r'), [], [])).toBeUndefined();
  });
});

describe('a log that could not be followed', () => {
  it('breaks the claim about events where one has no id', () => {
    const events = foundations.find(({ check }) => check === 'schema.run-event');
    const run = runAs('run', [say('run.started')], { problem: 'not seen' });
    const nameless = { ...run, events: [{ ...Object(run.events[0]), eventId: 7 } as Json] };
    expect(events?.isBrokenBy?.(nameless)).toBe(true);
    expect(events?.isBrokenBy?.(run)).toBe(false);
  });
});
