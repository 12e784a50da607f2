import { withLedger } from '../shared/ledger-parts.ts';
import type { Mutant } from '../mutant.ts';

export const externalKeyAnew: Mutant = {
  id: 'external-key-anew',
  breaks: 'Each tool call carries an external key of its own.',
  kills: ['once.external-key'],
  parts: withLedger({ externalKey: ({ runId, nodeId }) => `${runId}/${nodeId}` }),
};
