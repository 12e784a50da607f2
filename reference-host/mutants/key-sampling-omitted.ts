import type { Mutant } from './mutant.ts';
import { OFFLINE } from './shared/checks.ts';
import { projecting, without } from './shared/key-parts.ts';

export const keySamplingOmitted: Mutant = {
  id: 'key-sampling-omitted',
  breaks: 'temperature, topP and topK are left out of the key.',
  kills: [...OFFLINE, 'cache-key.includes-recipe-fields'],
  parts: projecting((projected) => without(projected, 'temperature', 'topP', 'topK')),
};
