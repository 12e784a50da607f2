import type { Mutant } from './mutant.ts';
import { OFFLINE } from './shared/checks.ts';
import { projecting, without, eachOf } from './shared/key-parts.ts';

export const toolDescriptionsOmitted: Mutant = {
  id: 'tool-descriptions-omitted',
  breaks: 'The descriptions of tools are left out of the key.',
  kills: [...OFFLINE, 'cache-key.includes-recipe-fields'],
  parts: projecting((projected) => eachOf(projected, 'tools', (tool) => without(tool, 'description'))),
};
