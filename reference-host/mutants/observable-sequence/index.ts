import type { Mutant } from '../mutant.ts';
import { logCopied } from './log-copied.ts';
import { toolReturnValueOnly } from './tool-return-value-only.ts';
import { toolChannelForgotten } from './tool-channel-forgotten.ts';
import { toolLogForgotten } from './tool-log-forgotten.ts';
import { toolVariableForgotten } from './tool-variable-forgotten.ts';
import { toolCalledAgain } from './tool-called-again.ts';
import { replayedReplayDrawsAnew } from './replayed-replay-draws-anew.ts';
import { branchesInDefinitionOrder } from './branches-in-definition-order.ts';
import { branchesReversed } from './branches-reversed.ts';
import { prefixOutputChanged } from './prefix-output-changed.ts';
import { prefixEventDropped } from './prefix-event-dropped.ts';
import { prefixEventDuplicated } from './prefix-event-duplicated.ts';
import { prefixRenumbered } from './prefix-renumbered.ts';
import { prefixTooShort } from './prefix-too-short.ts';
import { variableLostAtForkPoint } from './variable-lost-at-fork-point.ts';
import { channelLostAtForkPoint } from './channel-lost-at-fork-point.ts';
import { endChannelsEmpty } from './end-channels-empty.ts';
import { endVariablesEmpty } from './end-variables-empty.ts';
import { endStatusStale } from './end-status-stale.ts';
import { startedTwice } from './started-twice.ts';
import { toolKeyWithCounter } from './tool-key-with-counter.ts';
import { toolKeyWithClock } from './tool-key-with-clock.ts';
import { jsonNumbersRepeat } from './json-numbers-repeat.ts';
import { pollNewestFirst } from './poll-newest-first.ts';
import { jsonEndsTwice } from './json-ends-twice.ts';
import { pollGoesOnAfterTheEnd } from './poll-goes-on-after-the-end.ts';
import { pollMissesTheEnd } from './poll-misses-the-end.ts';
import { pollCursorInclusive } from './poll-cursor-inclusive.ts';
import { streamResumesTooEarly } from './stream-resumes-too-early.ts';
import { streamResumesTooLate } from './stream-resumes-too-late.ts';
import { jsonPayloadDiffers } from './json-payload-differs.ts';
import { pollNamesEventsAnew } from './poll-names-events-anew.ts';
import { concurrentForksShareEvents } from './concurrent-forks-share-events.ts';
import { branchesShareANumber } from './branches-share-a-number.ts';
import { branchesEndTwice } from './branches-end-twice.ts';
import { forkRepeatsTheLastNumber } from './fork-repeats-the-last-number.ts';
import { replayForgetsOptions } from './replay-forgets-options.ts';

/** Defects of replays, of state and of the ways to read a log. */
export const observableSequenceMutants: readonly Mutant[] = [
  logCopied,
  toolReturnValueOnly,
  toolChannelForgotten,
  toolLogForgotten,
  toolVariableForgotten,
  toolCalledAgain,
  replayedReplayDrawsAnew,
  branchesInDefinitionOrder,
  branchesReversed,
  prefixOutputChanged,
  prefixEventDropped,
  prefixEventDuplicated,
  prefixRenumbered,
  prefixTooShort,
  variableLostAtForkPoint,
  channelLostAtForkPoint,
  endChannelsEmpty,
  endVariablesEmpty,
  endStatusStale,
  startedTwice,
  toolKeyWithCounter,
  toolKeyWithClock,
  jsonNumbersRepeat,
  pollNewestFirst,
  jsonEndsTwice,
  pollGoesOnAfterTheEnd,
  pollMissesTheEnd,
  pollCursorInclusive,
  streamResumesTooEarly,
  streamResumesTooLate,
  jsonPayloadDiffers,
  pollNamesEventsAnew,
  concurrentForksShareEvents,
  branchesShareANumber,
  branchesEndTwice,
  forkRepeatsTheLastNumber,
  replayForgetsOptions,
];
