import { atMostOnceMutants } from './at-most-once/index.ts';
import { cacheKeyPortableMutants } from './cache-key-portable/index.ts';
import { discoveryMutants } from './discovery/index.ts';
import { forkContractMutants } from './fork-contract/index.ts';
import { handoffStateMachineMutants } from './handoff-state-machine/index.ts';
import type { Mutant } from './mutant.ts';
import { observableSequenceMutants } from './observable-sequence/index.ts';
import { refusalDivergenceMutants } from './refusal-divergence/index.ts';
import { replayDeterminismMutants } from './replay-determinism/index.ts';
import { replayGovernanceMutants } from './replay-governance/index.ts';

import { runLifecycleMutants } from './run-lifecycle/index.ts';

/** All mutants, suite by suite. */
export const MUTANTS: readonly Mutant[] = [
  discoveryMutants,
  runLifecycleMutants,
  cacheKeyPortableMutants,
  forkContractMutants,
  replayDeterminismMutants,
  refusalDivergenceMutants,
  observableSequenceMutants,
  handoffStateMachineMutants,
  atMostOnceMutants,
  replayGovernanceMutants,
]
  .flat()
  .flatMap((table) => Object.entries(table).map(([id, defect]) => ({ id, ...defect })));
