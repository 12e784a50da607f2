import { describe, expect, it } from 'vitest';
import { event, fork, judged, recorded, requested, run, short } from '../../test/fork-observations.ts';
import type { Observation } from '../../src/evidence/types.ts';
import { judgeCancelled, judgeWaiting, ROLES } from './waiting-branch.ts';
import { CANCEL } from './waiting-roles.ts';

function answer(role: string, answered: number, status?: string): Observation {
  const before = status === undefined ? {} : { status };
  return Object.assign({ type: 'answer', exchanges: [] }, { role, mark: role, answered }, before);
}

const behind = fork(ROLES.behind, 'run_h', { mode: 'branch', fromSeq: 2 });
const branch = fork(ROLES.branch, 'run_b', { mode: 'branch', fromSeq: 1 });

function judge(...observations: readonly Observation[]) {
  return judged(judgeWaiting(recorded(run('source'), ...observations, answer('source', 200))));
}

describe('a branch from behind a question', () => {
  it('takes an answer, and is the one that leaves the question of its source open', () => {
    expect(short(judge(behind, answer(ROLES.behind, 200, 'waiting-approval')))).toBe('pass');
  });

  it.each([404, 409, 410, 422])('waits for ever where each answer is refused (%i) and others take theirs', (status) => {
    const judgement = judge(
      behind,
      answer(ROLES.behind, status, 'waiting-approval'),
      branch,
      answer(ROLES.branch, 200),
    );
    expect(short(judgement)).toBe('fail branch-unanswerable');
    expect(judgement.expected).toContain('branch from behind the question run_h waits, and takes an answer');
  });

  it('takes nothing from what another branch shows where it is refused, does not wait, or is refused for another reason', () => {
    const other = [branch, answer(ROLES.branch, 200)];
    expect(short(judge({ ...behind, runId: null, answered: 422, problem: 'no' } as Observation, ...other))).toBe(
      'pass',
    );
    expect(short(judge(behind, ...other))).toBe('pass');
    expect(short(judge(behind, answer(ROLES.behind, 503, 'waiting-approval'), ...other))).toBe('pass');
    expect(short(judge(behind, answer(ROLES.behind, 409, 'running'), ...other))).toBe('pass');
  });

  it('is not judged where no branch takes an answer', () => {
    const closed = answer(ROLES.behind, 409, 'waiting-approval');
    expect(short(judge(behind, closed, branch, answer(ROLES.branch, 409)))).toBe('inconclusive');
    expect(short(judge(behind, closed))).toBe('inconclusive');
  });

  it('is refused its answer as one from the start of the question is, where the source takes its own', () => {
    const closed = [ROLES.behind, ROLES.branch].map((role) => answer(role, 409, 'waiting-approval'));
    expect(judge(behind, branch, ...closed)).toMatchObject({
      verdict: 'fail',
      diagnosis: { code: 'branch-unanswerable' },
      expected: expect.stringContaining('takes an answer as the source run_a does') as string,
      restsOn: 'fork.branch-acts.approval',
    });
  });
});

function cancel(role: string, status: number): Observation {
  return requested(CANCEL, role, status, {});
}

const cancelledLog = [event(0, 'run.started'), event(1, 'run.cancelled')];

describe('a branch that waits', () => {
  const other = fork(ROLES.other, 'run_o', { mode: 'branch', fromSeq: 1 });
  const cancelled = fork(ROLES.cancelled, 'run_o', { mode: 'branch', fromSeq: 1, events: cancelledLog });
  const second = run(ROLES.second, { runId: 'run_g' });
  const gone = run(ROLES.gone, { runId: 'run_g', events: cancelledLog });
  const orphan = [fork(ROLES.orphan, 'run_p', { mode: 'branch', fromSeq: 1 }), answer(ROLES.orphan, 200)];
  const judgeIt = (status: number, ofSource: number) => {
    const taken = [second, cancel(ROLES.gone, ofSource), ...(ofSource === 200 ? [gone, ...orphan] : [])];
    const own = [other, cancel(ROLES.cancelled, status), ...(status === 200 ? [cancelled] : []), answer('source', 200)];
    return judged(judgeCancelled(recorded(run('source'), ...own, ...taken)));
  };

  it('is cancelled as its source is', () => {
    expect(short(judgeIt(200, 200))).toBe('pass');
  });

  it.each([404, 500, 501])(
    'is no run of its own where its cancellation is refused (%i) and that of its source is not',
    (status) => {
      const judgement = judgeIt(status, 200);
      expect(short(judgement)).toBe('fail branch-unanswerable');
      expect(judgement.expected).toContain('is cancelled as the source to be cancelled run_g was');
    },
  );

  it('need not be cancelled where no run is, and says nothing where nobody looked at the request, or it may have ended', () => {
    expect(short(judgeIt(404, 404))).toBe('inconclusive');
    expect(short(judgeIt(429, 200))).toBe('pass');
    expect(short(judgeIt(403, 200))).toBe('pass');
    expect(short(judgeIt(409, 200))).toBe('pass');
  });
});
