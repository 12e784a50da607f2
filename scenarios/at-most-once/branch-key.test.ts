import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/evidence/types.ts';
import { observed, runCalled } from '../../test/recorded-runs.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { judgeBranchKey } from './branch-key.ts';

const ROLES = { branch: 'branch of a run that called', before: 'the runs before the branch' } as const;

interface Shown {
  readonly key?: string;
  readonly made?: number;
  readonly job?: string;
  readonly problem?: string | null;
}

function callOf(runId: string, key: string, job: string | undefined, more: Partial<RunObservation> = {}) {
  const payload = { idempotency_key: key, ...(job === undefined ? {} : { job_id: job }) };
  return runCalled(runId, [['tool_invocation_started', payload, 'charge']], more);
}

function counted(after: string, count: number) {
  const calls: readonly Json[] = Array.from({ length: count }, () => ({ kind: 'effect' }));
  return observed(`c${count}`, 'calls', { after, url: 'http://witness/w/t', calls });
}

function judge({ key = 'own', made = 2, job, problem = null }: Shown) {
  const fork = { sourceRunId: 'run_a', mode: 'branch', fromSeq: 0, advertised: true };
  return judgeBranchKey([
    callOf('run_a', 'recorded', job),
    counted(ROLES.before, 1),
    callOf('run_b', key, job, { role: ROLES.branch, fork, problem }),
    counted(ROLES.branch, made),
  ]);
}

describe('the key of a call that a branch makes itself', () => {
  it('may be any but that of its source', () => {
    expect(judge({})).toBeUndefined();
  });

  it('fails where it is that of its source', () => {
    expect(judge({ key: 'recorded' })).toMatchObject({
      kind: 'fail',
      diagnosis: { code: 'key-shared-between-runs' },
      actual: expect.stringContaining('recorded, the key of the call that the') as string,
      evidence: { length: 3 },
    });
  });

  it.each([
    ['the branch called nobody', { made: 1 }],
    ['the host names one job for both', { job: 'job-7' }],
    ['the branch was not seen to its end', { problem: 'the run has not ended' }],
  ])('says nothing where %s', (_, shown: Shown) => {
    expect(judge({ key: 'recorded', ...shown })).toBeUndefined();
  });

  it('says nothing where no branch was made', () => {
    expect(judgeBranchKey([callOf('run_a', 'recorded', undefined)])).toBeUndefined();
  });
});
