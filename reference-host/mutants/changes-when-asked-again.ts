import type { Mutant } from './mutant.ts';
import { sha256 } from './shared/key-parts.ts';

export const changesWhenAskedAgain: Mutant = {
  id: 'changes-when-asked-again',
  breaks: 'A request that is asked again gets another key.',
  kills: ['cache-key.deterministic', 'replay.no-second-external-call.model', 'refusal.cached-response-wins'],
  parts: ({ cacheKey }) => {
    const asked = new Map<string, number>();
    return {
      cacheKey: (call, steps) => {
        const key = cacheKey(call, steps);
        const times = asked.get(key) ?? 0;
        asked.set(key, times + 1);
        return times === 0 ? key : sha256(`${key} ${times}`);
      },
    };
  },
};
