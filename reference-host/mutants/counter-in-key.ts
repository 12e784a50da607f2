import type { Mutant } from './mutant.ts';
import { OFFLINE } from './shared/checks.ts';
import { keying, sha256 } from './shared/key-parts.ts';

export const counterInKey: Mutant = {
  id: 'counter-in-key',
  breaks: 'A counter of the host enters the key.',
  kills: [
    ...OFFLINE,
    'cache-key.deterministic',
    'replay.no-second-external-call.model',
    'refusal.cached-response-wins',
  ],
  parts: (conformant) => {
    let calls = 0;
    return keying((key) => {
      calls += 1;
      return sha256(`${calls}:${key}`);
    })(conformant);
  },
};
