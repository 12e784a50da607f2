import { describe, expect, it } from 'vitest';
import { conformantRuns, numbered, observed, type Runs } from '../../test/refusal-runs.ts';
import { edited, OPTIONS, RAISED, replacing, REPLAYS } from '../../test/refusal-edits.ts';
import { notBelowVersionFour } from './directions.ts';

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
});
