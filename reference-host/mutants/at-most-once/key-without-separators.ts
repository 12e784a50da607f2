import { hash } from 'node:crypto';
import { withLedger } from '../shared/ledger-parts.ts';
import type { Mutant } from '../mutant.ts';

export const keyWithoutSeparators: Mutant = {
  id: 'key-without-separators',
  breaks: 'The internal idempotency key runs its members together.',
  kills: ['once.idempotency-key'],
  parts: withLedger({
    idempotencyKey: ({ runId, nodeId, tool }, canonical) =>
      hash('sha256', `${runId}${nodeId}${tool}${canonical}`, 'hex'),
  }),
};
