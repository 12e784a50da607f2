import type { Suite } from '../../src/runner/scenario.ts';
import { crashMatrix } from './crash-matrix.ts';
import { crash } from './crash.ts';
import { externalKey } from './external-key.ts';
import { reclaim } from './reclaim.ts';
import { toolCall } from './tool-call.ts';
import { toolCallReplay } from './tool-call-replay.ts';
import { verificationHuman, verificationStrict, verificationWarn } from './verification.ts';
import { workers } from './workers.ts';

/** at-most-once: is a tool called at most once, whenever the host dies? */
export const atMostOnce: Suite = {
  id: 'at-most-once',
  scenarios: [
    crash,
    toolCall,
    toolCallReplay,
    externalKey,
    reclaim,
    workers,
    verificationStrict,
    verificationWarn,
    verificationHuman,
  ],
  crashMatrix,
};
