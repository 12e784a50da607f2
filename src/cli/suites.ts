import { atMostOnce } from '../../scenarios/at-most-once/index.ts';
import { cacheKeyPortable } from '../../scenarios/cache-key-portable/index.ts';
import { discovery } from '../../scenarios/discovery/index.ts';
import { forkContract } from '../../scenarios/fork-contract/index.ts';
import { handoffStateMachine } from '../../scenarios/handoff-state-machine/index.ts';
import { observableSequence } from '../../scenarios/observable-sequence/index.ts';
import { refusalDivergence } from '../../scenarios/refusal-divergence/index.ts';
import { replayDeterminism } from '../../scenarios/replay-determinism/index.ts';
import { replayGovernance } from '../../scenarios/replay-governance/index.ts';
import { runLifecycle } from '../../scenarios/run-lifecycle/index.ts';
import type { Suite } from '../runner/scenario.ts';

/** All suites, in the register's order. */
export const SUITES: readonly Suite[] = [
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
