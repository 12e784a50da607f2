import type { Mutant } from '../mutant.ts';
import { bothDirections, withoutMember } from '../shared/refusal-parts.ts';

export const refusalWithoutSource: Mutant = {
  id: 'refusal-without-source',
  breaks: 'The event has no sourceRunId.',
  kills: [...bothDirections('payload')],
  parts: withoutMember('sourceRunId'),
};
