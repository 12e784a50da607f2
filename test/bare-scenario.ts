import { always } from '../src/contract/gates.ts';
import type { Witness } from '../src/evidence/witness.ts';
import type { Scenario, ScenarioOptions } from '../src/runner/scenario.ts';

/** The least that a scenario may be asked for, and no crash. */
export const OPTIONS: ScenarioOptions = {
  seed: 1,
  vectors: 1,
  forks: 1,
  crash: 'none',
  recipe: 'rfc-0041',
  volatile: [],
};

/** A scenario that applies everywhere, drives nothing and says nothing. */
export function bareScenario(more: Partial<Scenario> = {}): Scenario {
  return {
    id: 's',
    suite: 'u',
    title: 't',
    checks: [],
    gate: always,
    needs: [],
    exclusive: [],
    drive: async () => [],
    judge: () => [],
    ...more,
  };
}

/** A witness that nobody visits. */
export const UNVISITED: Witness = {
  baseUrl: 'http://w',
  visit: () => {
    throw new Error('nobody visits');
  },
  span: async () => undefined,
  spanProblem: () => undefined,
};
