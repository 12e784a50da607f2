import { randomUUID } from 'node:crypto';
import { withLedger } from '../shared/ledger-parts.ts';
import type { Mutant } from '../mutant.ts';

export const resultMadeUp: Mutant = {
  id: 'result-made-up',
  breaks: 'A call that the stream says has succeeded is injected after a death with another result.',
  kills: ['once.appended-not-committed', 'once.committed', 'once.every-cut', 'once.stream-is-authority'],
  parts: withLedger({
    injected: (answer, { stream, ledger }) =>
      stream === 'committed' && ledger !== 'NEW'
        ? { kind: 'answered', answer: { nonce: randomUUID(), count: 1 } }
        : answer,
  }),
};
