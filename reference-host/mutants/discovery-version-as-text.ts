import type { Mutant } from './mutant.ts';
import { advertisingWith, EXECUTION_MODEL } from './shared/discovery-parts.ts';

export const discoveryVersionAsText: Mutant = {
  id: 'discovery-version-as-text',
  breaks: 'executionModel.version is the string "4".',
  kills: ['discovery.shape', 'discovery.execution-model'],
  parts: advertisingWith(EXECUTION_MODEL, { version: '4' }),
};
