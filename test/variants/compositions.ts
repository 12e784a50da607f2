import {
  nestedCapabilities,
  extraMembers,
  unprocessableForBadRequest,
  absoluteUrls,
  relativeUrls,
  channelsInEntries,
  datedRefusals,
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
  pollWithOlderNames,
  streamModesIgnored,
  noticesInStreams,
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
  forkKeysOfTheEndpoint,
  replaysOnly,
  forkStartsReportedOtherwise,
  overlayWanted,
} from './fork-answers.ts';
import { divergenceInDebugOnly, divergenceBySequence, bareRefusalEvent, notedReplays } from './divergence.ts';
import { gapsInNumbers } from './gaps-in-numbers.ts';
import { handoffsReportedLate, handoffsWithoutChildCompleted, handoffsReportedOtherwise } from './handoffs.ts';
import type { Variant } from './variant.ts';

/**
 * The hosts that are run: in each half every variant has one place. Those that exclude each other, or of which one would
 * hide the other, stand in different rows: one way of reading a log each, one way of numbering, one of telling handoffs.
 * Two that meet in the first half should not meet again, so that nobody is hidden twice by the same one.
 */
export const COMPOSITIONS = {
  first: [
    [
      sseOnly,
      noticesInStreams,
      relativeUrls,
      channelsInEntries,
      divergenceInDebugOnly,
      nestedSeamErrors,
      upperCaseProviderFolded,
      gapsInNumbers,
      uuidIds,
      bareRefusalEvent,
      emptyCountsAsPresent,
      unprocessableForBadRequest,
      handoffsWithoutChildCompleted,
      overlayWanted,
    ],
    [
      pollOnly,
      forkStartsReportedOtherwise,
      nestedCapabilities,
      extraMembers,
      notedReplays,
      unknownMembersHashed,
      divergenceBySequence,
      seqAndData,
      countedIds,
      wordyRefusals,
      handoffsReportedLate,
      passedFailpointsListFull,
      forkKeysOfTheEndpoint,
    ],
    [
      reducedStream,
      datedRefusals,
      firstSequenceOne,
      throttled,
      jsonByDefault,
      streamModesIgnored,
      completedAtOnce,
      upperCaseProviderRefused,
      bareSnapshots,
      forksConflictInFlight,
      nullNodeId,
      toolEventsSpelledOtherwise,
      callKeysOfTheRun,
    ],
    [
      jsonLogOnly,
      replaysOnly,
      vendorRecipe,
      unknownEventTypes,
      clockInSeconds,
      smallChunks,
      passedFailpointsNotReported,
    ],
    [pollWithOlderNames, forksRefusedOtherwise, handoffsReportedOtherwise, absoluteUrls, charsetNamed, slow],
  ],
  second: [
    [
      jsonByDefault,
      divergenceInDebugOnly,
      gapsInNumbers,
      vendorRecipe,
      absoluteUrls,
      forksConflictInFlight,
      passedFailpointsListFull,
      noticesInStreams,
      overlayWanted,
      forkKeysOfTheEndpoint,
    ],
    [
      sseOnly,
      forkStartsReportedOtherwise,
      seqAndData,
      handoffsReportedOtherwise,
      wordyRefusals,
      upperCaseProviderRefused,
      callKeysOfTheRun,
    ],
    [pollOnly, relativeUrls, datedRefusals, uuidIds, replaysOnly, firstSequenceOne, nestedSeamErrors, nullNodeId],
    [
      reducedStream,
      channelsInEntries,
      notedReplays,
      bareRefusalEvent,
      handoffsWithoutChildCompleted,
      countedIds,
      unknownEventTypes,
      streamModesIgnored,
      smallChunks,
      nestedCapabilities,
      forksRefusedOtherwise,
      extraMembers,
    ],
    [
      jsonLogOnly,
      unknownMembersHashed,
      divergenceBySequence,
      charsetNamed,
      handoffsReportedLate,
      slow,
      throttled,
      completedAtOnce,
    ],
    [
      pollWithOlderNames,
      emptyCountsAsPresent,
      unprocessableForBadRequest,
      clockInSeconds,
      passedFailpointsNotReported,
      upperCaseProviderFolded,
      bareSnapshots,
      toolEventsSpelledOtherwise,
    ],
  ],
} as const satisfies Record<string, readonly (readonly Variant[])[]>;
