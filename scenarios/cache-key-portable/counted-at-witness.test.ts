import { describe, expect, it } from 'vitest';
import type { Observation } from '../../src/evidence/types.ts';
import { run, short } from '../../test/fork-observations.ts';
import { witnessed, OPTIONS } from '../../test/recorded-runs.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { countedAtWitness } from './counted-at-witness.ts';

const FIRST = 'run of the first tenant';
const SECOND = 'run of the second tenant';
const AT_ONCE = 'run of the second tenant at the same time';
const REPLAY = "replay of the second tenant's run";

function showing(role: string, verdict: boolean | null, more: Partial<RunObservation> = {}): RunObservation {
  const variables = verdict === null ? {} : { verdict: { valid: verdict } };
  return run(role, { runId: `run of ${role}`, snapshot: { status: 'completed', variables }, ...more });
}

function calls(after: string, count: number): Observation {
  const all = Array.from({ length: count }, () => witnessed({ kind: 'chat', name: 'witness-mini' }));
  return { type: 'calls', exchanges: [], after, url: 'http://witness/1', calls: all } as Observation;
}

interface Said {
  readonly first?: RunObservation;
  readonly second?: RunObservation;
  readonly replay?: RunObservation | null;
  readonly atOnce?: RunObservation;
  readonly counted?: readonly [number, number, number];
}

function judged({
  first = showing(FIRST, true),
  second = showing(SECOND, false),
  replay = showing(REPLAY, false),
  counted = [1, 1, 1],
  atOnce = showing(AT_ONCE, false),
}: Said) {
  const seen = [first, calls(FIRST, counted[0]), second, calls(SECOND, counted[1]), atOnce, calls(AT_ONCE, 0)];
  const all = replay === null ? seen : [...seen, replay, calls(REPLAY, counted[2])];
  const recorded = all.map((each, index) => ({ ...each, id: `o${index}` }));
  const [judgement] = countedAtWitness.judge(recorded, OPTIONS);
  return judgement === undefined ? 'none' : short(judgement);
}

describe('responses of two tenants, counted at the witness', () => {
  it('passes where each tenant got its own answer by its own call', () => {
    expect(judged({})).toBe('pass');
    expect(judged({ replay: null })).toBe('pass');
    expect(judged({ counted: [2, 3, 3] })).toBe('pass');
  });

  it("fails where a run shows the other tenant's answer", () => {
    const leaked = 'fail response-of-another-tenant';
    expect(judged({ second: showing(SECOND, true), counted: [1, 0, 0] })).toBe(leaked);
    expect(judged({ second: showing(SECOND, true), counted: [1, 1, 1] })).toBe(leaked);
    expect(judged({ replay: showing(REPLAY, true) })).toBe(leaked);
    expect(judged({ atOnce: showing(AT_ONCE, true) })).toBe(leaked);
    expect(judged({ atOnce: showing(AT_ONCE, null) })).toBe('pass');
  });

  it('is undecided where the host did not call, shows nothing, or keeps nothing', () => {
    expect(judged({ counted: [0, 1, 1] })).toBe('inconclusive');
    expect(judged({ first: showing(FIRST, null) })).toBe('inconclusive');
    expect(judged({ second: showing(SECOND, null) })).toBe('inconclusive');
    expect(judged({ counted: [1, 0, 0] })).toBe('inconclusive');
    expect(judged({ counted: [1, 1, 2] })).toBe('inconclusive');
    expect(judged({ replay: showing(REPLAY, null) })).toBe('inconclusive');
    expect(judged({ second: showing(SECOND, false, { problem: 'the run has not ended' }) })).toBe('inconclusive');
    expect(judged({ replay: showing(REPLAY, false, { problem: 'the run has not ended' }) })).toBe('inconclusive');
    expect(countedAtWitness.judge([], OPTIONS)[0]?.verdict).toBe('inconclusive');
    const unvisited = [showing(FIRST, null), calls(FIRST, 0), showing(SECOND, null), calls(SECOND, 0)];
    const open = countedAtWitness.judge(
      unvisited.map((each, index) => ({ ...each, id: `o${index}` })),
      OPTIONS,
    );
    expect(open[0]?.reason).toMatch(/did not call .*: allow it, or give --witness-url$/u);
  });
});
