import { atMostOnce } from './at-most-once/index.ts';
import { cacheKeyPortable } from './cache-key-portable/index.ts';
import { discovery } from './discovery/index.ts';
import { forkContract } from './fork-contract/index.ts';
import { handoffStateMachine } from './handoff-state-machine/index.ts';
import { observableSequence } from './observable-sequence/index.ts';
import { refusalDivergence } from './refusal-divergence/index.ts';
import { replayDeterminism } from './replay-determinism/index.ts';
import { replayGovernance } from './replay-governance/index.ts';
import { runLifecycle } from './run-lifecycle/index.ts';
import { REMAINDERS } from './remainders.ts';
import { STANDS_ON } from './stands-on.ts';
import type { Suite } from '../src/runner/scenario.ts';

export { MAY_RUN } from './may-run.ts';

const ALL: readonly Suite[] = [
  discovery,
  runLifecycle,
  cacheKeyPortable,
  forkContract,
  replayDeterminism,
  refusalDivergence,
  observableSequence,
  handoffStateMachine,
  atMostOnce,
  replayGovernance,
];

/** All suites, in the register's order. */
export const SUITES: readonly Suite[] = ALL.map((suite) => ({ ...suite, standsOn: STANDS_ON, remainders: REMAINDERS }));
