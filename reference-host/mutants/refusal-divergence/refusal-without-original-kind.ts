import type { Mutant } from '../mutant.ts';
import { bothDirections, withoutMember } from '../shared/refusal-parts.ts';

export const refusalWithoutOriginalKind: Mutant = {
  id: 'refusal-without-original-kind',
  breaks: 'The event has no originalEnvelopeKind.',
  kills: [...bothDirections('payload')],
  parts: withoutMember('originalEnvelopeKind'),
};
