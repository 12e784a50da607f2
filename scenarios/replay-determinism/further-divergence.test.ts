import { describe, expect, it } from 'vitest';
import type { Json, Observation } from '../../src/evidence/types.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { observed, runAs, type Said, say, verdictOf } from '../../test/recorded-runs.ts';
import { furtherDivergence } from './further-divergence.ts';

const ROLE = 'replay of changed code';

/** What a node shows, with the value that it writes. */
function node(nodeId: string, value?: string): readonly Said[] {
  return [
    say('node.started', {}, nodeId),
    ...(value === undefined ? [] : [say('variable.changed', { name: nodeId, next: value }, nodeId)]),
    say('node.completed', {}, nodeId),
  ];
}

/** The log of two constants with these values, and what is reported behind each. */
function log(one: string, other: string, ...reports: readonly Json[]): readonly Said[] {
  return [
    say('run.started'),
    ...node('one', one),
    ...node('between'),
    ...node('other', other),
    ...reports.map((payload) => say('replay.diverged', payload)),
    say('run.completed'),
  ];
}

const SOURCE = runAs('source', log('first', 'first'));
const FORK = { sourceRunId: 'run-source', mode: 'replay', fromSeq: null, advertised: true };
const CHANGED: Recorded<Observation> = observed('r', 'revision', { revision: '2.0.0', problem: null });
/** Sequence numbers of the source: where its first constant is written, and its last one. */
const [FIRST, LAST] = [2, 7];

function judged(replay: readonly Said[], changed = CHANGED): string {
  return verdictOf(furtherDivergence, 'replay.further-divergence', [
    SOURCE,
    changed,
    runAs(ROLE, replay, { fork: FORK }),
  ]);
}

describe('what differs behind a divergence', () => {
  it('is reported by a number, or an event, behind what is alike', () => {
    expect(judged(log('second', 'second', { divergencePoint: FIRST }, { divergencePoint: LAST }))).toBe('pass');
    expect(judged(log('second', 'second', { originalEventId: 'run-source-7' }, { atSequence: FIRST }))).toBe('pass');
  });

  it('is not reported by what names the first difference alone', () => {
    const once = log('second', 'second', { divergencePoint: FIRST });
    expect(judged(once)).toBe('fail further-divergence-silent');
    expect(judged(log('second', 'second', { atSequence: FIRST }, { atSequence: FIRST + 1 }))).toMatch(/^fail/u);
  });

  it('is undecided where there is no second difference, no report, or no change', () => {
    expect(judged(log('second', 'first', { divergencePoint: FIRST }))).toBe('inconclusive');
    expect(judged(log('first', 'second', { divergencePoint: FIRST }))).toBe('inconclusive');
    expect(judged(log('second', 'second'))).toBe('inconclusive');
    expect(judged(log('first', 'first'))).toBe('inconclusive');
    const refused = observed('r', 'revision', { revision: '2.0.0', problem: 'there is no such seam' });
    expect(judged(log('second', 'second', { divergencePoint: FIRST }), refused)).toBe('inconclusive');
    expect(verdictOf(furtherDivergence, 'replay.further-divergence', [])).toBe('inconclusive');
    expect(verdictOf(furtherDivergence, 'replay.further-divergence', [SOURCE])).toBe('inconclusive');
  });
});
