import { describe, expect, it } from 'vitest';
import { conformantRuns, numbered, observed, type Runs } from '../../test/refusal-runs.ts';
import { edited, like, OPTIONS, RAISED, replacing, REPLAYS } from '../../test/refusal-edits.ts';
import { notBelowVersionFour } from './directions.ts';
import { roleOf } from './observation.ts';

const verdictOf = (runs: Runs) => notBelowVersionFour.judge(observed('mock', runs), OPTIONS)[0]?.verdict;
const without = replacing(RAISED, () => []);

describe('below version 4', () => {
  it('fails with the event, passes without it where the replay met the refusal, and is open where it did not', () => {
    const runs = conformantRuns('mock', 'valid');
    expect(verdictOf(runs)).toBe('fail');
    expect(verdictOf(edited(runs, REPLAYS, without))).toBe('pass');
    const completed = { events: numbered('changed', [{ type: 'run.completed' }]), snapshot: { status: 'completed' } };
    expect(verdictOf(edited(runs, REPLAYS, () => completed))).toBe('inconclusive');
  });

  it('is asked of replays from the call, and of replays of replays', () => {
    const runs = conformantRuns('mock', 'valid');
    expect(verdictOf(edited(runs, ['changed', 'changed-whole'], without))).toBe('fail');
    const role = roleOf('mock', 'changed-of-replay');
    const again = runs.changed === undefined ? {} : { 'changed-of-replay': { ...runs.changed, role } };
    const ofReplay = { ...edited(runs, REPLAYS, without), ...again };
    expect(verdictOf(ofReplay)).toBe('fail');
    expect(verdictOf(edited(ofReplay, ['changed-of-replay'], without))).toBe('pass');
  });

  it('is asked of a source that was refused, too', () => {
    const runs = conformantRuns('refused-mock', 'refusal');
    const answered = edited(conformantRuns('mock', 'valid'), REPLAYS, without);
    const both = (refused: Runs) =>
      notBelowVersionFour.judge([...observed('mock', answered), ...observed('refused-mock', refused)], OPTIONS)[0];
    expect(both(runs)).toMatchObject({
      verdict: 'fail',
      actual: expect.stringContaining('mock model that refuses first') as string,
    });
    expect(both(edited(runs, REPLAYS, like(runs.control)))).toMatchObject({ verdict: 'pass' });
    expect(both(edited(runs, REPLAYS, like(runs.control)))).not.toHaveProperty('reason');
    expect(both(edited(runs, REPLAYS, without))?.reason).toContain('does not show that its model was called');
  });
});
