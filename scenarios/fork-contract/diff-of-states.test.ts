import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/evidence/types.ts';
import { as, event, judged, recorded, requested, run, short } from '../../test/fork-observations.ts';
import { ANOTHER, ONE } from './diff-of-states.ts';
import { judgeFirstDivergence } from './judge-diff.ts';

const SAME = { a: 'run_a', b: 'run_a', divergedAtSeq: null, eventDiffs: [], stateDiff: {} };

function holding(role: string, runId: string, variables: Json) {
  const log = [event(0, 'run.started', { payload: { inputs: variables } }), event(1, 'run.completed')];
  return run(role, { runId, events: as(runId, log), snapshot: { runId, status: 'completed', variables } });
}

function judge(one: Json, another: Json, stateDiff: Json, more: object = {}) {
  const said = { ...SAME, a: 'run_1', b: 'run_2', divergedAtSeq: 0, eventDiffs: [{ seq: 0, op: 'changed' }] };
  const all = recorded(
    run('source'),
    holding(ONE, 'run_1', one),
    holding(ANOTHER, 'run_2', another),
    requested('diff of source', 'source', 200, SAME),
    requested(`diff of ${ONE}`, ANOTHER, 200, { ...said, stateDiff, ...more }),
  );
  return short(judged(judgeFirstDivergence(all, [])));
}

const [A, B] = [{ payload: { value: 1 } }, { payload: { value: 2 } }];

describe('a difference of states', () => {
  it.each<Json>([{}, [], { variables: {}, channels: [] }, { equal: true }])(
    'is blind where it is %j and the snapshots hold other values',
    (stateDiff) => {
      expect(judge(A, B, stateDiff)).toBe('fail state-diff-blind');
    },
  );

  it.each<Json>([
    { variables: { payload: { a: 1 } } },
    [{ path: '/variables/payload' }],
    { equal: false },
    { same: 0, count: 1 },
  ])('is in whatever form it says that they differ: %j', (stateDiff) => {
    expect(judge(A, B, stateDiff)).toBe('pass');
  });

  it.each<Json>([null, '', false])('that is %j says nothing', (stateDiff) => {
    expect(judge(A, B, stateDiff)).toBe('pass');
  });

  it('is not looked at where it is cut off, or the snapshots do not show both values', () => {
    expect(judge(A, B, {}, { truncated: true })).toBe('pass');
    expect(judge(A, { other: 1 }, {})).toBe('pass');
    expect(judge({ payload: null }, B, {})).toBe('pass');
    expect(judge({ payload: 1, clock: 1 }, { payload: 1, clock: 2 }, {})).toBe('pass');
  });
});
