import { hash } from 'node:crypto';
import { recalling } from '../shared/recorded-acts.ts';
import type { Mutant } from '../mutant.ts';

export const replayNamesAnotherKey: Mutant = {
  id: 'replay-names-another-key',
  breaks: 'A replay shows a tool call under a key that is neither its own nor that of its source.',
  kills: ['once.idempotency-key.replay', 'sequence.side-effects-cached', 'sequence.parallel-branches'],
  parts: recalling('core.tool.http', (recorded) => ({
    ...recorded,
    call: { attempt: '1', idempotencyKey: hash('sha256', JSON.stringify(recorded.call ?? {}), 'hex') },
  })),
};
