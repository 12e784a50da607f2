import type { Mutant } from '../mutant.ts';
import { bothDirections } from '../shared/refusal-parts.ts';

export const refusalDoesNotStop: Mutant = {
  id: 'refusal-does-not-stop',
  breaks: 'The nodes after the one that met the other kind of envelope run all the same.',
  kills: [...bothDirections('no-silent-substitution'), 'refusal.mid-graph'],
  parts: ({ refusal }) => ({ endsRun: ({ code }) => code !== refusal.errorCode }),
};
