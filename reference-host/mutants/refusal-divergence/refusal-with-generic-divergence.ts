import type { Mutant } from '../mutant.ts';
import { bothDirections, raising } from '../shared/refusal-parts.ts';

export const refusalWithGenericDivergence: Mutant = {
  id: 'refusal-with-generic-divergence',
  breaks: 'A replay that met the other kind of envelope says so with both events.',
  kills: [...bothDirections('distinct-event')],
  parts: raising((raised) => [raised, { ...raised, type: 'replay.diverged' }]),
};
