import type { Mutant } from '../mutant.ts';
import type { Fetch } from '../../parts.ts';
import { stringMember } from '../../json.ts';

/** Tells whose program is staged. */
function noticing(staged: (nodeId: string | undefined) => void, next: Fetch): Fetch {
  return async (request) => {
    if (new URL(request.url).pathname.endsWith('/mock-ai/program')) {
      staged(stringMember(await request.clone().json(), 'nodeId'));
    }
    return next(request);
  };
}

export const restagingOneAsksAll: Mutant = {
  id: 'restaging-one-asks-all',
  breaks: 'Staging one node of a source run again makes its replays ask for the nodes before it as well.',
  kills: ['refusal.mid-graph'],
  parts: ({ llmCache, middleware }) => {
    let staged = 0;
    return {
      llmCache: {
        ...llmCache,
        onReplay: (call) => (call.nodeId === 'first-call' && staged > 1 ? 'ask' : llmCache.onReplay(call)),
      },
      middleware: (next) => middleware(noticing((nodeId) => (staged += nodeId === 'second-call' ? 1 : 0), next)),
    };
  },
};
