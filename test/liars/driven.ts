import { SUITES } from '../../scenarios/index.ts';
import { killsHosts, type Suite } from '../../src/runner/scenario.ts';

/** All suites, but for the scenarios that kill hosts: no liar lies otherwise after a crash. */
export const DRIVEN: readonly Suite[] = SUITES.map(({ id, scenarios }) => ({
  id,
  scenarios: scenarios.filter((scenario) => !killsHosts(scenario)),
}));
