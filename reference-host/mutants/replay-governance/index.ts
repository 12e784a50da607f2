import type { Mutant } from '../mutant.ts';
import { retentionUndocumented } from './retention-undocumented.ts';
import { expiredForkServed } from './expired-fork-served.ts';
import { expiredForkNotFound } from './expired-fork-not-found.ts';
import { expiredForkCrash } from './expired-fork-crash.ts';
import { expiredForkBadRequest } from './expired-fork-bad-request.ts';
import { expiredForkConflict } from './expired-fork-conflict.ts';
import { expiredForkWithoutCode } from './expired-fork-without-code.ts';
import { expiredForkBoundaryBeside } from './expired-fork-boundary-beside.ts';
import { expiredDetailsMissing } from './expired-details-missing.ts';
import { expiredDetailsOtherSource } from './expired-details-other-source.ts';
import { expiredDetailsOtherFromSeq } from './expired-details-other-from-seq.ts';
import { expiredDetailsOtherBoundary } from './expired-details-other-boundary.ts';
import { expiredDetailsWithoutBoundary } from './expired-details-without-boundary.ts';
import { expiredDefaultServed } from './expired-default-served.ts';
import { expiredReplayServed } from './expired-replay-served.ts';
import { expiredBranchServed } from './expired-branch-served.ts';
import { replaysUnredacted } from './replays-unredacted.ts';
import { branchesUnredacted } from './branches-unredacted.ts';
import { replaysUnredactedInStreams } from './replays-unredacted-in-streams.ts';
import { replaysUnredactedInDebugMode } from './replays-unredacted-in-debug-mode.ts';
import { replaysUnredactedInPoll } from './replays-unredacted-in-poll.ts';
import { replaysUnredactedInLog } from './replays-unredacted-in-log.ts';
import { replaysUnredactedInSnapshot } from './replays-unredacted-in-snapshot.ts';
import { replaysUnredactedInDiff } from './replays-unredacted-in-diff.ts';
import { replaysUnredactedInErrors } from './replays-unredacted-in-errors.ts';
import { replaysUnredactedEscaped } from './replays-unredacted-escaped.ts';
import { replaysUnredactedBase64 } from './replays-unredacted-base64.ts';
import { replaysUnredactedPercent } from './replays-unredacted-percent.ts';
import { replaysUnredactedToolSecrets } from './replays-unredacted-tool-secrets.ts';
import { replaysUnredactedModelSecrets } from './replays-unredacted-model-secrets.ts';
import { replaysUnredactedResumeSecrets } from './replays-unredacted-resume-secrets.ts';
import { replaysUnredactedInputSecrets } from './replays-unredacted-input-secrets.ts';
import { replaysOfReplaysUnredacted } from './replays-of-replays-unredacted.ts';
import { replaySpansWithInputs } from './replay-spans-with-inputs.ts';
import { forkAnswerWithInputs } from './fork-answer-with-inputs.ts';
import { deletedDataServed } from './deleted-data-served.ts';
import { deletedDataAskedAgain } from './deleted-data-asked-again.ts';
import { deletedDataReplayedWithout } from './deleted-data-replayed-without.ts';
import { deletedDataCrash } from './deleted-data-crash.ts';
import { deletedDataWithoutCode } from './deleted-data-without-code.ts';
import { deletedDataInRefusal } from './deleted-data-in-refusal.ts';
import { deletedDataInBranches } from './deleted-data-in-branches.ts';
import { auditWithoutReplays } from './audit-without-replays.ts';
import { auditWithoutBranches } from './audit-without-branches.ts';
import { auditNamesForkAsSource } from './audit-names-fork-as-source.ts';
import { auditWithSecrets } from './audit-with-secrets.ts';
import { replaysOpenToAll } from './replays-open-to-all.ts';
import { replayReportsOpenToAll } from './replay-reports-open-to-all.ts';
import { replaysReadableByAll } from './replays-readable-by-all.ts';
import { branchesOpenToAll } from './branches-open-to-all.ts';
import { forkOfForeignReplayForbidden } from './fork-of-foreign-replay-forbidden.ts';
import { reportAboutTheSource } from './report-about-the-source.ts';
import { reportAboutItself } from './report-about-itself.ts';
import { reportFromZero } from './report-from-zero.ts';
import { reportWithoutFromSeq } from './report-without-from-seq.ts';
import { reportMatchesOneMore } from './report-matches-one-more.ts';
import { reportCountsAsText } from './report-counts-as-text.ts';
import { reportComparesNothing } from './report-compares-nothing.ts';
import { reportCountsTooMany } from './report-counts-too-many.ts';
import { reportScoreInPercent } from './report-score-in-percent.ts';
import { reportScoreAsFlag } from './report-score-as-flag.ts';
import { reportScoreInverted } from './report-score-inverted.ts';
import { reportWithoutFirstDivergence } from './report-without-first-divergence.ts';
import { reportFirstDivergenceEarly } from './report-first-divergence-early.ts';
import { reportFirstDivergenceWhereNone } from './report-first-divergence-where-none.ts';
import { reportFirstDivergenceAtStart } from './report-first-divergence-at-start.ts';
import { reportNeverFull } from './report-never-full.ts';
import { reportAlwaysFull } from './report-always-full.ts';
import { regionRefusesForeignRuns } from './region-refuses-foreign-runs.ts';
import { regionShortensHistory } from './region-shortens-history.ts';
import { regionChangesHistory } from './region-changes-history.ts';
import { regionLosesVariables } from './region-loses-variables.ts';
import { regionChangesVariablesInHistory } from './region-changes-variables-in-history.ts';
import { regionShowsNoVariables } from './region-shows-no-variables.ts';
import { regionShowsAnotherStatus } from './region-shows-another-status.ts';
import { replaysInheritAnnotations } from './replays-inherit-annotations.ts';
import { branchesInheritAnnotations } from './branches-inherit-annotations.ts';
import { annotationsWrittenIntoTheLog } from './annotations-written-into-the-log.ts';
import { annotationsReadWithTheLog } from './annotations-read-with-the-log.ts';
import { annotationsRenumberEvents } from './annotations-renumber-events.ts';
import { annotationsOfForksShownAtTheSource } from './annotations-of-forks-shown-at-the-source.ts';
import { layerTwoIdWithoutAttempt } from './layer-two-id-without-attempt.ts';
import { layerTwoIdWithoutProviderKey } from './layer-two-id-without-provider-key.ts';
import { layerTwoIdJoinedOtherwise } from './layer-two-id-joined-otherwise.ts';
import { layerTwoIdUpperCase } from './layer-two-id-upper-case.ts';
import { layerTwoIdSwapped } from './layer-two-id-swapped.ts';

/** Mutants that the suite replay-governance kills. */
export const replayGovernanceMutants: readonly Mutant[] = [
  retentionUndocumented,
  expiredForkServed,
  expiredForkNotFound,
  expiredForkCrash,
  expiredForkBadRequest,
  expiredForkConflict,
  expiredForkWithoutCode,
  expiredForkBoundaryBeside,
  expiredDetailsMissing,
  expiredDetailsOtherSource,
  expiredDetailsOtherFromSeq,
  expiredDetailsOtherBoundary,
  expiredDetailsWithoutBoundary,
  expiredDefaultServed,
  expiredReplayServed,
  expiredBranchServed,
  replaysUnredacted,
  branchesUnredacted,
  replaysUnredactedInStreams,
  replaysUnredactedInDebugMode,
  replaysUnredactedInPoll,
  replaysUnredactedInLog,
  replaysUnredactedInSnapshot,
  replaysUnredactedInDiff,
  replaysUnredactedInErrors,
  replaysUnredactedEscaped,
  replaysUnredactedBase64,
  replaysUnredactedPercent,
  replaysUnredactedToolSecrets,
  replaysUnredactedModelSecrets,
  replaysUnredactedResumeSecrets,
  replaysUnredactedInputSecrets,
  replaysOfReplaysUnredacted,
  replaySpansWithInputs,
  forkAnswerWithInputs,
  deletedDataServed,
  deletedDataAskedAgain,
  deletedDataReplayedWithout,
  deletedDataCrash,
  deletedDataWithoutCode,
  deletedDataInRefusal,
  deletedDataInBranches,
  auditWithoutReplays,
  auditWithoutBranches,
  auditNamesForkAsSource,
  auditWithSecrets,
  replaysOpenToAll,
  replaysReadableByAll,
  replayReportsOpenToAll,
  branchesOpenToAll,
  forkOfForeignReplayForbidden,
  reportAboutTheSource,
  reportAboutItself,
  reportFromZero,
  reportWithoutFromSeq,
  reportMatchesOneMore,
  reportCountsAsText,
  reportComparesNothing,
  reportCountsTooMany,
  reportScoreInPercent,
  reportScoreAsFlag,
  reportScoreInverted,
  reportWithoutFirstDivergence,
  reportFirstDivergenceEarly,
  reportFirstDivergenceWhereNone,
  reportFirstDivergenceAtStart,
  reportNeverFull,
  reportAlwaysFull,
  regionRefusesForeignRuns,
  regionShortensHistory,
  regionChangesHistory,
  regionLosesVariables,
  regionChangesVariablesInHistory,
  regionShowsNoVariables,
  regionShowsAnotherStatus,
  replaysInheritAnnotations,
  branchesInheritAnnotations,
  annotationsWrittenIntoTheLog,
  annotationsReadWithTheLog,
  annotationsRenumberEvents,
  annotationsOfForksShownAtTheSource,
  layerTwoIdWithoutAttempt,
  layerTwoIdWithoutProviderKey,
  layerTwoIdJoinedOtherwise,
  layerTwoIdUpperCase,
  layerTwoIdSwapped,
];
