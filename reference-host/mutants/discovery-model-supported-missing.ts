import type { Mutant } from './mutant.ts';
import { advertising, EXECUTION_MODEL } from './shared/discovery-parts.ts';

export const discoveryModelSupportedMissing: Mutant = {
  id: 'discovery-model-supported-missing',
  breaks: 'executionModel.supported is missing.',
  kills: ['discovery.shape', 'discovery.execution-model', 'handoff.not-unless-supported'],
  parts: advertising([...EXECUTION_MODEL, 'supported'], () => undefined),
};
