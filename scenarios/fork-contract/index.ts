import type { Suite } from '../../src/runner/scenario.ts';
import { branch } from './branch.ts';
import { branchActs, branchReplayed } from './branch-acts.ts';
import { branchAsks } from './branch-asks.ts';
import { diagnoses } from './diagnoses.ts';
import { diff } from './diff.ts';
import { everySequence } from './every-sequence.ts';
import { foundations } from './foundations.ts';
import { fromSeqAnew } from './from-seq-anew.ts';
import { fullReplay } from './full-replay.ts';
import { idempotency } from './idempotency.ts';
import { invisibleChild } from './invisible-child.ts';
import { invisibleQuestion } from './invisible-question.ts';
import { invisibleReadings } from './invisible-readings.ts';
import { invisibleBranch, invisibleRun } from './invisible-run.ts';
import { missingScope, missingScopeForBranch } from './missing-scope.ts';
import { ownIds } from './own-ids.ts';
import { ofABranch } from './of-a-fork.ts';
import { overlayConfigurable } from './overlay-configurable.ts';
import { overlayGenerations } from './overlay-generations.ts';
import { overlayMembers } from './overlay-members.ts';
import { refusals } from './refusals.ts';
import { unadvertisedMode } from './unadvertised-mode.ts';
import { waitingBranch } from './waiting-branch.ts';

/** fork-contract: does the fork endpoint do what it promises, and nothing else? */
export const forkContract: Suite = {
  id: 'fork-contract',
  scenarios: [
    fullReplay,
    everySequence,
    ownIds,
    refusals,
    idempotency,
    branch,
    ofABranch,
    overlayMembers,
    overlayConfigurable,
    overlayGenerations,
    branchActs,
    branchReplayed,
    branchAsks,
    waitingBranch,
    fromSeqAnew,
    invisibleRun,
    invisibleBranch,
    invisibleReadings,
    invisibleQuestion,
    invisibleChild,
    missingScope,
    missingScopeForBranch,
    unadvertisedMode,
    diff,
  ],
  diagnoses,
  foundations,
};
