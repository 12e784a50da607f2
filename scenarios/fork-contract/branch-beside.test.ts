import { describe, expect, it } from 'vitest';
import type { Observation } from '../../src/evidence/types.ts';
import { event, fork, recorded, refusedFork, run } from '../../test/fork-observations.ts';
import { refusedBeside } from './branch-beside.ts';
import { CANCELLED_BRANCH, ROLES, WAITING } from './waiting-roles.ts';

function judge(...observations: readonly Observation[]) {
  return refusedBeside(recorded(...observations).map((each) => ({ ...each, scenario: WAITING })));
}

describe('a branch of a run that was cancelled', () => {
  const gone = run(ROLES.gone, { events: [event(0, 'run.started'), event(1, 'run.cancelled')] });

  it('has to be made', () => {
    expect(judge(gone, refusedFork(CANCELLED_BRANCH, 409, 'branch'))).toMatchObject({
      kind: 'fail',
      actual: expect.stringContaining('409 for') as string,
    });
  });

  it('is not missed where none was refused, the run ended otherwise, or nobody looked at the request', () => {
    expect(judge(gone)).toBeUndefined();
    expect(judge(run(ROLES.gone), refusedFork(CANCELLED_BRANCH, 409, 'branch'))).toBeUndefined();
    expect(judge(gone, refusedFork(CANCELLED_BRANCH, 429, 'branch'))).toBeUndefined();
    expect(judge(gone, refusedFork(CANCELLED_BRANCH, 409, 'branch', false))).toBeUndefined();
  });
});

describe('a branch from the last event of a run that waits', () => {
  const left = fork(ROLES.left, 'run_l', { mode: 'branch', fromSeq: 1 });
  const refused = refusedFork(ROLES.behind, 422, 'branch');

  it('has to be made where one from an earlier event is', () => {
    expect(judge(left, refused)).toMatchObject({
      kind: 'fail',
      expected: expect.stringContaining('its log holds both') as string,
    });
  });

  it('may be refused where all branches of such a run are', () => {
    expect(judge(refusedFork(ROLES.left, 422, 'branch'), refused)).toBeUndefined();
    expect(judge(refused)).toBeUndefined();
    expect(judge(left, fork(ROLES.behind, 'run_h', { mode: 'branch', fromSeq: 3 }))).toBeUndefined();
  });
});

describe('a branch of a run that waits', () => {
  it('is not refused as the duplicate that it is not', () => {
    expect(judge(refusedFork(ROLES.left, 409, 'branch'))).toMatchObject({
      kind: 'fail',
      expected: expect.stringContaining('under its Idempotency-Key alone') as string,
      actual: expect.stringContaining('of a run that waits') as string,
    });
  });

  it('is made, refused in another way, or of a mode that is not offered', () => {
    expect(judge(fork(ROLES.left, 'run_l', { mode: 'branch', fromSeq: 1 }))).toBeUndefined();
    expect(judge(refusedFork(ROLES.left, 422, 'branch'))).toBeUndefined();
    expect(judge(refusedFork(ROLES.left, 409, 'branch', false))).toBeUndefined();
  });
});
