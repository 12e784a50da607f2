import { canonicalRecipe } from '../../src/contract/gates.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import type { Scenario } from '../../src/runner/scenario.ts';
import { judgeDigest, type Swap } from './judge-digest.ts';
import { controls, type KeyRequest } from './requests.ts';
import { SEAM_SCENARIO, sending } from './seam-scenario.ts';

/** A row that is judged by digests: the requirement, the sentence that is checked, the requests that put it to the test. */
export interface DigestRow {
  readonly id: string;
  readonly title: string;
  readonly requests: readonly KeyRequest[];
  readonly swaps?: readonly Swap[];
}

/** The scenarios of digest rows: the plain controls and the row's own requests. */
export function digestScenarios(rows: readonly DigestRow[]): readonly Scenario[] {
  return rows.map(({ id, title, requests, swaps = [] }) =>
    defineScenario({
      ...SEAM_SCENARIO,
      id,
      title,
      gate: canonicalRecipe,
      drive: sending(() => [...controls, ...requests]),
      checks: [{ id, title, judge: (answers, { options: { recipe } }) => judgeDigest(answers, { id, recipe, swaps }) }],
    }),
  );
}
