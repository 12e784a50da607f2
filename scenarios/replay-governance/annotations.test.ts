import { describe, expect, it } from 'vitest';
import type { Json, Observation } from '../../src/evidence/types.ts';
import type { Transport } from '../../src/host/log/whole.ts';
import { event, fork, recorded, refusedFork, run, short } from '../../test/fork-observations.ts';
import { OPTIONS } from '../../test/recorded-runs.ts';
import type { ReadingObservation } from '../shared/reading.ts';
import type { AnnotatedObservation, AnnotationsObservation } from './annotating.ts';
import { annotationForks, annotationLog, MOMENTS, ROLES } from './annotations.ts';

const note = (when: string): Json => ({ annotationId: `annotation of ${when}`, note: `token of ${when}` });

function annotated(of: string, when: string, problem: string | null = null): AnnotatedObservation {
  const annotationId = problem === null ? `annotation of ${when}` : null;
  return { type: 'annotated', of, when, token: `token of ${when}`, problem, annotationId, exchanges: ['x1'] };
}

function list(of: string, when: string, annotations: readonly Json[] | null): AnnotationsObservation {
  const problem = annotations === null ? 'GET answered 500' : null;
  return { type: 'annotations', of, when, list: annotations, problem, exchanges: ['x2'] };
}

function reading(
  of: string,
  events: readonly Json[],
  { transport = 'json', how = 'start' }: { readonly transport?: Transport; readonly how?: 'start' | 'again' } = {},
): ReadingObservation {
  const shown = events.map((data) => ({ id: null, name: null, data }));
  return {
    type: 'reading',
    run: of,
    runId: of,
    transport,
    how,
    after: null,
    partial: false,
    events: shown,
    exchanges: ['x3'],
  };
}

const events = (runId: string): readonly Json[] =>
  [event(0, 'run.started'), event(1, 'run.completed')].map((each, index) => ({
    ...(each as object),
    runId,
    eventId: `${runId}-${index}`,
  }));
const inLog: Json = event(2, 'run.annotated');

const FORKS = {
  early: fork(ROLES.early, 'run_b', { events: events('run_b') }),
  replay: fork(ROLES.replay, 'run_c', { events: events('run_c') }),
  part: fork(ROLES.part, 'run_d', { fromSeq: 1 }),
  branch: fork(ROLES.branch, 'run_e', { fromSeq: 1, mode: 'branch' }),
};
const [own, others, again] = [note(MOMENTS.source), note(MOMENTS.fork), note(MOMENTS.again)];

function key(each: Observation): string {
  const { of, when, role } = each as Partial<Record<'of' | 'when' | 'role', string>>;
  return [each.type, of, when, role, each.type === 'reading' ? (each as ReadingObservation).run : ''].join(' ');
}

/** What a conformant host gives; a later observation of the same kind, run and moment takes the place of an earlier one. */
function observed(...changes: readonly Observation[]): readonly Observation[] {
  const all: readonly Observation[] = [
    run(ROLES.source, { events: events('run_a') }),
    ...Object.values(FORKS),
    annotated(ROLES.source, MOMENTS.source),
    list(ROLES.source, MOMENTS.source, [own]),
    ...Object.values(FORKS).map(({ role }) => list(role, MOMENTS.source, [])),
    annotated(ROLES.replay, MOMENTS.fork),
    list(ROLES.replay, MOMENTS.fork, [others]),
    list(ROLES.source, MOMENTS.fork, [own]),
    list(ROLES.early, MOMENTS.fork, []),
    annotated(ROLES.source, MOMENTS.again),
    list(ROLES.replay, MOMENTS.again, [others]),
    list(ROLES.early, MOMENTS.again, []),
    list(ROLES.source, MOMENTS.again, [own, again]),
    reading(ROLES.replay, events('run_c')),
    reading(ROLES.early, events('run_b')),
  ];
  const changed = new Map(changes.map((each) => [key(each), each]));
  return all.map((each) => changed.get(key(each)) ?? each);
}

function judged(observations: readonly Observation[]): readonly string[] {
  return annotationForks.judge(recorded(...observations), OPTIONS).map(short);
}

const PASS = ['pass', 'pass', 'pass', 'pass'];
const at = (index: number, verdict: string): readonly string[] => PASS.with(index, verdict);

describe('annotations of forks', () => {
  it('pass where every run has its own', () => {
    expect(judged(observed())).toEqual(PASS);
  });

  it.each([
    ['a replay inherits', 0, list(ROLES.replay, MOMENTS.source, [own]), 'fail annotations-inherited'],
    ['an earlier replay gets them', 0, list(ROLES.early, MOMENTS.source, [own]), 'fail annotations-inherited'],
    ['a branch inherits', 1, list(ROLES.branch, MOMENTS.source, [{}]), 'fail annotations-inherited'],
    ["a fork's shows at the source", 2, list(ROLES.source, MOMENTS.fork, [own, others]), 'fail annotations-mixed'],
    ["the source's shows at a fork", 2, list(ROLES.replay, MOMENTS.again, [others, again]), 'fail annotations-mixed'],
    ['the log of a fork has one', 3, reading(ROLES.replay, [...events('run_c'), inLog]), 'fail annotation-in-log'],
  ])('fail where %s', (_, index, change, verdict) => {
    expect(judged(observed(change))).toEqual(at(index, verdict));
  });

  it('fail where a replay of a replay lists any, of whichever run', () => {
    const fourth = fork(ROLES.again, 'run_f', { events: events('run_f') });
    const listing = (all: readonly Json[]): readonly string[] =>
      judged([...observed(), fourth, list(ROLES.again, MOMENTS.fork, all)]);
    expect(listing([])).toEqual(PASS);
    for (const inherited of [own, others, {}])
      expect(listing([inherited])).toEqual(at(2, 'fail annotations-inherited'));
    const seen = [
      ...observed(list(ROLES.replay, MOMENTS.source, [own])),
      fourth,
      list(ROLES.again, MOMENTS.fork, [own]),
    ];
    expect(judged(seen)).toEqual(['fail annotations-inherited', 'pass', 'fail annotations-inherited', 'pass']);
    expect(judged([...observed(), fourth])).toEqual(at(2, 'inconclusive'));
  });

  it('fail where a branch of an annotated replay lists any', () => {
    const ofFork = fork(ROLES.ofFork, 'run_g', { mode: 'branch', events: events('run_g') });
    const listing = (all: readonly Json[] | null) =>
      judged([...observed(), ofFork, list(ROLES.ofFork, MOMENTS.fork, all)]);
    expect(listing([])).toEqual(PASS);
    expect(listing([others])).toEqual(at(1, 'fail annotations-inherited'));
    expect(listing(null)).toEqual(at(1, 'inconclusive'));
  });

  it.each([ROLES.part, ROLES.branch])('fail where the log of another fork has one: the %s', (role) => {
    expect(judged([...observed(), reading(role, events('run_d'))])).toEqual(PASS);
    expect(judged([...observed(), reading(role, [...events('run_d'), inLog])])).toEqual(
      at(3, 'fail annotation-in-log'),
    );
  });

  it('fail where another run alone shows one', () => {
    const filed = [list(ROLES.source, MOMENTS.fork, [own, others]), list(ROLES.replay, MOMENTS.fork, [])];
    expect(judged(observed(...filed))).toEqual(['pass', 'pass', 'fail annotations-mixed', 'inconclusive']);
    const moved = [list(ROLES.replay, MOMENTS.source, [own]), list(ROLES.source, MOMENTS.source, [])];
    expect(judged(observed(...moved))[0]).toBe('fail annotations-inherited');
  });

  it('are undecided where their own list shows nothing by which one could be told', () => {
    const mixed = observed().map((each): Observation => {
      if (each.type === 'annotated') return { ...each, annotationId: 'a' } as Observation;
      const isLater = each.type === 'annotations' && (each as AnnotationsObservation).when !== MOMENTS.source;
      return isLater ? ({ ...each, list: [{ annotationId: 'a' }, { annotationId: 'b' }] } as Observation) : each;
    });
    expect(judged(mixed)[2]).toBe('inconclusive');
    expect(judged(observed(list(ROLES.source, MOMENTS.again, [own])))[2]).toBe('inconclusive');
  });

  it('do not apply to branches where the host makes none', () => {
    const without = observed().filter(
      (each) => each.type !== 'run' || (each as { role?: string }).role !== ROLES.branch,
    );
    expect(judged(without)).toEqual(at(1, 'not-applicable'));
  });

  it('are undecided where lists, annotations or forks were not seen', () => {
    expect(judged(observed(list(ROLES.replay, MOMENTS.source, null)))).toEqual(at(0, 'inconclusive'));
    expect(judged(observed(list(ROLES.source, MOMENTS.source, [])))).toEqual([
      'inconclusive',
      'inconclusive',
      'pass',
      'inconclusive',
    ]);
    expect(judged(observed(list(ROLES.replay, MOMENTS.fork, [])))).toEqual([
      'pass',
      'pass',
      'inconclusive',
      'inconclusive',
    ]);
    expect(judged(observed(annotated(ROLES.replay, MOMENTS.fork, 'POST answered 501')))[3]).toBe('pass');
    expect(judged(observed(list(ROLES.early, MOMENTS.again, null)))).toEqual(at(2, 'inconclusive'));
    expect(judged(observed(refusedFork(ROLES.part, 429)))).toEqual(at(0, 'inconclusive'));
    expect(judged(observed(refusedFork(ROLES.part, 501)))).toEqual(at(0, 'inconclusive'));
    const refused = recorded(run(ROLES.source), annotated(ROLES.source, MOMENTS.source, 'POST answered 501'));
    const open = annotationForks.judge(refused, OPTIONS).map(({ verdict }) => verdict);
    expect(new Set(open)).toEqual(new Set(['inconclusive']));
    const refusedByHost = refused.map((each) => (each.type === 'annotated' ? { ...each, exchanges: ['x1'] } : each));
    const reasons = annotationForks.judge(refusedByHost, OPTIONS).map(({ reason }) => reason);
    const told = 'POST answered 501: take annotations there, or advertise no feedback';
    expect(new Set(reasons)).toEqual(new Set([told]));
    expect(new Set(judged([]))).toEqual(new Set(['inconclusive']));
  });
});

const AFTER = 'the run was annotated after its end';
const DURING = 'the run was annotated while it waited';
const token: Json = event(2, 'log.appended', { payload: { text: `token of ${DURING}` } });

function judgedLog(...readings: readonly ReadingObservation[]): string {
  const seen = [
    run('run', { events: events('run_a') }),
    annotated('run', DURING),
    annotated('run', AFTER),
    list('run', AFTER, [note(DURING), note(AFTER)]),
  ];
  const [judgement] = annotationLog.judge(recorded(...seen, ...readings), OPTIONS);
  return judgement === undefined ? 'none' : short(judgement);
}

describe('the log of an annotated run', () => {
  const log = events('run_a');

  it('passes without the annotation, and with a live notification that comes once', () => {
    expect(judgedLog(reading('run', log))).toBe('pass');
    const once = reading('run', [...log, inLog], { transport: 'sse' });
    expect(judgedLog(once)).toBe('pass');
    expect(judgedLog(once, reading('run', log, { transport: 'sse', how: 'again' }))).toBe('pass');
    expect(judgedLog(reading('run', [null, 7, 'x', ...log]))).toBe('pass');
  });

  it('fails with it, under its own name or another one', () => {
    expect(judgedLog(reading('run', [...log, inLog]))).toBe('fail annotation-in-log');
    expect(judgedLog(reading('run', [...log, token], { transport: 'poll' }))).toBe('fail annotation-in-log');
    const streams = (['start', 'again'] as const).map((how) =>
      reading('run', [...log, { type: 'run.annotated' }], { transport: 'sse', how }),
    );
    expect(judgedLog(...streams)).toBe('fail annotation-in-log');
  });

  it('fails where events have moved', () => {
    const moved = log.map((each) => ({ ...(each as { sequence: number }), sequence: 7 }));
    expect(judgedLog(reading('run before', log), reading('run', moved))).toBe('fail annotation-moves-events');
    const polled = reading('run', moved, { transport: 'poll' });
    expect(judgedLog(reading('run before', log), polled)).toBe('pass');
  });

  it('is undecided where its events share an id', () => {
    const shared = log.map((each) => ({ ...(each as { eventId: string }), eventId: 'e' }));
    const moved = shared.map((each) => ({ ...each, sequence: 7 }));
    expect(judgedLog(reading('run before', shared), reading('run', moved))).toBe('inconclusive');
    expect(judgedLog(reading('run', [...shared, inLog]))).toBe('fail annotation-in-log');
  });

  it('is undecided without a reading, an annotation or a list that shows it', () => {
    expect(judgedLog()).toBe('inconclusive');
    expect(annotationLog.judge([], OPTIONS).map(short)).toEqual(['inconclusive']);
    const unshown = recorded(run('run'), annotated('run', AFTER), list('run', AFTER, []), reading('run', log));
    expect(annotationLog.judge(unshown, OPTIONS).map(short)).toEqual(['inconclusive']);
    const unseen = recorded(run('run', { problem: 'the run has not ended' }), annotated('run', AFTER));
    expect(annotationLog.judge(unseen, OPTIONS).map(short)).toEqual(['inconclusive']);
  });
});
