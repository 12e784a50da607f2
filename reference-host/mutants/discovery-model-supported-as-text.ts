import type { Mutant } from './mutant.ts';
import { advertisingWith, EXECUTION_MODEL } from './shared/discovery-parts.ts';

export const discoveryModelSupportedAsText: Mutant = {
  id: 'discovery-model-supported-as-text',
  breaks: 'executionModel.supported is the string "true".',
  kills: ['discovery.shape', 'discovery.execution-model'],
  parts: advertisingWith(EXECUTION_MODEL, { supported: 'true' }),
};
