import type { Mutant } from './mutant.ts';

export const discoveryAsList: Mutant = {
  id: 'discovery-as-list',
  breaks: 'The discovery document is a JSON array.',
  kills: ['discovery.reachable'],
  parts: () => ({ discovery: (document) => [document] }),
};
