import type { Mutant } from '../mutant.ts';
import { governing } from '../shared/governance-parts.ts';

export const auditWithSecrets: Mutant = {
  id: 'audit-with-secrets',
  breaks: 'The audit record of a fork lists the secrets that it is about.',
  kills: ['privacy.audit.no-secret'],
  parts: governing(({ hides }) => ({
    hides: (secret) => secret.surface !== 'audit' && hides(secret),
    audit: (entry, secrets) => ({ ...entry, secrets }),
  })),
};
