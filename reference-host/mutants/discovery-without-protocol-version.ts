import type { Mutant } from './mutant.ts';
import { advertising } from './shared/discovery-parts.ts';

export const discoveryWithoutProtocolVersion: Mutant = {
  id: 'discovery-without-protocol-version',
  breaks: 'The required member protocolVersion is missing from the discovery document.',
  kills: ['discovery.shape'],
  parts: advertising(['protocolVersion'], () => undefined),
};
