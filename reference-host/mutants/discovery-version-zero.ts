import type { Mutant } from './mutant.ts';
import { advertisingWith, EXECUTION_MODEL } from './shared/discovery-parts.ts';

export const discoveryVersionZero: Mutant = {
  id: 'discovery-version-zero',
  breaks: 'executionModel.version is 0.',
  kills: ['discovery.shape', 'discovery.execution-model'],
  parts: advertisingWith(EXECUTION_MODEL, { version: 0 }),
};
