import type { Mutant } from '../mutant.ts';
import { stringMember } from '../../json.ts';
import { raising } from '../shared/refusal-parts.ts';

export const refusalWritesTheAnswer: Mutant = {
  id: 'refusal-writes-the-answer',
  breaks:
    'The answer that a replay gets instead of a refusal is written into the state before the divergence is reported.',
  kills: ['refusal.no-silent-substitution.refusal-to-valid'],
  parts: raising((raised) => {
    const isValid = stringMember(raised.payload, 'replayEnvelopeKind') === 'valid';
    const change = { type: 'variable.changed', payload: { name: 'answer', value: { valid: true } } } as const;
    return isValid ? [change, raised] : [raised];
  }),
};
