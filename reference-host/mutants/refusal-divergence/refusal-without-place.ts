import type { Mutant } from '../mutant.ts';
import { bothDirections, withoutMember } from '../shared/refusal-parts.ts';

export const refusalWithoutPlace: Mutant = {
  id: 'refusal-without-place',
  breaks: 'The event has no atSequence.',
  kills: [...bothDirections('payload')],
  parts: withoutMember('atSequence'),
};
