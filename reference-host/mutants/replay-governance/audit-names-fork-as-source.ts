import type { Mutant } from '../mutant.ts';
import { governing } from '../shared/governance-parts.ts';

export const auditNamesForkAsSource: Mutant = {
  id: 'audit-names-fork-as-source',
  breaks: 'The audit record of a fork names the fork as its source.',
  kills: ['privacy.audit', 'privacy.audit.branch'],
  parts: governing(() => ({ audit: (entry) => ({ ...entry, sourceRunId: entry.runId }) })),
};
