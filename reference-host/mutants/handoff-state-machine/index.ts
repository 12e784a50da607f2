import type { Mutant } from '../mutant.ts';
import { handoffUntold } from './handoff-untold.ts';
import { handoffBeginLeftOut } from './handoff-begin-left-out.ts';
import { handoffSuccessLeftOut } from './handoff-success-left-out.ts';
import { handoffHarvestLeftOut } from './handoff-harvest-left-out.ts';
import { handoffNeverHarvested } from './handoff-never-harvested.ts';
import { handoffBeginsTwice } from './handoff-begins-twice.ts';
import { handoffHarvestedTwice } from './handoff-harvested-twice.ts';
import { handoffCompletionBeforeSuccess } from './handoff-completion-before-success.ts';
import { handoffCausedByTheLastEvent } from './handoff-caused-by-the-last-event.ts';
import { handoffCausedByItsBegin } from './handoff-caused-by-its-begin.ts';
import { handoffWithoutCauses } from './handoff-without-causes.ts';
import { handoffBeginNotFromItsDecision } from './handoff-begin-not-from-its-decision.ts';
import { handoffBeginFromTheFirstDecision } from './handoff-begin-from-the-first-decision.ts';
import { handoffBeginFromTheBeginBefore } from './handoff-begin-from-the-begin-before.ts';
import { handoffChainsMixedUp } from './handoff-chains-mixed-up.ts';
import { handoffSecondWorkerDropped } from './handoff-second-worker-dropped.ts';
import { handoffOfAChildUntold } from './handoff-of-a-child-untold.ts';
import { handoffToASubWorkflowUntold } from './handoff-to-a-sub-workflow-untold.ts';
import { handoffHarvestsEmptyMapping } from './handoff-harvests-empty-mapping.ts';
import { handoffHarvestsFailedChild } from './handoff-harvests-failed-child.ts';
import { handoffHarvestsCancelledChild } from './handoff-harvests-cancelled-child.ts';
import { handoffFailedChildCompleted } from './handoff-failed-child-completed.ts';
import { handoffFailedChildUntold } from './handoff-failed-child-untold.ts';
import { handoffCancelledChildFailed } from './handoff-cancelled-child-failed.ts';
import { handoffFailureToldTwice } from './handoff-failure-told-twice.ts';
import { handoffFailureUntold } from './handoff-failure-untold.ts';
import { handoffFailureThenSuccess } from './handoff-failure-then-success.ts';
import { handoffFailureChained } from './handoff-failure-chained.ts';
import { handoffChildEndWithoutCause } from './handoff-child-end-without-cause.ts';
import { handoffFailureFromItsDecision } from './handoff-failure-from-its-decision.ts';
import { handoffHarvestWithoutValues } from './handoff-harvest-without-values.ts';
import { handoffValuesAfterTheDecision } from './handoff-values-after-the-decision.ts';
import { handoffMappingReversed } from './handoff-mapping-reversed.ts';
import { handoffInputMappingIgnored } from './handoff-input-mapping-ignored.ts';
import { handoffDecidedTwice } from './handoff-decided-twice.ts';
import { handoffDecisionsUntold } from './handoff-decisions-untold.ts';
import { handoffLaterTurnsUntold } from './handoff-later-turns-untold.ts';
import { handoffGoesOnAfterTerminate } from './handoff-goes-on-after-terminate.ts';
import { handoffClarifyGoesOn } from './handoff-clarify-goes-on.ts';
import { handoffEscalateGoesOn } from './handoff-escalate-goes-on.ts';
import { handoffDecidesAgainAfterTheAnswer } from './handoff-decides-again-after-the-answer.ts';
import { handoffChildNotFound } from './handoff-child-not-found.ts';
import { handoffChildLogNotFound } from './handoff-child-log-not-found.ts';
import { handoffChildIdMadeUp } from './handoff-child-id-made-up.ts';
import { handoffChildInsideItsParent } from './handoff-child-inside-its-parent.ts';
import { handoffChildNamedAsItsParent } from './handoff-child-named-as-its-parent.ts';
import { handoffUnsupportedAndTold } from './handoff-unsupported-and-told.ts';
import { handoffReplayDispatchesAgain } from './handoff-replay-dispatches-again.ts';
import { handoffReplayHarvestsSilently } from './handoff-replay-harvests-silently.ts';

/** Defects of handoffs. */
export const handoffStateMachineMutants: readonly Mutant[] = [
  handoffUntold,
  handoffBeginLeftOut,
  handoffSuccessLeftOut,
  handoffHarvestLeftOut,
  handoffNeverHarvested,
  handoffBeginsTwice,
  handoffHarvestedTwice,
  handoffCompletionBeforeSuccess,
  handoffCausedByTheLastEvent,
  handoffCausedByItsBegin,
  handoffWithoutCauses,
  handoffBeginNotFromItsDecision,
  handoffBeginFromTheFirstDecision,
  handoffBeginFromTheBeginBefore,
  handoffChainsMixedUp,
  handoffSecondWorkerDropped,
  handoffOfAChildUntold,
  handoffToASubWorkflowUntold,
  handoffHarvestsEmptyMapping,
  handoffHarvestsFailedChild,
  handoffHarvestsCancelledChild,
  handoffFailedChildCompleted,
  handoffFailedChildUntold,
  handoffCancelledChildFailed,
  handoffFailureToldTwice,
  handoffFailureUntold,
  handoffFailureThenSuccess,
  handoffFailureChained,
  handoffChildEndWithoutCause,
  handoffFailureFromItsDecision,
  handoffHarvestWithoutValues,
  handoffValuesAfterTheDecision,
  handoffMappingReversed,
  handoffInputMappingIgnored,
  handoffDecidedTwice,
  handoffDecisionsUntold,
  handoffLaterTurnsUntold,
  handoffGoesOnAfterTerminate,
  handoffClarifyGoesOn,
  handoffEscalateGoesOn,
  handoffDecidesAgainAfterTheAnswer,
  handoffChildNotFound,
  handoffChildLogNotFound,
  handoffChildIdMadeUp,
  handoffChildInsideItsParent,
  handoffChildNamedAsItsParent,
  handoffUnsupportedAndTold,
  handoffReplayDispatchesAgain,
  handoffReplayHarvestsSilently,
];
