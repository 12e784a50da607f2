import { clockReadAgain } from './clock-read-again.ts';
import { debugStreamRefused } from './debug-stream-refused.ts';
import { debugStreamWithoutDivergence } from './debug-stream-without-divergence.ts';
import { divergenceAddedNodeUnnoticed } from './divergence-added-node-unnoticed.ts';
import { divergenceCancelsRun } from './divergence-cancels-run.ts';
import { divergenceDroppedNodeUnnoticed } from './divergence-dropped-node-unnoticed.ts';
import { divergenceEndsRun } from './divergence-ends-run.ts';
import { divergenceFailsRun } from './divergence-fails-run.ts';
import { divergenceLocatedAtTheStart } from './divergence-located-at-the-start.ts';
import { divergenceLocatorsUnknown } from './divergence-locators-unknown.ts';
import { divergenceOfAnotherRun } from './divergence-of-another-run.ts';
import { divergenceUnreported } from './divergence-unreported.ts';
import { divergenceWithoutLocators } from './divergence-without-locators.ts';
import { falseAlarm } from './false-alarm.ts';
import { falseAlarmAtATool } from './false-alarm-at-a-tool.ts';
import { falseAlarmAtTheClock } from './false-alarm-at-the-clock.ts';
import { falseAlarmFromTheMiddle } from './false-alarm-from-the-middle.ts';
import { falseAlarmWithBranches } from './false-alarm-with-branches.ts';
import { interruptAskedAgain } from './interrupt-asked-again.ts';
import { interruptOtherValue } from './interrupt-other-value.ts';
import { memoryIdMintedAgain } from './memory-id-minted-again.ts';
import { memoryIdMintedInHistory } from './memory-id-minted-in-history.ts';
import { memoryTimeTakenAgain } from './memory-time-taken-again.ts';
import { memoryTimeTakenInHistory } from './memory-time-taken-in-history.ts';
import { memoryWrittenTwice } from './memory-written-twice.ts';
import { replayAsksOutsideModel } from './replay-asks-outside-model.ts';
import { spanAlwaysDiverged } from './span-always-diverged.ts';
import { spanNeverDiverged } from './span-never-diverged.ts';
import { spanWithoutDivergence } from './span-without-divergence.ts';
import { toolAnswerLost } from './tool-answer-lost.ts';
import { toolCalledFromTheMiddle } from './tool-called-from-the-middle.ts';
import { toolCalledOnReplay } from './tool-called-on-replay.ts';
import { toolCalledOnSecondReplay } from './tool-called-on-second-replay.ts';
import { versionPinNewest } from './version-pin-newest.ts';
import { versionPinNotInherited } from './version-pin-not-inherited.ts';
import type { Mutant } from '../mutant.ts';

/** Defects of replays that the suite replay-determinism finds. */
export const replayDeterminismMutants: readonly Mutant[] = [
  clockReadAgain,
  debugStreamRefused,
  debugStreamWithoutDivergence,
  divergenceAddedNodeUnnoticed,
  divergenceCancelsRun,
  divergenceDroppedNodeUnnoticed,
  divergenceEndsRun,
  divergenceFailsRun,
  divergenceLocatedAtTheStart,
  divergenceLocatorsUnknown,
  divergenceOfAnotherRun,
  divergenceUnreported,
  divergenceWithoutLocators,
  falseAlarm,
  falseAlarmAtATool,
  falseAlarmAtTheClock,
  falseAlarmFromTheMiddle,
  falseAlarmWithBranches,
  interruptAskedAgain,
  interruptOtherValue,
  memoryIdMintedAgain,
  memoryIdMintedInHistory,
  memoryTimeTakenAgain,
  memoryTimeTakenInHistory,
  memoryWrittenTwice,
  replayAsksOutsideModel,
  spanAlwaysDiverged,
  spanNeverDiverged,
  spanWithoutDivergence,
  toolAnswerLost,
  toolCalledFromTheMiddle,
  toolCalledOnReplay,
  toolCalledOnSecondReplay,
  versionPinNewest,
  versionPinNotInherited,
];
