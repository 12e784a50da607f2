import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/evidence/types.ts';
import { event, fork, recorded, run, short } from '../../test/fork-observations.ts';
import { OPTIONS } from '../../test/recorded-runs.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { region, type RegionsObservation, type SeenThereObservation } from './region.ts';

const log = (runId: string, value = 'v'): readonly Json[] =>
  [
    event(0, 'run.started'),
    event(1, 'variable.changed', { payload: { name: 'a', value } }),
    event(2, 'node.completed', { nodeId: 'n', payload: { output: value } }),
    event(3, 'run.completed'),
  ].map((each, index) => ({ ...(each as object), runId, eventId: `${runId}-${index}` }));

const source = run('source of conformance-multi-node', {
  events: log('run_a'),
  snapshot: { runId: 'run_a', status: 'completed', variables: { a: 'v' } },
});

function made(
  by: 'first' | 'second',
  more: Partial<RunObservation> & { mode?: string; fromSeq?: number } = {},
): RunObservation {
  const { mode = 'replay' } = more;
  const runId = `run_${by}`;
  return fork(`${mode} of multi-node by the ${by} region`, runId, {
    fromSeq: 2,
    mode,
    events: log(runId),
    snapshot: { runId, status: 'completed', variables: { a: 'v' } },
    ...more,
  });
}

const regions = (more: Partial<RegionsObservation> = {}): RegionsObservation => ({
  type: 'regions',
  unread: null,
  isRegion: true,
  because: 'both are true',
  names: ['acme', 'acme'],
  exchanges: ['x1'],
  ...more,
});

const seenThere = (isSeen: boolean, runId = 'run_a'): SeenThereObservation => ({
  type: 'seen-there',
  runId,
  isSeen,
  exchanges: ['x2'],
});

function refusedWith(answered: number): RunObservation {
  return made('second', { runId: null, answered, problem: `answered with ${answered}` });
}

/** What is said of a fork that the second host answers with this, after it was seen to know the run or not. */
function servedAs(answered: number, ...seen: readonly SeenThereObservation[]): string | undefined {
  const observations = recorded(regions(), source, ...seen, made('first'), refusedWith(answered));
  return region.judge(observations, OPTIONS).map(short)[0];
}

function judged(first: RunObservation, second: RunObservation, about = regions()): readonly string[] {
  return region.judge(recorded(about, source, seenThere(true), first, second), OPTIONS).map(short);
}

/** The row on which each check rests, or its verdict, where the first region alone forks like this from the last event. */
function ownersOf(more: Partial<RunObservation>): readonly string[] {
  const [first, second] = [made('first', { fromSeq: 3, ...more }), made('second', { fromSeq: 3 })];
  const recording = recorded(regions(), source, seenThere(true), first, second);
  return region.judge(recording, OPTIONS).map(({ verdict, restsOn }) => restsOn ?? verdict);
}

describe('forks by two regions', () => {
  it('passes where they are alike, ids and clocks put aside', () => {
    expect(judged(made('first'), made('second'))).toEqual(['pass', 'pass', 'pass']);
    const later = log('run_second').map((each) => ({ ...(each as object), timestamp: '2026-01-01T00:07:00.000Z' }));
    expect(judged(made('first'), made('second', { events: later }))).toEqual(['pass', 'pass', 'pass']);
  });

  it.each(['replay', 'branch'])("holds snapshots of a %s to each other where both logs are the source's", (mode) => {
    const otherEnd = { mode, snapshot: { runId: 'run_second', status: 'completed', variables: {} } };
    const departs = ['pass', 'pass', 'fail second-region-departs'];
    expect(judged(made('first', { mode }), made('second', otherEnd))).toEqual(departs);
    const goesOn = [...log('run_second').slice(0, 2), event(2, 'run.failed', { runId: 'run_second' })];
    const other = made('second', { ...otherEnd, events: goesOn });
    expect(judged(made('first', { mode }), other)).toEqual(['pass', 'pass', 'pass']);
    const computed = { mode, snapshot: { runId: 'run_first', status: 'completed', variables: { a: 'v', b: 1 } } };
    expect(judged(made('first', computed), made('second', otherEnd))).toEqual(['pass', 'pass', 'pass']);
  });

  it('fails where the other region refuses', () => {
    const refused = made('second', { runId: null, answered: 404, problem: 'the request was answered with 404' });
    expect(judged(made('first'), refused)).toEqual(['fail region-refuses', 'inconclusive', 'inconclusive']);
  });

  it('leaves open whether a host that does not know the run is a region, and not what another refusal is', () => {
    expect(servedAs(404, seenThere(false))).toBe('inconclusive');
    expect(servedAs(404, seenThere(true, 'run_x'))).toBe('inconclusive');
    expect(servedAs(404)).toBe('inconclusive');
    expect(servedAs(422, seenThere(false))).toBe('fail region-refuses');
    expect(servedAs(404, seenThere(true))).toBe('fail region-refuses');
  });

  it('fails where history or state are others, and names the region', () => {
    const other = made('second', { events: log('run_second', 'w') });
    const departs = 'fail second-region-departs';
    expect(judged(made('first'), other)).toEqual(['pass', departs, departs]);
    const shortened = made('second', { events: log('run_second').slice(0, 1) });
    expect(judged(made('first'), shortened)).toEqual(['pass', departs, departs]);
    const end = { snapshot: { status: 'failed', variables: { a: 'v' } } };
    const [one, two] = [made('first', { fromSeq: 3 }), made('second', { fromSeq: 3, ...end })];
    expect(judged(one, two)).toEqual(['pass', 'pass', departs]);
  });

  it('fails where the first region alone departs, and rests on the rows about histories, states or snapshots', () => {
    const histories = 'sequence.prefix-equal';
    const other = { status: 'completed', variables: { a: 'w' } };
    expect(ownersOf({ events: log('run_first', 'w'), snapshot: other })).toEqual(['pass', histories, histories]);
    expect(ownersOf({ snapshot: other })).toEqual(['pass', 'pass', 'run.snapshot-agrees']);
    const failing = log('run_first').with(3, { ...(log('run_first')[3] as object), type: 'run.failed' });
    const failed = { status: 'failed', variables: { a: 'v' } };
    expect(ownersOf({ events: failing, snapshot: failed })).toEqual(['pass', 'pass', 'sequence.state-equal']);
  });

  it('rests on the snapshots of the first region where they are not those of its logs', () => {
    const wrong = { snapshot: { status: 'completed', variables: { a: 'other' } } };
    const [one, two] = [made('first', { fromSeq: 3, ...wrong }), made('second', { fromSeq: 3 })];
    const recording = recorded(regions(), { ...source, ...wrong }, one, two);
    expect(region.judge(recording, OPTIONS)[2]).toMatchObject({ verdict: 'fail', restsOn: 'run.snapshot-agrees' });
  });

  it('rests on them where they have a word of their own for an end that the other region calls by its name', () => {
    const wrong = { snapshot: { status: 'succeeded', variables: { a: 'v' } } };
    const [one, two] = [made('first', { fromSeq: 3, ...wrong }), made('second', { fromSeq: 3 })];
    const recording = recorded(regions(), { ...source, ...wrong }, one, two);
    expect(region.judge(recording, OPTIONS)[2]).toMatchObject({ verdict: 'fail', restsOn: 'run.snapshot-agrees' });
  });

  it('rests on the form of snapshots where those of the first region have no status', () => {
    const nameless = { snapshot: { variables: { a: 'v' } } };
    const [one, two] = [made('first', { fromSeq: 3, ...nameless }), made('second', { fromSeq: 3 })];
    const recording = recorded(regions(), { ...source, ...nameless }, one, two);
    expect(region.judge(recording, OPTIONS)[2]).toMatchObject({ verdict: 'fail', restsOn: 'schema.run-snapshot' });
  });

  it('is undecided about states where snapshots of the first region are no objects', () => {
    const [one, two] = [made('first', { fromSeq: 3 }), made('second', { fromSeq: 3 })];
    const listed = { ...source, snapshot: [source.snapshot ?? null] };
    expect(region.judge(recorded(regions(), listed, one, two), OPTIONS).map(short)[2]).toBe('inconclusive');
  });

  it('does not apply where the second host is no region', () => {
    const apart = ['not-applicable', 'not-applicable', 'not-applicable'];
    expect(judged(made('first'), made('second'), regions({ isRegion: false }))).toEqual(apart);
    expect(judged(made('first'), made('second'), regions({ names: ['acme', 'other'] }))).toEqual(apart);
    expect(judged(made('first'), made('second'), regions({ names: ['acme', null] }))[0]).toBe('pass');
  });

  it('is undecided where something was not seen, or neither is what the source is', () => {
    const open = ['inconclusive', 'inconclusive', 'inconclusive'];
    expect(judged(made('first'), made('second'), regions({ unread: 'no document' }))).toEqual(open);
    const refused = made('first', { runId: null, answered: 500, problem: 'the request was answered with 500' });
    expect(judged(refused, made('second'))).toEqual(open);
    const forbidden = made('second', { runId: null, answered: 403, problem: 'the request was answered with 403' });
    expect(judged(made('first'), forbidden)).toEqual(open);
    const unseen = made('second', { problem: 'the run has not ended' });
    expect(judged(made('first'), unseen)).toEqual(['pass', 'inconclusive', 'inconclusive']);
    const [one, two] = [log('run_first', 'w'), log('run_second', 'x')];
    expect(judged(made('first', { events: one }), made('second', { events: two })).slice(1)).toEqual(open.slice(1));
    expect(region.judge([], OPTIONS).map(short)).toEqual(open);
    expect(region.judge(recorded(regions(), source), OPTIONS).map(short)).toEqual(open);
  });
});
