import { MUTANTS } from '../../../reference-host/mutants/index.ts';
import type { Mutant } from '../../../reference-host/mutants/mutant.ts';
import type { CutSet } from '../../host/crash.ts';
import { SUITES } from '../suites.ts';
import { gateAnswer } from '../../runner/plan.ts';
import { watchParts } from './part-use.ts';
import { createReads } from './reads.ts';
import { runMutant, runWithParts } from './run-mutant.ts';
import { killsHosts, type Suite } from '../../runner/scenario.ts';
import { watchedScenario } from './watched-scenario.ts';

/** What a lane is asked to run; without a mutant, the conformant host is run with all mutants beside it. */
export interface LaneJob {
  readonly mutant?: string;
  readonly scenarios: readonly string[];
}

/** Does one job: gives the checks that the mutant turned red, or the mutants that can make a difference. */
export async function doJob({ mutant, scenarios }: LaneJob): Promise<readonly string[]> {
  const suites = withScenarios(SUITES, new Set(scenarios));
  if (mutant === undefined) {
    return reachingMutants(suites);
  }
  const found = MUTANTS.find(({ id }) => id === mutant);
  if (found === undefined) throw new Error(`no mutant is called ${mutant}`);
  const { checks } = await runMutant(suites, found, crashesFor(found, suites));
  return checks.filter((check) => check.verdict === 'fail').map((check) => check.id);
}

/** Runs the conformant host, all mutants beside it: gives those that can make a difference in these scenarios. */
async function reachingMutants(suites: readonly Suite[]): Promise<readonly string[]> {
  const scenarios = suites.flatMap((suite) => suite.scenarios);
  const { parts, reaching, documents } = watchParts(MUTANTS, scenarios.some(killsHosts));
  const reads = createReads();
  const watched = suites.map((suite) => ({
    ...suite,
    scenarios: suite.scenarios.map((scenario) => watchedScenario(scenario, reads)),
  }));
  const { checks } = await runWithParts(watched, parts, { crash: 'few', shownToPlanner: reads.view });
  const wrong = checks.find((check) => check.verdict === 'fail' || check.verdict === 'error');
  if (wrong !== undefined) throw new Error(`${wrong.id} is ${wrong.verdict} on the conformant host: ${wrong.reason}`);
  const different = await reaching();
  const advertising = [...documents].filter(([id, document]) => different.has(id) || !reads.sameIn(document));
  // Nothing turns red where the gate is closed, whatever else is different.
  const isDriven = (id: string): boolean =>
    !documents.has(id) || scenarios.some((scenario) => gateAnswer(scenario, documents.get(id))?.open === true);
  return [...new Set([...different, ...advertising.map(([id]) => id)])].filter(isDriven);
}

/** All that a run makes where a crash has to kill the mutant; otherwise a few show whether crashes make a difference. */
function crashesFor({ kills }: Mutant, suites: readonly Suite[]): CutSet {
  const scenarios = suites.flatMap((suite) => suite.scenarios).filter(killsHosts);
  return scenarios.some(({ checks }) => checks.some(({ id }) => kills.includes(id))) ? 'quick' : 'few';
}

function withScenarios(suites: readonly Suite[], wanted: ReadonlySet<string>): readonly Suite[] {
  return suites.map((suite) => ({ ...suite, scenarios: suite.scenarios.filter(({ id }) => wanted.has(id)) }));
}
