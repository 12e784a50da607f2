import { isTerminal } from '../../store/event.ts';
import type { Mutant } from '../mutant.ts';

export const concurrentForksShareEvents: Mutant = {
  id: 'concurrent-forks-share-events',
  breaks: 'Forks of one run that execute at once write an event for one of them only.',
  kills: ['sequence.state-equal.concurrent'],
  parts: () => {
    const writing = new Map<string, Set<string>>();
    return {
      written: (draft, { run }) => {
        const others = writing.get(run.fork?.parentRunId ?? '') ?? new Set();
        if (isTerminal(draft.type)) others.delete(run.runId);
        if (run.fork?.mode !== 'replay' || draft.nodeId !== 'random-again') return [draft];
        if (draft.type === 'node.started') writing.set(run.fork.parentRunId, others.add(run.runId));
        const [first] = others;
        return draft.type === 'variable.changed' && first !== run.runId ? [] : [draft];
      },
    };
  },
};
