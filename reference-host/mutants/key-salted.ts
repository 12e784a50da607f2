import type { Mutant } from './mutant.ts';
import { randomUUID } from 'node:crypto';
import { OFFLINE } from './shared/checks.ts';
import { keying, sha256 } from './shared/key-parts.ts';

export const keySalted: Mutant = {
  id: 'key-salted',
  breaks: 'Each key is salted, so that the same request gets another one each time.',
  kills: [
    ...OFFLINE,
    'cache-key.deterministic',
    'replay.no-second-external-call.model',
    'refusal.cached-response-wins',
  ],
  parts: keying((key) => sha256(key + randomUUID())),
};
