import type { Mutant } from './mutant.ts';
import { sha256 } from './shared/key-parts.ts';

export const changesWhenAskedAgain: Mutant = {
  id: 'changes-when-asked-again',
  breaks: 'A request that is asked again gets another key.',
  kills: ['cache-key.deterministic', 'replay.no-second-external-call.model', 'refusal.cached-response-wins'],
  parts: ({ cacheKey }) => {
    const seen = new Set<string>();
    return {
      cacheKey: (call, steps) => {
        const key = cacheKey(call, steps);
        if (seen.has(key)) return sha256(key);
        seen.add(key);
        return key;
      },
    };
  },
};
