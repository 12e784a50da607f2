import type { Requirement } from '../requirement.ts';
import { discovery } from './discovery.ts';
import { runLifecycle } from './run-lifecycle.ts';
import { cacheKeyPortable } from './cache-key-portable.ts';
import { forkContract } from './fork-contract.ts';
import { replayDeterminism } from './replay-determinism.ts';
import { refusalDivergence } from './refusal-divergence.ts';
import { observableSequence } from './observable-sequence.ts';
import { handoffStateMachine } from './handoff-state-machine.ts';
import { atMostOnce } from './at-most-once.ts';
import { replayGovernance } from './replay-governance.ts';

/** The requirement register: every normative sentence that the harness checks or says why it does not, in order. */
export const REQUIREMENTS: readonly Requirement[] = [
  ...discovery,
  ...runLifecycle,
  ...cacheKeyPortable,
  ...forkContract,
  ...replayDeterminism,
  ...refusalDivergence,
  ...observableSequence,
  ...handoffStateMachine,
  ...atMostOnce,
  ...replayGovernance,
];

const BY_ID = new Map(REQUIREMENTS.map((requirement) => [requirement.id, requirement]));

/** The register's row of an id, or undefined. */
export function findRequirement(id: string): Requirement | undefined {
  return BY_ID.get(id);
}

/** The id of the row that a check belongs to: its own id, or the longest beginning of it that is in the register. */
export function requirementOf(check: string): string {
  const parts = check.split('.');
  const found = parts.map((_, cut) => parts.slice(0, parts.length - cut).join('.')).find((id) => BY_ID.has(id));
  if (found === undefined) throw new Error(`${check}: no requirement of this name`);
  return found;
}
