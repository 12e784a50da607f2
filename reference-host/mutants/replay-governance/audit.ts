import type { Defects } from '../mutant.ts';
import { within } from '../shared/within.ts';

/** Audit records of forks. */
export const defects: Defects = {
  'audit-without-replays': {
    breaks: 'Replays of runs with secrets leave no audit record.',
    kills: ['privacy.audit'],
    parts: within('governance', ({ audit }) => ({
      audit: (entry, secrets) => (entry.mode === 'replay' ? undefined : audit(entry, secrets)),
    })),
  },
  'audit-without-branches': {
    breaks: 'Branches of runs with secrets leave no audit record.',
    kills: ['privacy.audit.branch'],
    parts: within('governance', ({ audit }) => ({
      audit: (entry, secrets) => (entry.mode === 'branch' ? undefined : audit(entry, secrets)),
    })),
  },
  'audit-names-fork-as-source': {
    breaks: 'The audit record of a fork names the fork as its source.',
    kills: ['privacy.audit', 'privacy.audit.branch'],
    parts: within('governance', () => ({ audit: (entry) => ({ ...entry, sourceRunId: entry.runId }) })),
  },
  'audit-with-secrets': {
    breaks: 'The audit record of a fork lists the secrets that it is about.',
    kills: ['privacy.audit.no-secret'],
    parts: within('governance', ({ hides }) => ({
      hides: (secret) => secret.surface !== 'audit' && hides(secret),
      audit: (entry, secrets) => ({ ...entry, secrets }),
    })),
  },
};
