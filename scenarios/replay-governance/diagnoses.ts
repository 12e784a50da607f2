import type { ExplainedDiagnosis } from '../../src/contract/verdict.ts';
import { causes } from '../shared/causes.ts';
import { wrongFormulas } from './invocation-id.ts';

const DELETED = ['privacy.deleted-data'];
const AUDIT = ['privacy.audit'];
const REGIONS = ['region.same-fork'];
const INHERITED = ['annotation.not-inherited'];
const IN_LOG = ['annotation.not-an-event'];

const { diagnoses: own, wrong } = causes([
  [
    'expired-served',
    'a fork was made although events that it needs are not kept any more: compare fromSeq with the boundary',
    ['retention.expired-range'],
  ],
  [
    'shown-by-fork',
    'a fork shows a secret that its source hides in the same place: redact forks by the rules of their source',
    ['privacy.same-redaction'],
  ],
  [
    'served-deleted-data',
    'a replay was served data that had been deleted: erase what replays are served from, or refuse the replay',
    DELETED,
  ],
  [
    'fetched-again',
    'a replay called the external system again for data that had been deleted, instead of failing',
    DELETED,
  ],
  ['replayed-without', 'a replay went on without deleted data that it needs, instead of failing', DELETED],
  [
    'checks-bypassed',
    'another tenant gets of a fork what it is refused of the source: a fork belongs to the tenant of its source',
    ['privacy.same-access-checks'],
  ],
  ['not-audited', 'the fork of a run with sensitive fields left no audit record', AUDIT],
  ['audited-without-source', 'the audit record of a fork does not name the run that it was made of', AUDIT],
  [
    'wrong-first-divergence',
    'the report names a place that is not where the two logs first part: align them without replay.* events',
    ['score.consistent'],
  ],
  [
    'region-refuses',
    'the other region refuses a fork that the region of the source serves: each region reads the log of every run',
    REGIONS,
  ],
  [
    'second-region-departs',
    'a fork served by the other region has another history or state than the source: only clocks and fresh ids may differ',
    REGIONS,
  ],
  [
    'annotations-inherited',
    'a fork shows annotations that nobody made for it: it is a new run, which nobody has judged yet',
    INHERITED,
  ],
  [
    'annotations-mixed',
    'an annotation shows at a run that it was not made for: keep annotations by the run that they are about',
    INHERITED,
  ],
  [
    'annotation-in-log',
    'an annotation was written into a log or replayed from one: run.annotated is for streams that are open',
    IN_LOG,
  ],
  [
    'annotation-moves-events',
    'events have other numbers since the run was annotated: an annotation takes no number of the log',
    IN_LOG,
  ],
]);

/** The cause of a name, with the table's message. */
export { wrong };

/** The causes that the judges of this suite name. */
export const diagnoses: readonly ExplainedDiagnosis[] = [
  ...own,
  ...wrongFormulas().map(({ code, message }) => ({
    code,
    message: `a Layer-2 id is not sha256(run:node:attempt:providerKey): ${message}`,
    breaks: ['recovery.layer-two-id'],
  })),
];
