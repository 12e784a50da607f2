import type { Mutant } from '../mutant.ts';
import { advertising } from '../shared/discovery-parts.ts';

export const retentionUndocumented: Mutant = {
  id: 'retention-undocumented',
  breaks: 'The discovery document says nothing of retention.',
  kills: ['retention.documented'],
  parts: advertising(['replay', 'retention'], () => undefined),
};
