import { describe, expect, it } from 'vitest';
import { judged, recorded, requested, run, short } from '../../test/fork-observations.ts';
import { rowsOf } from '../shared/judge-invisible-reading.ts';
import {
  judgeInvisibleChild,
  OF_A_BRANCH,
  OF_A_CHILD,
  OF_A_REPLAY,
  OF_ANOTHER_CHILD,
  OTHERS_OF_A_CHILD,
} from './invisible-child.ts';

const NOT_FOUND = { error: 'run_not_found', message: 'There is no such run.' };

/** What another tenant is answered about the child, and what its owner is, by the kind of request. */
function judge(invisible: readonly number[], owner: readonly number[] = [200, 200, 201]) {
  const answers = OF_A_CHILD.flatMap(({ kind }, index) => {
    const rows = rowsOf(kind);
    const status = invisible[index] ?? 404;
    return [
      requested(rows.invisible, 'run_c', status, status < 300 ? { runId: 'run_c' } : NOT_FOUND),
      requested(rows.unknown, 'run_x', 404, NOT_FOUND),
      requested(rows.unknown, 'run_y', 404, NOT_FOUND),
      requested(rows.owner, 'run_c', owner[index] ?? 404, {}),
    ];
  });
  return judged(judgeInvisibleChild(recorded(run('source'), ...answers)));
}

describe("the child of another tenant's run", () => {
  it('passes where each request about it is refused', () => {
    expect(judge([404, 404, 404])).toMatchObject({ verdict: 'pass' });
    expect(judge([404, 404, 404], [200, 200, 501])).toMatchObject({ verdict: 'pass' });
  });

  it.each([[[200]], [[404, 200]], [[404, 404, 201]]])('fails where one is served: %j', (statuses) => {
    expect(short(judge(statuses))).toBe('fail tenants-mixed');
  });

  it('is undecided where its owner cannot read it, or the log names none', () => {
    expect(judge([], [404, 404, 404])).toMatchObject({ verdict: 'inconclusive' });
    expect(judged(judgeInvisibleChild(recorded(run('source'))))).toMatchObject({ verdict: 'inconclusive' });
    expect(judged(judgeInvisibleChild(recorded(run('source', { problem: 'no end' }))))).toMatchObject({
      verdict: 'inconclusive',
    });
  });
});

const of = (row: string, status: number) =>
  requested(row, 'run_c', status, status < 300 ? { runId: 'run_c' } : NOT_FOUND);

/** What is said where all is refused but one further kind of request, which unknown runs are answered with this. */
function judgeFurther(kind: string, unknown: number) {
  const rows = rowsOf(kind);
  const plain = OF_A_CHILD.flatMap((each) => {
    const { invisible, unknown: none, owner } = rowsOf(each.kind);
    return [of(invisible, 404), of(none, 404), of(none, 404), of(owner, 200)];
  });
  const further = [of(rows.invisible, 200), of(rows.unknown, unknown), of(rows.unknown, unknown), of(rows.owner, 200)];
  return short(judged(judgeInvisibleChild(recorded(run('source'), ...plain, ...further))));
}

describe('what else there is of children', () => {
  const kinds = [...OTHERS_OF_A_CHILD, ...OF_ANOTHER_CHILD, ...OF_A_BRANCH, ...OF_A_REPLAY].map(({ kind }) => kind);

  it.each(kinds)('is refused another tenant: %s', (kind) => {
    expect(judgeFurther(kind, 404)).toBe('fail tenants-mixed');
  });

  it('has names of its own', () => {
    expect(new Set(kinds)).toHaveProperty('size', kinds.length);
  });
});
