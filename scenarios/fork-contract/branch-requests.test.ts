import { describe, expect, it } from 'vitest';
import type { Observation } from '../../src/evidence/types.ts';
import {
  answered,
  fork,
  judged,
  recorded,
  refusedFork,
  requested,
  run,
  short,
  UNANSWERED,
} from '../../test/fork-observations.ts';
import { OPTIONS } from '../../test/recorded-runs.ts';
import { branch } from './branch.ts';
import { FIRST_BRANCH } from './branch-drive.ts';
import { judgeBranchKey, UNDER_A_KEY } from './branch-requests.ts';

const other = fork(FIRST_BRANCH, 'run_b', { mode: 'branch', fromSeq: 1 });
const first = sent('branch', { runId: 'run_c', fromSeq: 0 });

function sent(name: string, body: { readonly [name: string]: string | number }, status = 201) {
  return requested(UNDER_A_KEY, name, status, body);
}

function judge(...requests: readonly Observation[]) {
  return judged(judgeBranchKey(recorded(run('source'), other, ...requests), FIRST_BRANCH));
}

describe('a branch that is requested twice under one key', () => {
  it('passes as the same run, whatever the status, or as a conflict', () => {
    expect(judge(first, sent('duplicate', { runId: 'run_c' }))).toMatchObject({
      verdict: 'pass',
      evidence: ['o3', 'o4'],
    });
    expect(short(judge(first, sent('duplicate', { runId: 'run_c', fromSeq: 0 }, 200)))).toBe('pass');
    expect(short(judge(first, requested(UNDER_A_KEY, 'duplicate', 409)))).toBe('pass');
  });

  it('fails as a second run, from another start, and as any other refusal', () => {
    expect(short(judge(first, sent('duplicate', { runId: 'run_d' })))).toBe('fail second-run');
    expect(judge(first, sent('duplicate', { runId: 'run_c', fromSeq: 1 })).actual).toBe('duplicate: fromSeq 1');
    expect(short(judge(first, requested(UNDER_A_KEY, 'duplicate', 422)))).toBe('fail duplicate-refused');
  });

  it('proves nothing where the branch without a key is the same run, or where nothing was answered', () => {
    const same = sent('branch', { runId: 'run_b' });
    expect(short(judge(same, same))).toBe('inconclusive');
    expect(short(judge(first, answered(UNDER_A_KEY, 'duplicate', UNANSWERED)))).toBe('inconclusive');
    expect(short(judge(requested(UNDER_A_KEY, 'branch', 503), first))).toBe('inconclusive');
    expect(short(judge())).toBe('inconclusive');
  });

  it('rests on the row about branches where the host makes none', () => {
    const all = recorded(run('source'), refusedFork(FIRST_BRANCH, 501, 'branch'), first, first);
    const judgement = branch.judge(all, OPTIONS).find(({ check }) => check === 'fork.idempotency-key.branch');
    expect(judgement).toMatchObject({ verdict: 'fail', restsOn: 'fork.created.branch' });
  });
});
