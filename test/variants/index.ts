import type { Variant } from './variant.ts';
import { nestedCapabilities } from './nested-capabilities.ts';
import { extraMembers } from './extra-members.ts';
import { firstSequenceOne } from './first-sequence-one.ts';
import { sseOnly } from './sse-only.ts';
import { pollOnly } from './poll-only.ts';
import { jsonByDefault } from './json-by-default.ts';
import { jsonLogOnly } from './json-log-only.ts';
import { reducedStream } from './reduced-stream.ts';
import { slow } from './slow.ts';
import { completedAtOnce } from './completed-at-once.ts';
import { throttled } from './throttled.ts';
import { charsetNamed } from './charset-named.ts';
import { smallChunks } from './small-chunks.ts';
import { noticesInStreams } from './notices-in-streams.ts';
import { seqAndData } from './seq-and-data.ts';
import { nullNodeId } from './null-node-id.ts';
import { unknownEventTypes } from './unknown-event-types.ts';
import { vendorRecipe } from './vendor-recipe.ts';
import { uuidIds } from './uuid-ids.ts';
import { countedIds } from './counted-ids.ts';
import { emptyCountsAsPresent } from './empty-counts-as-present.ts';
import { unknownMembersHashed } from './unknown-members-hashed.ts';
import { upperCaseProviderRefused } from './upper-case-provider-refused.ts';
import { upperCaseProviderFolded } from './upper-case-provider-folded.ts';
import { unprocessableForBadRequest } from './unprocessable-for-bad-request.ts';
import { nestedSeamErrors } from './nested-seam-errors.ts';
import { absoluteUrls } from './absolute-urls.ts';
import { pollWithOlderNames } from './poll-with-older-names.ts';
import { forksRefusedOtherwise } from './forks-refused-otherwise.ts';
import { forksConflictInFlight } from './forks-conflict-in-flight.ts';
import { replaysOnly } from './replays-only.ts';
import { forkStartsReportedOtherwise } from './fork-starts-reported-otherwise.ts';
import { divergenceInDebugOnly } from './divergence-in-debug-only.ts';
import { divergenceBySequence } from './divergence-by-sequence.ts';
import { clockInSeconds } from './clock-in-seconds.ts';
import { bareRefusalEvent } from './bare-refusal-event.ts';
import { bareSnapshots } from './bare-snapshots.ts';
import { wordyRefusals } from './wordy-refusals.ts';
import { notedReplays } from './noted-replays.ts';
import { gapsInNumbers } from './gaps-in-numbers.ts';
import { streamModesIgnored } from './stream-modes-ignored.ts';
import { toolEventsSpelledOtherwise } from './tool-events-spelled-otherwise.ts';
import { passedFailpointsListFull } from './passed-failpoints-list-full.ts';
import { passedFailpointsNotReported } from './passed-failpoints-not-reported.ts';
import { handoffsReportedLate } from './handoffs-reported-late.ts';
import { handoffsWithoutChildCompleted } from './handoffs-without-child-completed.ts';
import { handoffsReportedOtherwise } from './handoffs-reported-otherwise.ts';

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
