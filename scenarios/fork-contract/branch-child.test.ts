import { describe, expect, it } from 'vitest';
import { as, event, fork, judged, recorded, requested } from '../../test/fork-observations.ts';
import { judgeChildOf } from './branch-child.ts';

describe('the child of a branch', () => {
  const payload = { phase: 'dispatch.succeeded', childRunId: 'run_child' };
  const log = [event(0, 'run.started'), event(1, 'core.workflowChain.event', { payload }), event(2, 'run.completed')];
  const branch = fork('branch with a child', 'run_b', { mode: 'branch', fromSeq: 0, events: as('run_b', log) });
  const seen = recorded(branch);

  it('is a run, or the branch names none; where no child is one the row about these says so', () => {
    const [made] = seen;
    const outcome = judgeChildOf(
      recorded(branch, requested('child', 'child of the branch', 404)),
      Object.assign({}, branch, { id: made?.id ?? '' }),
    );
    expect(outcome).toMatchObject({ on: 'handoff.child-is-a-run', otherwise: { kind: 'fail' } });
    expect(outcome === undefined ? '' : judged(outcome).expected).toContain(
      'a run run_child, which the branch with a child run_b dispatched',
    );
  });

  it.each([200, 403, 503])('is not known to be none where its snapshot is answered with %i', (status) => {
    const whole = Object.assign({}, branch, { id: 'o1' });
    expect(judgeChildOf(recorded(branch, requested('child', 'child of the branch', status)), whole)).toBeUndefined();
  });

  it('is not looked for where it was read, or there is no branch', () => {
    const missing = recorded(requested('child', 'child of the branch', 404));
    expect(judgeChildOf(missing, undefined)).toBeUndefined();
    expect(judgeChildOf(seen, Object.assign({}, branch, { id: 'o1' }))).toBeUndefined();
  });
});
