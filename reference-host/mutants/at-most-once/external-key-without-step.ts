import { withLedger } from '../shared/ledger-parts.ts';
import type { Mutant } from '../mutant.ts';

export const externalKeyWithoutStep: Mutant = {
  id: 'external-key-without-step',
  breaks: 'All tool calls of a run carry the same external key.',
  kills: ['once.external-key'],
  parts: withLedger(({ externalKey }) => ({
    externalKey: (call) => externalKey({ ...call, nodeId: 'run' }),
  })),
};
