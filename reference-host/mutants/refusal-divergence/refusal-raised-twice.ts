import type { Mutant } from '../mutant.ts';
import { bothDirections, raising } from '../shared/refusal-parts.ts';

export const refusalRaisedTwice: Mutant = {
  id: 'refusal-raised-twice',
  breaks: 'A replay that met the other kind of envelope says so twice.',
  kills: [...bothDirections('distinct-event')],
  parts: raising((raised) => [raised, raised]),
};
