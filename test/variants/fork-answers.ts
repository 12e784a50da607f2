import { isObject, type JsonObject } from '../../reference-host/json.ts';
import { aroundForks } from './forks.ts';
import type { Variant } from './variant.ts';
import { refused, inDiscovery } from './wire.ts';

/** Past the end is 400, a branch without fromSeq 422, and every refusal's details name the request too. */
export const forksRefusedOtherwise: Variant = {
  id: 'forks-refused-otherwise',
  parts: () => {
    let requests = 0;
    return aroundForks(async ({ body, send }) => {
      const response = await send();
      if (response.ok) return response;
      requests += 1;
      const refusal: unknown = await response.json();
      const needsStart = body['mode'] === 'branch' && (body['fromSeq'] ?? null) === null;
      const status = needsStart ? 422 : response.status === 422 ? 400 : response.status;
      const reported = isObject(refusal) && isObject(refusal['details']) ? refusal['details'] : {};
      const details = { ...reported, requestId: `req-${requests}` };
      return Response.json({ ...(isObject(refusal) ? refusal : {}), details }, { status });
    })();
  },
};

/** Events are numbered from 1, a replay without fromSeq says that it starts there, and fromSeq null is refused. */
export const forkStartsReportedOtherwise: Variant = {
  id: 'fork-starts-reported-otherwise',
  parts: () => ({
    ...aroundForks(async ({ body, send }) => {
      if (body['fromSeq'] === null) {
        return Response.json({ error: 'validation_error', message: 'fromSeq is null.' }, { status: 400 });
      }
      const response = await send();
      if (!response.ok) return response;
      const answer: unknown = await response.json();
      const changed = isObject(answer) && answer['fromSeq'] === 0 ? { ...answer, fromSeq: 1 } : answer;
      return Response.json(changed, { status: response.status, headers: response.headers });
    })(),
    firstSequence: 1,
  }),
};

/** A duplicate of a fork in flight is 409, a later one is answered with 200. */
export const forksConflictInFlight: Variant = {
  id: 'forks-conflict-in-flight',
  parts: () => {
    const inFlight = new Set<string>();
    return aroundForks(async ({ request, send }) => {
      const key = request.headers.get('idempotency-key');
      if (key === null) return send();
      if (inFlight.has(key)) return refused(409, 'fork_in_flight');
      inFlight.add(key);
      const response = await send();
      inFlight.delete(key);
      if (response.headers.get('openwop-idempotent-replay') === null) return response;
      return new Response(response.body, { headers: response.headers, status: 200 });
    })();
  },
};

/** A key holds for the endpoint, whichever run its path names: the fork of another run gets the stored answer of the first one. */
export const forkKeysOfTheEndpoint: Variant = {
  id: 'fork-keys-of-the-endpoint',
  parts: () => {
    const stored = new Map<string, { readonly path: string; readonly answer: unknown }>();
    return aroundForks(async ({ request, body, send }) => {
      const { headers, url } = request;
      const key = headers.get('idempotency-key');
      if (key === null) return send();
      const name = JSON.stringify([key, headers.get('authorization'), body]);
      const path = new URL(url).pathname;
      const first = stored.get(name);
      if (first !== undefined && first.path !== path) {
        return Response.json(first.answer, { status: 201, headers: { 'openwop-idempotent-replay': 'true' } });
      }
      const response = await send();
      if (response.status === 201) stored.set(name, { path, answer: await response.clone().json() });
      return response;
    })();
  },
};

/** A branch without an overlay is refused: the table of the endpoint has it required there. */
export const overlayWanted: Variant = {
  id: 'overlay-wanted',
  parts: () =>
    aroundForks(async ({ body, send }) =>
      body['mode'] === 'branch' && !isObject(body['runOptionsOverlay']) ? refused(400, 'validation_error') : send(),
    )(),
};

function withReplays(document: JsonObject): JsonObject {
  const { replay, capabilities } = document;
  const only = { ...(isObject(replay) ? replay : {}), modes: ['replay'] };
  return { ...document, replay: only, capabilities: { ...(isObject(capabilities) ? capabilities : {}), replay: only } };
}

/** The mode branch is neither advertised nor carried out. */
export const replaysOnly: Variant = {
  id: 'replays-only',
  notApplicable: [
    'handoff.happy-path.branch',
    'fork.created.branch',
    'fork.created.of-a-fork.branch',
    'fork.source-untouched.of-a-fork.branch',
    'fork.branch-is-independent.replayed',
    'fork.branch-is-independent.later-replay',
    'fork.branch-is-independent.waiting',
    'fork.branch-is-independent.cancelled',
    'fork.branch-needs-from-seq',
    'fork.error-envelope.branch',
    'fork.branch-applies-overlay',
    'fork.branch-applies-overlay.projected-state',
    'fork.branch-inherits-prefix',
    'fork.branch-inherits-prefix.called',
    'fork.branch-is-independent',
    'fork.branch-applies-overlay.inputs',
    'fork.branch-applies-overlay.configurable',
    'fork.branch-applies-overlay.configurable.nothing',
    'fork.branch-applies-overlay.of-a-replay',
    'fork.branch-applies-overlay.replayed',
    'fork.branch-applies-overlay.tags',
    'fork.branch-applies-overlay.metadata',
    'fork.branch-acts.tool',
    'replay.no-second-external-call.of-a-branch',
    'fork.branch-acts.approval',
    'fork.source-untouched.branch',
    'fork.source-untouched.overlay',
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
