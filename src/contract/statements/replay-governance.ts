import { DESCRIPTION, PERMISSION, held, left, type Sections } from './statement.ts';

/** What replay.md demands of retention, privacy, scores, regions and annotations. */
export const replayGovernance: Sections = {
  Retention: [
    held('hosts that advertise replay document retention', 'retention.documented'),
    held('of source snapshots', 'retention.documented.kinds'),
    held('of source logs', 'retention.documented.kinds'),
    held('of invocation logs and response caches', 'retention.documented.kinds'),
    held('of forked runs', 'retention.documented.kinds'),
    held('a fork of an expired range is 410 or 422', 'retention.expired-range'),
    held('with the error envelope', 'retention.expired-range'),
    held('its details name source, fromSeq and boundary', 'retention.expired-range.details'),
    left('debug forks may be kept for less time', PERMISSION),
    held('a policy of that kind is documented', 'retention.documented.kinds'),
  ],
  Privacy: [
    left('replay can bring up sensitive data', DESCRIPTION),
    held('replayed events are redacted like those of the source', 'privacy.same-redaction', 'refusal.reason-redacted'),
    held('debug bundles are', 'privacy.debug-bundles'),
    held('spans are', 'privacy.same-redaction'),
    left('logs of the process are', 'what a host writes to its own logs cannot be seen from outside'),
    held('hosts that delete say what that means for replay', 'privacy.deletion-documented'),
    held('a replay that needs deleted data fails with a canonical error', 'privacy.deleted-data'),
    held('it does not show what was deleted', 'privacy.deleted-data'),
    left('a branch may go on from a redacted state', PERMISSION),
    held('a replay is read under the checks of its source', 'privacy.same-access-checks'),
    held('forks of sensitive runs are audited', 'privacy.audit'),
  ],
  'Determinism scoring': [
    left('hosts may report a score', PERMISSION),
    left('a score changes nothing of the fork', DESCRIPTION),
    held('a report names source, replay and fromSeq', 'score.consistent'),
    held('it counts matched and compared events', 'score.consistent'),
    held('it gives the first divergence', 'score.consistent'),
    held('its score is the quotient of both counts', 'score.consistent'),
    left('suites do not use the score for pass or fail', 'speaks to test suites: no verdict here depends on a score'),
  ],
  'Cross-region': [
    held('a fork in another region has the state of the boundary', 'region.same-fork'),
    held('status, variables and log up to fromSeq are equal', 'region.same-fork'),
    left('clocks of regions may differ behind it', PERMISSION),
    left('hosts with one of the capabilities, or none, stay in one region', PERMISSION),
  ],
  Annotations: [
    held('a fork inherits none', 'annotation.not-inherited'),
    left('it may refer back to the source', PERMISSION),
    held('run.annotated is sent live', 'annotation.live'),
    held('it is never persisted or replayed', 'annotation.not-an-event'),
  ],
};
