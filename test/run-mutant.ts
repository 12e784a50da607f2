import { defaultParts } from '../reference-host/index.ts';
import type { Mutant } from '../reference-host/mutants/mutant.ts';
import type { Report } from '../src/contract/report.ts';
import type { CutSet } from '../src/host/crash.ts';
import { runWithParts } from '../src/kill-matrix/run-mutant.ts';
import type { Suite } from '../src/runner/scenario.ts';

/** Runs suites against a mutant, a conformant host beside it as the second host, with so many crashes. */
export function runMutant(suites: readonly Suite[], mutant: Pick<Mutant, 'parts'>, crash: CutSet): Promise<Report> {
  return runWithParts(suites, mutant.parts(defaultParts), { crash });
}
