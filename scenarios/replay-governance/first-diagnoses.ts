import type { ExplainedDiagnosis } from '../../src/contract/verdict.ts';

const DELETED = ['privacy.deleted-data'];
const AUDIT = ['privacy.audit'];

/** What the judges of retention, redaction, deleted data, access checks and audit name. */
export const firstDiagnoses: readonly ExplainedDiagnosis[] = [
  {
    code: 'expired-served',
    message: 'A fork was made although events that it needs are not kept any more. Compare fromSeq with the boundary.',
    breaks: ['retention.expired-range'],
  },
  {
    code: 'server-error',
    message: 'A fork that needs what is gone was answered with a 5xx. Refuse it with the error envelope.',
    breaks: ['retention.expired-range', ...DELETED],
  },
  {
    code: 'shown-by-fork',
    message:
      'A fork shows a secret that its source hides in the same place. Redact forks by the rules of their source.',
    breaks: ['privacy.same-redaction'],
  },
  {
    code: 'served-deleted-data',
    message:
      'A replay was served data that had been deleted. Erase what replays are served from, or refuse the replay.',
    breaks: DELETED,
  },
  {
    code: 'fetched-again',
    message: 'A replay asked the external system again for data that had been deleted, instead of failing.',
    breaks: DELETED,
  },
  {
    code: 'replayed-without',
    message: 'A replay went on without deleted data that it needs, instead of failing.',
    breaks: DELETED,
  },
  {
    code: 'checks-bypassed',
    message:
      'Another tenant gets of a fork what it is refused of the source. A fork belongs to the tenant of its source.',
    breaks: ['privacy.same-access-checks'],
  },
  {
    code: 'not-audited',
    message: 'The fork of a run with sensitive fields left no audit record.',
    breaks: AUDIT,
  },
  {
    code: 'audited-without-source',
    message: 'The audit record of a fork does not name the run that it was made of.',
    breaks: AUDIT,
  },
];
