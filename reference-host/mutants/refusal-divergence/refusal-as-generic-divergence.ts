import type { Mutant } from '../mutant.ts';
import { BOTH_CONTRACTS, bothDirections, raising } from '../shared/refusal-parts.ts';

export const refusalAsGenericDivergence: Mutant = {
  id: 'refusal-as-generic-divergence',
  breaks: 'A replay that met the other kind of envelope says so with replay.diverged.',
  kills: [...BOTH_CONTRACTS, ...bothDirections('distinct-event')],
  parts: raising((raised) => [{ ...raised, type: 'replay.diverged' }]),
};
