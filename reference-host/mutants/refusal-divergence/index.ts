import type { Mutant } from '../mutant.ts';
import { refusalTakenInSilence } from './refusal-taken-in-silence.ts';
import { validAnswerTakenInSilence } from './valid-answer-taken-in-silence.ts';
import { sourceAnswerKept } from './source-answer-kept.ts';
import { historyOfAChainRewritten } from './history-of-a-chain-rewritten.ts';
import { refusalAsGenericDivergence } from './refusal-as-generic-divergence.ts';
import { refusalWithGenericDivergence } from './refusal-with-generic-divergence.ts';
import { refusalRaisedTwice } from './refusal-raised-twice.ts';
import { refusalRaisedFromStartOnly } from './refusal-raised-from-start-only.ts';
import { refusalKindsEqual } from './refusal-kinds-equal.ts';
import { refusalKindsSwapped } from './refusal-kinds-swapped.ts';
import { refusalWithoutSource } from './refusal-without-source.ts';
import { refusalWithoutPlace } from './refusal-without-place.ts';
import { refusalWithoutOriginalKind } from './refusal-without-original-kind.ts';
import { refusalWithoutReplayKind } from './refusal-without-replay-kind.ts';
import { refusalNamesTheReplay } from './refusal-names-the-replay.ts';
import { refusalKindMisnamed } from './refusal-kind-misnamed.ts';
import { refusalAtTheStart } from './refusal-at-the-start.ts';
import { refusalPastTheEnd } from './refusal-past-the-end.ts';
import { refusalNamesAnotherEvent } from './refusal-names-another-event.ts';
import { refusalNamesAnotherNode } from './refusal-names-another-node.ts';
import { refusalUnderAnotherCode } from './refusal-under-another-code.ts';
import { refusalDoesNotFail } from './refusal-does-not-fail.ts';
import { refusalDoesNotStop } from './refusal-does-not-stop.ts';
import { refusalWritesTheAnswer } from './refusal-writes-the-answer.ts';
import { refusalKeepsTheAnswer } from './refusal-keeps-the-answer.ts';
import { refusalNumberedAfterTheEnd } from './refusal-numbered-after-the-end.ts';
import { refusalRaisedAfterTheEnd } from './refusal-raised-after-the-end.ts';
import { alarmAtOtherContent } from './alarm-at-other-content.ts';
import { alarmAtTheSameRefusal } from './alarm-at-the-same-refusal.ts';
import { refusalTextAsReason } from './refusal-text-as-reason.ts';
import { refusalTextInBase64 } from './refusal-text-in-base64.ts';
import { refusalRewritesTheSource } from './refusal-rewrites-the-source.ts';
import { refusalEmptiesVariables } from './refusal-empties-variables.ts';
import { refusalInTheSourceSnapshot } from './refusal-in-the-source-snapshot.ts';
import { refusalBlamedOnTheFirstCall } from './refusal-blamed-on-the-first-call.ts';
import { restagingOneAsksAll } from './restaging-one-asks-all.ts';
import { belowVersionFourRaises } from './below-version-four-raises.ts';

/** The mutants of the suite refusal-divergence. */
export const REFUSAL_DIVERGENCE: readonly Mutant[] = [
  refusalTakenInSilence,
  validAnswerTakenInSilence,
  sourceAnswerKept,
  historyOfAChainRewritten,
  refusalAsGenericDivergence,
  refusalWithGenericDivergence,
  refusalRaisedTwice,
  refusalRaisedFromStartOnly,
  refusalKindsEqual,
  refusalKindsSwapped,
  refusalWithoutSource,
  refusalWithoutPlace,
  refusalWithoutOriginalKind,
  refusalWithoutReplayKind,
  refusalNamesTheReplay,
  refusalKindMisnamed,
  refusalAtTheStart,
  refusalPastTheEnd,
  refusalNamesAnotherEvent,
  refusalNamesAnotherNode,
  refusalUnderAnotherCode,
  refusalDoesNotFail,
  refusalDoesNotStop,
  refusalWritesTheAnswer,
  refusalKeepsTheAnswer,
  refusalNumberedAfterTheEnd,
  refusalRaisedAfterTheEnd,
  alarmAtOtherContent,
  alarmAtTheSameRefusal,
  refusalTextAsReason,
  refusalTextInBase64,
  refusalRewritesTheSource,
  refusalEmptiesVariables,
  refusalInTheSourceSnapshot,
  refusalBlamedOnTheFirstCall,
  restagingOneAsksAll,
  belowVersionFourRaises,
];
