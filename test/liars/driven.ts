import { SUITES } from '../../scenarios/index.ts';
import { killsHosts, type Suite } from '../../src/runner/scenario.ts';

/** Scenarios in which two workers meet at a lease of two seconds, over which a busy machine may sleep. */
export const LEASED = new Set(['once.single-owner', 'once.single-owner.reclaim']);

/** All suites, but for the scenarios that kill hosts, and those with leases: no liar lies otherwise after a crash. */
export const DRIVEN: readonly Suite[] = SUITES.map((suite) => ({
  ...suite,
  scenarios: suite.scenarios.filter((scenario) => !killsHosts(scenario) && !LEASED.has(scenario.id)),
}));
