import { describe, expect, it } from 'vitest';
import { pass } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { recorded } from '../../test/fork-observations.ts';
import { OPTIONS } from '../../test/recorded-runs.ts';
import { replayGovernance } from './index.ts';

const SCENARIOS = replayGovernance.scenarios.map((scenario) => [scenario.id, scenario] as const);

/** One observation of every type, none of them whole. */
const DAMAGED: readonly Observation[] = [
  'run',
  'asked',
  'document',
  'cut',
  'seam',
  'heard',
  'planted',
  'tool-calls',
  'access',
  'audit-search',
  'reading',
  'report',
  'revision',
  'regions',
  'seen-there',
  'annotated',
  'annotations',
  'invocations',
  'unknown',
].map((type) => ({ type, exchanges: [] }));

describe('a scenario of this suite', () => {
  const passing = defineScenario({
    suite: 'replay-governance',
    id: 'privacy.audit',
    title: 'A title',
    drive: async () => [],
    checks: [{ id: 'privacy.audit', title: 'A row', judge: () => pass(['o1']) }],
  });

  it('judges what was recorded', () => {
    const seen = recorded({ type: 'audit-search', spellings: [], exchanges: [] } as Observation);
    expect(passing.judge(seen, OPTIONS)).toEqual([{ check: 'privacy.audit', verdict: 'pass', evidence: ['o1'] }]);
  });

  it.each(DAMAGED)('decides nothing by a damaged observation of type $type', (observation) => {
    const [judgement] = passing.judge(recorded(observation), OPTIONS);
    expect(judgement).toMatchObject({ verdict: 'inconclusive' });
    expect(judgement?.reason).toContain('the evidence is damaged');
  });

  it.each(SCENARIOS)('%s decides nothing by damaged evidence', (_, scenario) => {
    for (const observation of DAMAGED) {
      const judgements = scenario.judge(recorded(observation), OPTIONS);
      expect(judgements.map(({ check }) => check)).toEqual(scenario.checks.map(({ id }) => id));
      expect(judgements.filter(({ verdict }) => verdict !== 'inconclusive')).toEqual([]);
    }
  });

  it.each(SCENARIOS)('%s passes nothing without evidence', (_, scenario) => {
    const judgements = scenario.judge([], OPTIONS);
    expect(judgements.map(({ check }) => check)).toEqual(scenario.checks.map(({ id }) => id));
    expect(judgements.filter(({ verdict }) => verdict !== 'inconclusive')).toEqual([]);
  });
});
