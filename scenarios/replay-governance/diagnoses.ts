import type { ExplainedDiagnosis } from '../../src/contract/verdict.ts';
import { causes } from '../shared/causes.ts';
import { wrongFormulas } from './invocations.ts';

const KINDS = ['retention.documented.kinds'];
const EXPIRED = ['retention.expired-range'];
const REDACTED = ['privacy.same-redaction'];
const DELETED = ['privacy.deleted-data'];
const ACCESS = ['privacy.same-access-checks'];
const AUDIT = ['privacy.audit'];
const SCORE = ['score.consistent'];
const REGION = ['region.same-fork'];
const OWN = ['annotation.not-inherited'];
const SPAN = ['telemetry.replay-span'];
const LIVE = ['annotation.live'];
const LOOKUP = ['recovery.layer-two-lookup'];
const TRIED = ['recovery.layer-two-id'];
const LINKS = ['timeline.deep-links'];
const IN_LOG = ['annotation.not-an-event'];

const { diagnoses: own, wrong } = causes(
  [
    ['retention-not-told', 'a retention policy leaves out what replays need too: name it in replay/retention', KINDS],
    [
      'asked-after-record',
      'a recovery asked the provider although its response is on record: look it up by its id',
      LOOKUP,
    ],
    [
      'record-not-used',
      'a recovery failed the run although the response of its provider is on record: go on with it',
      LOOKUP,
    ],
    ['asked-more-than-once', 'a recovery asked the provider more than once for one response', LOOKUP],
    [
      'one-id-for-two-attempts',
      'two attempts at a node have one Layer-2 id, under which the second finds the first: count the attempt on',
      TRIED,
    ],
    ['expired-served', 'a fork was made of events that are no longer kept: compare fromSeq with the boundary', EXPIRED],
    [
      'shown-by-fork',
      'a fork shows a secret that its source hides: redact forks by the rules of their source',
      REDACTED,
    ],
    ['served-deleted-data', 'a replay was served deleted data: erase what replays are served from, or refuse', DELETED],
    ['fetched-again', 'a replay called the external system again for deleted data, instead of failing', DELETED],
    ['replayed-without', 'a replay went on without deleted data that it needs, instead of failing', DELETED],
    ['checks-bypassed', 'somebody gets of a fork what is refused of the source: both have one owner', ACCESS],
    ['not-audited', 'the fork of a run with sensitive fields left no audit record', AUDIT],
    ['audited-without-source', 'the audit record of a fork names another run than the one that it was made of', AUDIT],
    [
      'wrong-first-divergence',
      'the report names a place where the two logs do not first part, replay.* left out',
      SCORE,
    ],
    ['region-refuses', 'the other region refuses a fork: each region has to read the log of every run', REGION],
    [
      'second-region-departs',
      'a fork by the other region is not as its source: only clocks and ids may differ',
      REGION,
    ],
    ['first-region-departs', 'a fork by the region of the source, and none by the other, is not as its source', REGION],
    ['annotations-inherited', 'a fork shows annotations: it is a new run, which nobody has annotated yet', OWN],
    ['annotations-mixed', 'an annotation shows at another run: keep annotations by the run that they are about', OWN],
    ['annotations-lost', 'annotations of a run are gone once it is forked: a fork changes nothing of its source', OWN],
    [
      'annotation-in-log',
      'an annotation was written into a log or replayed: run.annotated is for open streams',
      IN_LOG,
    ],
    [
      'span-says-otherwise',
      'the span of a fork does not say what it is a fork of: set openwop.replay.* when it is made',
      SPAN,
    ],
    [
      'span-not-linked',
      "the span of a fork is not linked to its source's, or is a child of it: keep the source's span context with its run",
      SPAN,
    ],
    ['annotation-not-told', 'an open event stream did not tell of an annotation: wake the streams of its run', LIVE],
    [
      'deep-link-missing',
      'the page of a deep link does not lead to the replay endpoint: show the request in its markup',
      LINKS,
    ],
    [
      'deep-link-elsewhere',
      'a deep link shows the fork of another event, or in another mode, than it was made for',
      LINKS,
    ],
    ['forked-by-looking', 'GET of a page of the view forks the run: show the request, and send it on a click', LINKS],
    ['annotation-moves-events', 'events have other numbers since the run was annotated: it takes no number', IN_LOG],
  ],
  [
    ['secret-in-audit', 'an audit record shows what the host redacts', AUDIT],
    [
      'retention-not-documented',
      'nothing that a client can read tells of a retention policy',
      ['retention.documented'],
    ],
    [
      'deletion-not-documented',
      'nothing that a client can read tells what a deletion means for forks',
      ['privacy.deletion-documented'],
    ],
    ['failure-without-code', 'a replay fails for deleted data without an error code', DELETED],
    ['begun-again', 'a replay from the boundary begins again what its source had begun before', EXPIRED],
    ['details-missing', 'the details of a refusal leave out its run, its fromSeq or the boundary', EXPIRED],
    ['other-layer-two-id', 'a Layer-2 id is not sha256(run:node:attempt:providerKey), nor a known mistake', TRIED],
    ['score-contradicts', 'a report contradicts the two runs that it is about, or itself', SCORE],
  ],
);

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
