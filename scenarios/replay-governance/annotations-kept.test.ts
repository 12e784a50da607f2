import { describe, expect, it } from 'vitest';
import type { Json, Observation } from '../../src/evidence/types.ts';
import { fork, recorded, refusedFork, run, short } from '../../test/fork-observations.ts';
import { OPTIONS } from '../../test/recorded-runs.ts';
import { BESIDE_FORK, judgeKept, KEPT } from './annotations-kept.ts';
import { annotationForks } from './annotations.ts';

const MADE: Json = { annotationId: 'annotation-1', note: 'token' };
const OTHER: Json = { annotationId: 'annotation-2', note: 'other' };

function list(when: string, annotations: readonly Json[] | null): Observation {
  const problem = annotations === null ? 'GET answered 500' : null;
  return { type: 'annotations', of: KEPT.run, when, list: annotations, problem, exchanges: ['x2'] } as Observation;
}

const ANNOTATED = {
  type: 'annotated',
  of: KEPT.run,
  when: BESIDE_FORK.before,
  token: 'token',
  problem: null,
  annotationId: 'annotation-1',
  exchanges: ['x1'],
} as Observation;

function seen(before: readonly Json[] | null, after: readonly Json[] | null, made = fork(KEPT.fork, 'run_k')) {
  const lists = [list(BESIDE_FORK.before, before), list(BESIDE_FORK.after, after)];
  return recorded(run(KEPT.run), ANNOTATED, made, ...lists);
}

const AT_ONCE = { ...ANNOTATED, when: BESIDE_FORK.atOnce, token: 'other', annotationId: 'annotation-2' } as Observation;

describe('two annotations that are made at once', () => {
  const refused = { ...AT_ONCE, problem: 'POST answered 409' } as Observation;

  it.each([
    ['pass', AT_ONCE, [MADE, OTHER]],
    ['fail', AT_ONCE, [OTHER]],
    ['fail', AT_ONCE, [OTHER, { text: 'of somebody' }]],
    ['pass', AT_ONCE, [{ text: 'hidden' }, { text: 'hidden' }]],
    ['pass', refused, [MADE]],
  ])('%s with %j where the list shows %j', (expected, other, before) => {
    const all = [...seen(before, before), ...recorded(other)];
    expect(judgeKept(all)?.kind).toBe(expected);
  });

  it('say nothing where the list shows none, or is not read', () => {
    expect(judgeKept([...seen([], []), ...recorded(AT_ONCE)])).toBeUndefined();
    expect(judgeKept([...seen(null, []), ...recorded(AT_ONCE)])).toBeUndefined();
  });
});

describe('the annotations of a run that is forked', () => {
  it.each([
    ['pass', [MADE], [MADE]],
    ['pass', [MADE], [MADE, OTHER]],
    ['pass', [{ text: 'hidden' }], [{ text: 'hidden' }]],
    ['fail', [MADE], []],
    ['fail', [MADE], [OTHER]],
    [undefined, [], []],
    [undefined, null, []],
    [undefined, [MADE], null],
  ])('%s where they were %j and are %j', (expected, before, after) =>
    expect(judgeKept(seen(before, after))?.kind).toBe(expected),
  );

  it('say nothing where no fork was made, and in older evidence', () => {
    expect(judgeKept(seen([MADE], [], refusedFork(KEPT.fork, 501)))).toBeUndefined();
    expect(judgeKept([])).toBeUndefined();
  });

  it('are the cause of what could not be seen without them', () => {
    const judged = annotationForks.judge(seen([MADE], []), OPTIONS);
    expect(judged.map(short)).toEqual(['inconclusive', 'inconclusive', 'fail annotations-lost', 'inconclusive']);
    expect(judged.map(({ restsOn }) => restsOn ?? '')).toEqual([
      'annotation.not-inherited.separate',
      'annotation.not-inherited.separate',
      '',
      'annotation.not-inherited.separate',
    ]);
  });
});
