import type { Suite } from '../../src/runner/scenario.ts';
import { crashMatrix } from './crash-matrix.ts';
import { crash } from './crash.ts';
import { diagnoses } from './diagnoses.ts';
import { doubtInForks } from './doubt-in-forks.ts';
import { emptyResult } from './empty-result.ts';
import { failedCall } from './failed-call.ts';
import { failedCallCrash } from './failed-call-crash.ts';
import { externalKey } from './external-key.ts';
import { perCall } from './per-call.ts';
import { reclaim } from './reclaim.ts';
import { staleWorker } from './stale-worker.ts';
import { streamWins } from './stream-wins.ts';
import { toolCall } from './tool-call.ts';
import { toolCallReplay } from './tool-call-replay.ts';
import { unnamedMode } from './unnamed-mode.ts';
import { recoveredHuman, recoveredStrict, recoveredWarn } from './verified-recovery.ts';
import { verificationHuman, verificationStrict, verificationWarn } from './verification.ts';
import { workers } from './workers.ts';

/** at-most-once: is a tool called at most once, whenever the host dies? */
export const atMostOnce: Suite = {
  id: 'at-most-once',
  scenarios: [
    crash,
    emptyResult,
    failedCall,
    failedCallCrash,
    toolCall,
    toolCallReplay,
    externalKey,
    doubtInForks,
    streamWins,
    perCall,
    reclaim,
    workers,
    staleWorker,
    verificationStrict,
    verificationWarn,
    verificationHuman,
    unnamedMode,
    recoveredStrict,
    recoveredWarn,
    recoveredHuman,
  ],
  diagnoses,
  crashMatrix,
};
