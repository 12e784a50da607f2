import type { Mutant } from '../mutant.ts';
import { governing } from '../shared/governance-parts.ts';

export const auditWithoutReplays: Mutant = {
  id: 'audit-without-replays',
  breaks: 'Replays of runs with secrets leave no audit record.',
  kills: ['privacy.audit'],
  parts: governing(({ audit }) => ({
    audit: (entry, secrets) => (entry.mode === 'replay' ? undefined : audit(entry, secrets)),
  })),
};
