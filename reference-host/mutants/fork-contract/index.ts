import { defects as answers } from './answers.ts';
import { defects as branches } from './branches.ts';
import { defects as differences } from './differences.ts';
import { defects as generations } from './generations.ts';
import { defects as idempotency } from './idempotency.ts';
import { defects as refusals } from './refusals.ts';
import { defects as sources } from './sources.ts';
import { defects as sourcesOfBranches } from './sources-of-branches.ts';
import { defects as tenants } from './tenants.ts';

/** The mutants that checks of fork-contract have to kill. */
export const forkContractMutants = [
  answers,
  refusals,
  branches,
  tenants,
  idempotency,
  sources,
  sourcesOfBranches,
  differences,
  generations,
];
