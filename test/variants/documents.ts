import { isObject, member, type JsonObject } from '../../reference-host/json.ts';
import type { Variant } from './variant.ts';
import { inDiscovery, isJson, onWire, rewritingJson, around } from './wire.ts';

/** The older layout: everything but the implementation stands under `capabilities` alone. */
export const nestedCapabilities: Variant = {
  id: 'nested-capabilities',
  parts: inDiscovery(({ capabilities, implementation, ...members }) => ({
    implementation,
    capabilities: { ...members, ...(isObject(capabilities) ? capabilities : {}) },
  })),
};

function more(block: unknown): unknown {
  return isObject(block) ? { ...block, acmeExtra: true } : block;
}

/** replayDeterminism is the one closed block. */
function withExtra(document: unknown): JsonObject {
  const multiAgent = member(document, 'multiAgent');
  return {
    ...(isObject(multiAgent) ? multiAgent : {}),
    executionModel: more(member(multiAgent, 'executionModel')),
    acmeAgents: 12,
  };
}

/** An event with members of the host's own, two of which tell when it was stored and shown, and one what it followed from. */
function delivered(event: JsonObject): JsonObject {
  const [storedAtMs, deliveredAt] = [Date.parse(String(event['timestamp'])), new Date().toISOString()];
  const { causationId: parentEventId = null } = event;
  return { ...event, acmeShard: 7, engineVersion: '9.9.9', schemaVersion: 3, storedAtMs, deliveredAt, parentEventId };
}

/** Members that no document names stand in every JSON answer but refusals, whose envelope is closed, in the blocks of discovery and in every event. */
export const extraMembers: Variant = {
  id: 'extra-members',
  parts: (conformant) => ({
    ...rewritingJson(/^/, (body, { ok }) => (ok ? { acmeTrace: 'f00d', __acme: { deep: [null] }, ...body } : body))(),
    ...onWire(delivered)(conformant),
    ...inDiscovery((document) => ({
      ...Object.fromEntries(Object.entries(document).map(([name, block]) => [name, more(block)])),
      acme: { tier: 'gold' },
      multiAgent: withExtra(document),
    }))(conformant),
  }),
};

/** Creating a run answers with absolute URLs. */
export const absoluteUrls: Variant = {
  id: 'absolute-urls',
  parts: rewritingJson(/^\/v1\/runs(\/[^/]+:fork)?$/, (body) =>
    Object.fromEntries(
      Object.entries(body).map(([name, value]) => [
        name,
        name.endsWith('Url') ? `https://host.example${String(value)}` : value,
      ]),
    ),
  ),
};

/** URLs of runs are relative to that of the request (RFC 3986 §5.1.3). */
export const relativeUrls: Variant = {
  id: 'relative-urls',
  parts: around(/^\/v1\/runs(\/[^/]+:fork)?$/, async (request, next) => {
    const response = await next(request);
    if (!isJson(response)) return response;
    const body: unknown = await response.json();
    const isFork = request.url.endsWith(':fork');
    const relative = (url: unknown): string => String(url).replace(isFork ? '/v1/runs/' : '/v1/', '');
    const members = Object.entries(isObject(body) ? body : {}).map(([name, value]) => [
      name,
      name.endsWith('Url') ? relative(value) : value,
    ]);
    return new Response(JSON.stringify(isObject(body) ? Object.fromEntries(members) : body), response);
  }),
};

const REQUIRED: ReadonlySet<string> = new Set(['runId', 'workflowId', 'status']);

/** Snapshots have their required members only: state and error codes are read from the log. */
export const bareSnapshots: Variant = {
  id: 'bare-snapshots',
  notApplicable: ['fork.branch-applies-overlay.tags', 'fork.branch-applies-overlay.metadata'],
  parts: ({ snapshotOnWire }) => ({
    snapshotOnWire: (snapshot) =>
      snapshotOnWire(Object.fromEntries(Object.entries(snapshot).filter(([name]) => REQUIRED.has(name)))),
  }),
};

/** Snapshots show channels in a form of the host's own: what is in them, with its place. */
export const channelsInEntries: Variant = {
  id: 'channels-in-entries',
  parts: ({ snapshotOnWire }) => ({
    snapshotOnWire: (snapshot) => {
      const shown = snapshotOnWire(snapshot);
      const channels = member(shown, 'channels');
      if (!isObject(shown) || !isObject(channels)) return shown;
      const entries = Object.entries(channels).map(([name, value]) => [
        name,
        { entries: [{ at: 0, value }], count: 1 },
      ]);
      return { ...shown, channels: Object.fromEntries(entries) };
    },
  }),
};

/** Refusals of requests about runs say when they were made, in whole seconds. */
export const datedRefusals: Variant = {
  id: 'dated-refusals',
  parts: rewritingJson(/^\/v1\/runs/, (body, { status }) => {
    if (status < 400 || typeof body['error'] !== 'string') return body;
    const details = isObject(body['details']) ? body['details'] : {};
    return { ...body, details: { ...details, at: Math.floor(Date.now() / 1000) } };
  }),
};

/** A replay that diverges at a refusal also tells about its call: what it used, and that the provider refused. */
export const wordyRefusals: Variant = {
  id: 'wordy-refusals',
  parts: ({ written }) => ({
    written: (draft, writing) => {
      const drafts = written(draft, writing);
      if (draft.type !== 'replay.divergedAtRefusal' || draft.nodeId === undefined) return drafts;
      const { nodeId } = draft;
      const usage = { type: 'provider.usage', nodeId, payload: { provider: 'mock', totalTokens: 0 } } as const;
      const refused = { type: 'envelope.refusal', nodeId, payload: { nodeId, stopReason: 'safety' } } as const;
      const isRefused = member(draft.payload, 'replayEnvelopeKind') === 'refusal';
      return [...drafts, usage, ...(isRefused ? [refused] : [])];
    },
  }),
};

/** The seams refuse with 422 where others answer 400. */
export const unprocessableForBadRequest: Variant = {
  id: 'unprocessable-for-bad-request',
  parts: around(/\/host\/sample\/test\//, async (request, next) => {
    const response = await next(request);
    return response.status === 400 ? new Response(response.body, { headers: response.headers, status: 422 }) : response;
  }),
};

/** Readings of a list that an annotation is behind by. */
const BEHIND = 2;

/** What was annotated shows in the list of a run a little later than it was taken. */
export const annotationsListedLate: Variant = {
  id: 'annotations-listed-late',
  parts: () => {
    const readings = new Map<unknown, number>();
    return rewritingJson(/\/annotations$/, (body) => {
      const list = body['annotations'];
      if (!Array.isArray(list)) return body;
      const annotations = list.filter((each) => {
        const id = member(each, 'annotationId');
        const count = (readings.get(id) ?? 0) + 1;
        readings.set(id, count);
        return count > BEHIND;
      });
      return { ...body, annotations };
    })();
  },
};
