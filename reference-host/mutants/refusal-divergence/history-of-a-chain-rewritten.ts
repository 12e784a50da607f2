import { isObject } from '../../json.ts';
import type { Mutant } from '../mutant.ts';

export const historyOfAChainRewritten: Mutant = {
  id: 'history-of-a-chain-rewritten',
  breaks: 'A replay of several model calls has other values before the call that diverges.',
  kills: ['refusal.mid-graph'],
  parts: ({ written }) => ({
    written: (draft, writing) =>
      written(draft, writing).map((each) =>
        writing.run.fork?.mode === 'replay' &&
        writing.run.workflowId === 'conformance-determinism-llm-chain' &&
        each.type === 'variable.changed'
          ? { ...each, payload: { ...(isObject(each.payload) ? each.payload : {}), value: 'rewritten' } }
          : each,
      ),
  }),
};
