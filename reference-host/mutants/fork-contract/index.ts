import type { Mutant } from '../mutant.ts';
import { forkOkNotCreated } from './fork-ok-not-created.ts';
import { forkWithoutSourceId } from './fork-without-source-id.ts';
import { forkFromSeqAsText } from './fork-from-seq-as-text.ts';
import { forkStatusLeftOut } from './fork-status-left-out.ts';
import { forkRunIdLeftOut } from './fork-run-id-left-out.ts';
import { forkEventsUrlDead } from './fork-events-url-dead.ts';
import { forkEventsUrlLeftOut } from './fork-events-url-left-out.ts';
import { branchNamedAsSource } from './branch-named-as-source.ts';
import { branchAnswersOtherFromSeq } from './branch-answers-other-from-seq.ts';
import { branchNotImplemented } from './branch-not-implemented.ts';
import { replayDefaultAfterTheStart } from './replay-default-after-the-start.ts';
import { replayDropsOverlay } from './replay-drops-overlay.ts';
import { replayRefusesEmptyOverlay } from './replay-refuses-empty-overlay.ts';
import { replayRefusesOverlayLate } from './replay-refuses-overlay-late.ts';
import { forkFromSeqClamped } from './fork-from-seq-clamped.ts';
import { forkPastTheEndNotFound } from './fork-past-the-end-not-found.ts';
import { forkFromSeqFloored } from './fork-from-seq-floored.ts';
import { forkFromSeqCoerced } from './fork-from-seq-coerced.ts';
import { forkFromSeqNegativeAsZero } from './fork-from-seq-negative-as-zero.ts';
import { forkFromSeqFlagAsOne } from './fork-from-seq-flag-as-one.ts';
import { forkFromSeqOfOtherTypesIgnored } from './fork-from-seq-of-other-types-ignored.ts';
import { forkUnknownModeReplays } from './fork-unknown-mode-replays.ts';
import { forkModeDefaulted } from './fork-mode-defaulted.ts';
import { forkModeCaseFolded } from './fork-mode-case-folded.ts';
import { forkModeAsList } from './fork-mode-as-list.ts';
import { forkBadModeUnprocessable } from './fork-bad-mode-unprocessable.ts';
import { forkMalformedFails } from './fork-malformed-fails.ts';
import { forkListUnwrapped } from './fork-list-unwrapped.ts';
import { forkMalformedAsEmpty } from './fork-malformed-as-empty.ts';
import { forkLooseJson } from './fork-loose-json.ts';
import { forkUtf8LenientCrash } from './fork-utf8-lenient-crash.ts';
import { forkDeepBodyCrash } from './fork-deep-body-crash.ts';
import { forkMalformedAsPage } from './fork-malformed-as-page.ts';
import { branchDefaultsToZero } from './branch-defaults-to-zero.ts';
import { forkUnknownRunBadRequest } from './fork-unknown-run-bad-request.ts';
import { forkUnknownRunGone } from './fork-unknown-run-gone.ts';
import { runOfAnotherTenantShown } from './run-of-another-tenant-shown.ts';
import { eventsOfAnotherTenantShown } from './events-of-another-tenant-shown.ts';
import { pollOfAnotherTenantShown } from './poll-of-another-tenant-shown.ts';
import { diffOfAnotherTenantShown } from './diff-of-another-tenant-shown.ts';
import { runOfAnotherTenantCancelled } from './run-of-another-tenant-cancelled.ts';
import { forkInvisibleForbidden } from './fork-invisible-forbidden.ts';
import { forkInvisibleOtherCode } from './fork-invisible-other-code.ts';
import { forkInvisibleOtherMessage } from './fork-invisible-other-message.ts';
import { forkInvisibleWithDetails } from './fork-invisible-with-details.ts';
import { forkTenantsMixed } from './fork-tenants-mixed.ts';
import { forkWithoutCredential } from './fork-without-credential.ts';
import { forkScopeNotNeeded } from './fork-scope-not-needed.ts';
import { forkAnonymousForbidden } from './fork-anonymous-forbidden.ts';
import { forkMissingScopeHidden } from './fork-missing-scope-hidden.ts';
import { forkKeyIgnored } from './fork-key-ignored.ts';
import { forkKeyRacy } from './fork-key-racy.ts';
import { forkDuplicateAtOnceFails } from './fork-duplicate-at-once-fails.ts';
import { forkKeyForgottenAtEnd } from './fork-key-forgotten-at-end.ts';
import { forkKeyAcrossRuns } from './fork-key-across-runs.ts';
import { forkMarksSourceLog } from './fork-marks-source-log.ts';
import { branchCountedInSource } from './branch-counted-in-source.ts';
import { refusedForkTagged } from './refused-fork-tagged.ts';
import { forkWithKeyChangesStatus } from './fork-with-key-changes-status.ts';
import { forkRefusalWithRequestId } from './fork-refusal-with-request-id.ts';
import { forkRefusalWithoutMessage } from './fork-refusal-without-message.ts';
import { forkRefusalAsText } from './fork-refusal-as-text.ts';
import { forkRefusalNested } from './fork-refusal-nested.ts';
import { branchIgnoresOverlay } from './branch-ignores-overlay.ts';
import { branchStartsEmpty } from './branch-starts-empty.ts';
import { branchSnapshotWithoutHistory } from './branch-snapshot-without-history.ts';
import { branchExecutesEverything } from './branch-executes-everything.ts';
import { branchHistoryShortened } from './branch-history-shortened.ts';
import { branchHistoryEmptied } from './branch-history-emptied.ts';
import { branchWritesInTheNameOfItsSource } from './branch-writes-in-the-name-of-its-source.ts';
import { branchChangesItsSibling } from './branch-changes-its-sibling.ts';
import { branchesShareARun } from './branches-share-a-run.ts';
import { branchUnadvertised } from './branch-unadvertised.ts';

/** Defects of the fork endpoint. */
export const forkContractMutants: readonly Mutant[] = [
  forkOkNotCreated,
  forkWithoutSourceId,
  forkFromSeqAsText,
  forkStatusLeftOut,
  forkRunIdLeftOut,
  forkEventsUrlDead,
  forkEventsUrlLeftOut,
  branchNamedAsSource,
  branchAnswersOtherFromSeq,
  branchNotImplemented,
  replayDefaultAfterTheStart,
  replayDropsOverlay,
  replayRefusesEmptyOverlay,
  replayRefusesOverlayLate,
  forkFromSeqClamped,
  forkPastTheEndNotFound,
  forkFromSeqFloored,
  forkFromSeqCoerced,
  forkFromSeqNegativeAsZero,
  forkFromSeqFlagAsOne,
  forkFromSeqOfOtherTypesIgnored,
  forkUnknownModeReplays,
  forkModeDefaulted,
  forkModeCaseFolded,
  forkModeAsList,
  forkBadModeUnprocessable,
  forkMalformedFails,
  forkListUnwrapped,
  forkMalformedAsEmpty,
  forkLooseJson,
  forkUtf8LenientCrash,
  forkDeepBodyCrash,
  forkMalformedAsPage,
  branchDefaultsToZero,
  forkUnknownRunBadRequest,
  forkUnknownRunGone,
  runOfAnotherTenantShown,
  eventsOfAnotherTenantShown,
  pollOfAnotherTenantShown,
  diffOfAnotherTenantShown,
  runOfAnotherTenantCancelled,
  forkInvisibleForbidden,
  forkInvisibleOtherCode,
  forkInvisibleOtherMessage,
  forkInvisibleWithDetails,
  forkTenantsMixed,
  forkWithoutCredential,
  forkScopeNotNeeded,
  forkAnonymousForbidden,
  forkMissingScopeHidden,
  forkKeyIgnored,
  forkKeyRacy,
  forkDuplicateAtOnceFails,
  forkKeyForgottenAtEnd,
  forkKeyAcrossRuns,
  forkMarksSourceLog,
  branchCountedInSource,
  refusedForkTagged,
  forkWithKeyChangesStatus,
  forkRefusalWithRequestId,
  forkRefusalWithoutMessage,
  forkRefusalAsText,
  forkRefusalNested,
  branchIgnoresOverlay,
  branchStartsEmpty,
  branchSnapshotWithoutHistory,
  branchExecutesEverything,
  branchHistoryShortened,
  branchHistoryEmptied,
  branchWritesInTheNameOfItsSource,
  branchChangesItsSibling,
  branchesShareARun,
  branchUnadvertised,
];
