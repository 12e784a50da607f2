import type { Mutant } from '../mutant.ts';
import { governing } from '../shared/governance-parts.ts';

export const auditWithoutBranches: Mutant = {
  id: 'audit-without-branches',
  breaks: 'Branches of runs with secrets leave no audit record.',
  kills: ['privacy.audit.branch'],
  parts: governing(({ audit }) => ({
    audit: (entry, secrets) => (entry.mode === 'branch' ? undefined : audit(entry, secrets)),
  })),
};
