import type { Mutant } from './mutant.ts';
import { OFFLINE } from './shared/checks.ts';
import { keying, sha256 } from './shared/key-parts.ts';

export const clockInKey: Mutant = {
  id: 'clock-in-key',
  breaks: 'The time of the request enters the key.',
  kills: [
    ...OFFLINE,
    'cache-key.deterministic',
    'replay.no-second-external-call.model',
    'refusal.cached-response-wins',
  ],
  parts: keying((key) => sha256(`${performance.now()}:${key}`)),
};
