import { member, stringMember } from '../json.ts';
import type { HostParts, LayerTwoCall } from '../parts.ts';
import { whereCanonical } from '../recipe/cache-key.ts';
import type { Ancestry } from '../store/ancestry.ts';
import type { RecordedResponse, ResponseCache } from '../store/response-cache.ts';
import type { RunRecord } from '../store/runs.ts';
import {
  envelopeKind,
  type Completion,
  type Provider,
  type ProviderResponse,
  type Providers,
} from '../types/provider.ts';
import type { LlmAnswer, LlmCall, World } from '../types/world.ts';
import { divergedAnswer, envelopeEvent, refusalDivergence } from './refusal.ts';

/** What the worlds of one host share. */
export interface WorldParts {
  readonly parts: HostParts;
  readonly providers: Providers;
  readonly responses: ResponseCache;
  /** Names this process. */
  readonly hostId: string;
}

/** How a run calls providers: what its own or its ancestors' records answer is not asked again. */
export function llmWorld(shared: WorldParts, run: RunRecord, ancestry: Ancestry): World['llm'] {
  return async (call) => {
    const providerId = stringMember(call.request, 'provider') ?? '';
    const provider = shared.providers.get(providerId);
    if (provider === undefined) return failed('provider_unavailable', 'This host has no such model provider.');
    const asked = { request: call.request, rawText: JSON.stringify(call.request), headers: new Headers() };
    const cacheKey = whereCanonical(() => shared.parts.cacheKey({ ...asked, tenant: run.tenant }, shared.parts));
    if (cacheKey === undefined) return failed('no_cache_key', 'The provider request has no canonical form.');
    // A node is attempted once on this host.
    const layerTwo = { runId: run.runId, nodeId: call.nodeId, attempt: '1', providerKey: providerId };
    const invocationId = shared.parts.llmCache.invocationId(layerTwo);
    const namespace = shared.parts.llmCache.namespace(run.tenant);
    const place: Place = { shared, run, call, provider, cacheKey, invocationId, namespace, layerTwo };
    const isServed = shared.parts.llmCache.servesOwn(invocationId, shared.hostId);
    const own = isServed ? shared.responses.byInvocation(namespace, invocationId) : undefined;
    if (own !== undefined) return answered(place, parse(own));
    const recorded = recordedIn(place, ancestry.recordsFor(call.nodeId));
    if (recorded !== undefined && ancestry.isHistory(call.nodeId)) return kept(place, recorded);
    const deleted = recorded === undefined ? recordedIn(place, ancestry.withDeletions()) : undefined;
    if (deleted !== undefined && member(parse(deleted), 'deleted') === true) return kept(place, deleted);
    return run.fork?.mode === 'replay' ? replayed(place, recorded, ancestry) : live(place);
  };
}

interface Place {
  readonly shared: WorldParts;
  readonly run: RunRecord;
  readonly call: LlmCall;
  readonly provider: Provider;
  readonly cacheKey: string;
  readonly invocationId: string;
  readonly namespace: string;
  readonly layerTwo: LayerTwoCall;
}

async function live(place: Place): Promise<LlmAnswer> {
  const { shared, namespace, cacheKey } = place;
  const other = shared.parts.llmCache.liveMayShare(place.call)
    ? shared.responses.ofAnyRun(namespace, cacheKey)
    : undefined;
  if (other !== undefined) return kept(place, other);
  const asked = await ask(place);
  return asked.ok ? kept(place, asked.recorded) : failed(asked.code, asked.message);
}

/**
 * A recorded response is used and nobody is called, whatever the node's idempotency setting (0041 §A, replay.md Phase 4
 * §A.1). Where the model is really asked, an answer of the other kind is never put in the place of the source's (§B).
 */
async function replayed(place: Place, recorded: RecordedResponse | undefined, ancestry: Ancestry): Promise<LlmAnswer> {
  const { call, shared } = place;
  if (recorded !== undefined && servesRecorded(place, recorded)) return kept(place, recorded);
  const asked = await ask(place);
  if (!asked.ok) return failed(asked.code, asked.message);
  const original = envelopeEvent(ancestry, call.nodeId);
  if (original === undefined) return kept(place, asked.recorded);
  const source = recorded === undefined ? undefined : parse(recorded);
  const meeting = { nodeId: call.nodeId, asked: parse(asked.recorded), original, recorded: source };
  const { refusal } = shared.parts;
  const divergence = refusalDivergence(shared.parts, meeting);
  if (divergence === undefined) return kept(place, asked.recorded);
  if (refusal.onDivergence(divergence) === 'diverge') return divergedAnswer(shared.parts, divergence);
  return kept(place, { ...asked.recorded, response: JSON.stringify(refusal.goesOnWith(meeting)) });
}

function servesRecorded({ call, provider, shared }: Place, recorded: RecordedResponse): boolean {
  const staged = provider.revision(call.nodeId);
  const restaged = staged !== undefined && staged !== recorded.revision;
  const { nodeId, typeId, idempotent } = call;
  const envelope = envelopeKind(parse(recorded));
  return shared.parts.llmCache.onReplay({ nodeId, typeId, idempotent, envelope, restaged }) === 'serve';
}

function recordedIn(place: Place, runIds: readonly string[]): RecordedResponse | undefined {
  const { namespace, cacheKey, call } = place;
  for (const runId of runIds) {
    const found = place.shared.responses.ofRun({ namespace, cacheKey, runId, nodeId: call.nodeId });
    if (found !== undefined) return found;
  }
  return undefined;
}

type Asked = { readonly ok: true; readonly recorded: RecordedResponse } | Extract<Completion, { ok: false }>;

/** The staging is read before the call: another one may come while the provider thinks. */
async function ask({ provider, call }: Place): Promise<Asked> {
  const { nodeId, request, unstaged, baseUrl } = call;
  const revision = provider.revision(nodeId);
  const completion = await provider.complete({ nodeId, request, unstaged, baseUrl });
  if (!completion.ok) return completion;
  return { ok: true, recorded: { response: JSON.stringify(completion.response), revision } };
}

/** Records a response for this run as well, so that a replay of it finds the response under its own source. */
function kept(place: Place, recorded: RecordedResponse): LlmAnswer {
  const { namespace, cacheKey, invocationId, layerTwo } = place;
  const invocation = { namespace, cacheKey, invocationId, ...layerTwo };
  place.shared.responses.record(invocation, recorded);
  // Another worker of the run may have been faster: its response is the run's.
  return answered(place, parse(place.shared.responses.byInvocation(namespace, invocationId) ?? recorded));
}

function answered({ cacheKey }: Place, response: ProviderResponse): LlmAnswer {
  return { kind: 'answered', response, cacheKey };
}

function failed(code: string, message: string): LlmAnswer {
  return { kind: 'failed', code, message };
}

/** The text was written by `ask` above. */
function parse({ response }: RecordedResponse): ProviderResponse {
  return JSON.parse(response) as ProviderResponse;
}
