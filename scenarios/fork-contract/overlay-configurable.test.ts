import { describe, expect, it } from 'vitest';
import { recorded, refusedFork, short, judged } from '../../test/fork-observations.ts';
import { runCalled, type Said, say } from '../../test/recorded-runs.ts';
import type { Observation } from '../../src/evidence/types.ts';
import { judgeConfigurable } from './overlay-configurable.ts';

const CAPPED = { workflowId: 'conformance-cap-breach' };
const DONE: readonly Said[] = [say('run.started'), say('node.completed', {}, 'n6'), say('run.completed')];
const FORK = { sourceRunId: 'run_a', mode: 'branch', fromSeq: 0, advertised: true };

function failed(code: string): readonly Said[] {
  return [say('run.started'), say('node.completed', {}, 'n3'), say('run.failed', { error: { code, message: 'No.' } })];
}

const TOO_MANY = failed('recursion_limit_exceeded');
const source = runCalled('run_a', TOO_MANY, CAPPED);
const control = (log = DONE) => runCalled('run_c', log, { ...CAPPED, role: 'run with other configurable' });
const branch = (log: readonly Said[]) =>
  runCalled('run_b', log, { ...CAPPED, role: 'branch with other configurable', fork: FORK });

const outcome = (...seen: readonly Observation[]) => judgeConfigurable(recorded(...seen));
const verdict = (...seen: readonly Observation[]): string => short(judged(outcome(...seen)));

describe('an overlay with another limit of steps', () => {
  it('lets the branch of a run that failed for its own come to its end', () => {
    expect(verdict(source, control(), branch(DONE))).toBe('pass');
  });

  it('is ignored where the branch fails for the limit of its source, and rests on what says that there is no overlay', () => {
    expect(verdict(source, control(), branch(TOO_MANY))).toBe('fail overlay-ignored');
    expect(outcome(source, control(), branch(TOO_MANY))).toMatchObject({ on: 'fork.branch-applies-overlay.inputs' });
  });

  it('was not seen where nothing depends on the limit', () => {
    expect(verdict(runCalled('run_a', DONE, CAPPED))).toBe('inconclusive');
    expect(verdict(source, control(TOO_MANY), branch(TOO_MANY))).toBe('inconclusive');
    expect(verdict(source, control(), branch(failed('internal_error')))).toBe('inconclusive');
  });

  it('was not seen where the branch was refused for it, or not driven', () => {
    const refused = refusedFork('branch with other configurable', 422, 'branch');
    expect(outcome(source, control(), refused)).toMatchObject({
      reason: expect.stringContaining('accept configurable in runOptionsOverlay'),
    });
    expect(verdict(source, control())).toBe('inconclusive');
    expect(verdict(source, branch(DONE))).toBe('inconclusive');
    expect(verdict()).toBe('inconclusive');
  });
});
