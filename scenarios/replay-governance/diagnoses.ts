import type { ExplainedDiagnosis } from '../../src/contract/verdict.ts';
import { wrongFormulas } from './invocation-id.ts';

const DELETED = ['privacy.deleted-data'];
const AUDIT = ['privacy.audit'];
const REGIONS = ['region.same-fork'];
const INHERITED = ['annotation.not-inherited'];
const IN_LOG = ['annotation.not-an-event'];

/** The causes that the judges of this suite name. */
export const diagnoses: readonly ExplainedDiagnosis[] = [
  {
    code: 'expired-served',
    message: 'A fork was made although events that it needs are not kept any more. Compare fromSeq with the boundary.',
    breaks: ['retention.expired-range'],
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
  {
    code: 'wrong-first-divergence',
    message:
      'A determinism report names a place that is not where the two logs first part. Align them without replay.* events.',
    breaks: ['score.consistent'],
  },
  {
    code: 'region-refuses',
    message:
      'The other region refuses a fork that the region of the source serves. Each region reads the log of every run.',
    breaks: REGIONS,
  },
  {
    code: 'second-region-departs',
    message:
      'A fork served by the other region has another history or state than the source. Only clocks and fresh ids may differ.',
    breaks: REGIONS,
  },
  {
    code: 'annotations-inherited',
    message: 'A fork shows annotations that nobody made for it. It is a new run, which nobody has judged yet.',
    breaks: INHERITED,
  },
  {
    code: 'annotations-mixed',
    message: 'An annotation shows at a run that it was not made for. Keep annotations by the run that they are about.',
    breaks: INHERITED,
  },
  {
    code: 'annotation-in-log',
    message: 'An annotation was written into a log or replayed from one. run.annotated is for streams that are open.',
    breaks: IN_LOG,
  },
  {
    code: 'annotation-moves-events',
    message: 'Events have other numbers since the run was annotated. An annotation takes no number of the log.',
    breaks: IN_LOG,
  },
  ...wrongFormulas().map(({ code, message }) => ({
    code,
    message: `A Layer-2 id is not sha256(run:node:attempt:providerKey): ${message}.`,
    breaks: ['recovery.layer-two-id'],
  })),
];
