import type { Variant } from './variant.ts';
import {
  nestedCapabilities,
  extraMembers,
  unprocessableForBadRequest,
  absoluteUrls,
  relativeUrls,
  bareSnapshots,
  wordyRefusals,
} from './documents.ts';
import {
  firstSequenceOne,
  completedAtOnce,
  seqAndData,
  nullNodeId,
  unknownEventTypes,
  clockInSeconds,
  toolEventsSpelledOtherwise,
} from './event-forms.ts';
import {
  sseOnly,
  pollOnly,
  jsonByDefault,
  jsonLogOnly,
  reducedStream,
  slow,
  throttled,
  charsetNamed,
  smallChunks,
  noticesInStreams,
  pollWithOlderNames,
  streamModesIgnored,
} from './transports.ts';
import {
  vendorRecipe,
  emptyCountsAsPresent,
  unknownMembersHashed,
  upperCaseProviderRefused,
  upperCaseProviderFolded,
} from './keys.ts';
import { callKeysOfTheRun } from './call-keys.ts';
import { uuidIds, countedIds } from './ids.ts';
import { nestedSeamErrors, passedFailpointsListFull, passedFailpointsNotReported } from './test-seams.ts';
import {
  forksRefusedOtherwise,
  forksConflictInFlight,
  replaysOnly,
  forkStartsReportedOtherwise,
  overlayWanted,
} from './fork-answers.ts';
import { divergenceInDebugOnly, divergenceBySequence, bareRefusalEvent, notedReplays } from './divergence.ts';
import { gapsInNumbers } from './gaps-in-numbers.ts';
import { handoffsReportedLate, handoffsWithoutChildCompleted, handoffsReportedOtherwise } from './handoffs.ts';

/** All variants, the nearest to the host first: where several are composed, each wraps those before it. */
export const VARIANTS: readonly Variant[] = [
  completedAtOnce,
  firstSequenceOne,
  clockInSeconds,
  wordyRefusals,
  notedReplays,
  divergenceBySequence,
  bareRefusalEvent,
  handoffsReportedLate,
  handoffsWithoutChildCompleted,
  handoffsReportedOtherwise,
  unknownEventTypes,
  callKeysOfTheRun,
  toolEventsSpelledOtherwise,
  nullNodeId,
  gapsInNumbers,
  seqAndData,
  bareSnapshots,
  vendorRecipe,
  emptyCountsAsPresent,
  unknownMembersHashed,
  upperCaseProviderRefused,
  upperCaseProviderFolded,
  forksRefusedOtherwise,
  forkStartsReportedOtherwise,
  overlayWanted,
  forksConflictInFlight,
  replaysOnly,
  uuidIds,
  countedIds,
  sseOnly,
  pollOnly,
  jsonByDefault,
  jsonLogOnly,
  pollWithOlderNames,
  divergenceInDebugOnly,
  streamModesIgnored,
  reducedStream,
  absoluteUrls,
  relativeUrls,
  extraMembers,
  nestedCapabilities,
  nestedSeamErrors,
  unprocessableForBadRequest,
  passedFailpointsListFull,
  passedFailpointsNotReported,
  charsetNamed,
  slow,
  smallChunks,
  noticesInStreams,
  throttled,
];
