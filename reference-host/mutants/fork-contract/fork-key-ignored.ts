import type { Mutant } from '../mutant.ts';
import { forking, without } from '../shared/fork-parts.ts';

export const forkKeyIgnored: Mutant = {
  id: 'fork-key-ignored',
  breaks: 'An Idempotency-Key on a fork is ignored.',
  kills: ['fork.idempotency-key', 'fork.idempotency-key.at-once'],
  parts: forking(({ headers, send }) => send({ headers: without(headers, 'idempotency-key') })),
};
