import { isObject, type JsonObject } from '../../reference-host/json.ts';
import { aroundForks } from './forks.ts';
import type { Variant } from './variant.ts';
import { inDiscovery, refused } from './wire.ts';

function withReplays(document: JsonObject): JsonObject {
  const { replay, capabilities } = document;
  const only = { ...(isObject(replay) ? replay : {}), modes: ['replay'] };
  return { ...document, replay: only, capabilities: { ...(isObject(capabilities) ? capabilities : {}), replay: only } };
}

/** The mode branch is neither advertised nor carried out. */
export const replaysOnly: Variant = {
  id: 'replays-only',
  notApplicable: [
    'fork.created.branch',
    'fork.created.of-a-fork.branch',
    'fork.branch-is-independent.waiting',
    'fork.branch-needs-from-seq',
    'fork.error-envelope.branch',
    'fork.branch-applies-overlay',
    'fork.branch-applies-overlay.projected-state',
    'fork.branch-inherits-prefix',
    'fork.branch-is-independent',
    'fork.branch-applies-overlay.inputs',
    'fork.branch-applies-overlay.configurable',
    'fork.branch-applies-overlay.configurable.nothing',
    'fork.branch-applies-overlay.tags',
    'fork.branch-applies-overlay.metadata',
    'fork.branch-acts.tool',
    'fork.branch-acts.approval',
    'fork.source-untouched.branch',
    'fork.idempotency-key.branch',
    'fork.rejects-bad-from-seq.branch',
    'fork.rejects-absent-sequence.branch',
    'fork.unknown-run.branch',
    'fork.requires-credentials.branch',
    'fork.requires-credentials.scope.branch',
    'fork.invisible-run.branch',
    'retention.expired-range.branch',
    'privacy.same-redaction.branch',
    'privacy.deleted-data.branch',
    'privacy.same-access-checks.branch',
    'privacy.audit.branch',
    'annotation.not-inherited.branch',
  ],
  parts: (conformant) => ({
    ...aroundForks(async ({ body, send }) =>
      body['mode'] === 'branch' ? refused(422, 'mode_not_supported') : send(),
    )(),
    ...inDiscovery(withReplays)(conformant),
  }),
};
