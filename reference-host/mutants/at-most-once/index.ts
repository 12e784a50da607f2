import type { Mutant } from '../mutant.ts';
import { commitBeforeAppend } from './commit-before-append.ts';
import { noStartedBarrier } from './no-started-barrier.ts';
import { committedBeforeFinished } from './committed-before-finished.ts';
import { effectAfterAppend } from './effect-after-append.ts';
import { acquireReadsThenWrites } from './acquire-reads-then-writes.ts';
import { attemptInInternalKey } from './attempt-in-internal-key.ts';
import { keyArgsUnsorted } from './key-args-unsorted.ts';
import { keyWithoutSeparators } from './key-without-separators.ts';
import { keyWithoutArgs } from './key-without-args.ts';
import { keysNotWritten } from './keys-not-written.ts';
import { externalKeyWithoutStep } from './external-key-without-step.ts';
import { externalKeyWithoutAttempt } from './external-key-without-attempt.ts';
import { externalKeyAnew } from './external-key-anew.ts';
import { emptyResultIsNone } from './empty-result-is-none.ts';
import { resultMadeUp } from './result-made-up.ts';
import { effectStoreIgnored } from './effect-store-ignored.ts';
import { effectStoreNotOpened } from './effect-store-not-opened.ts';
import { catchUpTwice } from './catch-up-twice.ts';
import { inFlightForEver } from './in-flight-for-ever.ts';
import { inDoubtExecutedAgain } from './in-doubt-executed-again.ts';
import { neverReclaimed } from './never-reclaimed.ts';
import { ledgerBeforeStream } from './ledger-before-stream.ts';
import { committedExecutedAgain } from './committed-executed-again.ts';
import { patienceLostAtTheThirdAttempt } from './patience-lost-at-the-third-attempt.ts';
import { staleWorkerWrites } from './stale-worker-writes.ts';
import { strictAsWarn } from './strict-as-warn.ts';
import { warnAsStrict } from './warn-as-strict.ts';
import { warnNotCounted } from './warn-not-counted.ts';
import { agreementCounted } from './agreement-counted.ts';
import { humanNotAsked } from './human-not-asked.ts';
import { confirmationNotHeard } from './confirmation-not-heard.ts';
import { confirmationLeadsNowhere } from './confirmation-leads-nowhere.ts';
import { replayNamesAnotherKey } from './replay-names-another-key.ts';

/** Defects of the ledger, of recovery and of verification. */
export const atMostOnceMutants: readonly Mutant[] = [
  commitBeforeAppend,
  noStartedBarrier,
  committedBeforeFinished,
  effectAfterAppend,
  acquireReadsThenWrites,
  attemptInInternalKey,
  keyArgsUnsorted,
  keyWithoutSeparators,
  keyWithoutArgs,
  keysNotWritten,
  externalKeyWithoutStep,
  externalKeyWithoutAttempt,
  externalKeyAnew,
  emptyResultIsNone,
  resultMadeUp,
  effectStoreIgnored,
  effectStoreNotOpened,
  catchUpTwice,
  inFlightForEver,
  inDoubtExecutedAgain,
  neverReclaimed,
  ledgerBeforeStream,
  committedExecutedAgain,
  patienceLostAtTheThirdAttempt,
  staleWorkerWrites,
  strictAsWarn,
  warnAsStrict,
  warnNotCounted,
  agreementCounted,
  humanNotAsked,
  confirmationNotHeard,
  confirmationLeadsNowhere,
  replayNamesAnotherKey,
];
