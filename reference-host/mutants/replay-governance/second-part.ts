import type { Mutant } from '../mutant.ts';
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

/** Mutants of the checks about reports, regions, annotations and Layer-2 ids. */
export const secondPartMutants: readonly Mutant[] = [
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
