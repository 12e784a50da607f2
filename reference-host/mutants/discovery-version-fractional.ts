import type { Mutant } from './mutant.ts';
import { advertisingWith, EXECUTION_MODEL } from './shared/discovery-parts.ts';

export const discoveryVersionFractional: Mutant = {
  id: 'discovery-version-fractional',
  breaks: 'executionModel.version is 4.1, which is no integer.',
  kills: ['discovery.shape', 'discovery.execution-model'],
  parts: advertisingWith(EXECUTION_MODEL, { version: 4.1 }),
};
