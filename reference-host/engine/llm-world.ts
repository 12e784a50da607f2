import { member, stringMember } from '../json.ts';
import type { HostParts, LayerTwoCall } from '../parts.ts';
import { whereCanonical } from '../recipe/cache-key.ts';
import { shownByAttempt, type Ancestry, type Attempt } from '../store/ancestry.ts';
import type { RunEvent } from '../store/event.ts';
import { type RunError, DIVERGED_AT_REFUSAL } from '../store/fold.ts';
import type { RecordedResponse } from '../store/response-cache.ts';
import type { RunRecord } from '../store/runs.ts';
import type { Store } from '../store/store.ts';
import { envelopeKind, type Provider, type ProviderResponse, type Providers } from '../types/provider.ts';
import type { LlmAnswer, LlmCall, World, RefusalDivergence, RefusalMeeting } from '../types/world.ts';

/** What the worlds of one host share. */
export interface WorldParts {
  readonly parts: HostParts;
  readonly providers: Providers;
  readonly store: Store;
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
    const attempt = String(call.attempt);
    const layerTwo = { runId: run.runId, nodeId: call.nodeId, attempt, providerKey: providerId };
    const invocationId = shared.parts.llmCache.invocationId(layerTwo);
    const namespace = shared.parts.llmCache.namespace(run.tenant);
    const place: Place = { shared, run, call, provider, cacheKey, invocationId, namespace, layerTwo };
    const isServed = shared.parts.llmCache.servesOwn(invocationId, shared.hostId);
    const own = isServed ? shared.store.responses.byInvocation(namespace, invocationId) : undefined;
    if (own !== undefined) return answered(place, own);
    const shownBy = shownByAttempt(call.attempt);
    const recorded = recordedIn(place, ancestry.recordsFor(call.nodeId, shownBy));
    if (recorded !== undefined && ancestry.isHistory(call.nodeId, shownBy)) return kept(place, recorded);
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
  const other = sharedWith(place);
  if (other !== undefined) return kept(place, other);
  const asked = await ask(place);
  return kept(place, asked);
}

/** What another run has on record and may be shared: a node that is tried again wants another answer. */
function sharedWith({ shared, run, call, provider, namespace, cacheKey }: Place): RecordedResponse | undefined {
  const { nodeId } = call;
  const { liveMayShare } = shared.parts.llmCache;
  if (call.attempt > 1 || !liveMayShare({ nodeId, restaged: false })) return undefined;
  const staged = provider.revision(nodeId);
  return shared.store.responses
    .ofOtherRuns({ namespace, cacheKey, runId: run.runId })
    .filter(isResponse)
    .find(({ revision }) => liveMayShare({ nodeId, restaged: staged !== revision }));
}

/** Whether a response was recorded, and is still there. */
function isResponse(recorded: RecordedResponse): boolean {
  return failureIn(recorded) === undefined && member(parse(recorded), 'deleted') !== true;
}

/**
 * A recorded response is used and nobody is called, whatever the node's idempotency setting (0041 §A, replay.md Phase 4
 * §A.1). Where the model is really asked, an answer of the other kind is never put in the place of the source's (§B).
 */
async function replayed(place: Place, recorded: RecordedResponse | undefined, ancestry: Ancestry): Promise<LlmAnswer> {
  const { call, shared } = place;
  if (recorded !== undefined && servesRecorded(place, recorded)) return kept(place, recorded);
  const asked = await ask(place);
  const original = envelopeEvent(ancestry, call);
  if (original === undefined || failureIn(asked) !== undefined) return kept(place, asked);
  const source = recorded === undefined ? undefined : parse(recorded);
  const meeting = { nodeId: call.nodeId, asked: parse(asked), original, recorded: source };
  const { refusal } = shared.parts;
  const divergence = refusalDivergence(shared.parts, meeting);
  if (divergence === undefined) return kept(place, asked);
  if (refusal.onDivergence(divergence) === 'diverge') return divergedAnswer(shared.parts, divergence);
  return kept(place, { ...asked, response: JSON.stringify(refusal.goesOnWith(meeting)) });
}

function servesRecorded({ call, provider, run, shared }: Place, recorded: RecordedResponse): boolean {
  const staged = provider.revision(call.nodeId);
  const restaged = staged !== undefined && staged !== recorded.revision;
  const { nodeId, typeId, idempotent, attempt } = call;
  const envelope = envelopeKind(parse(recorded));
  const ofFork = shared.store.runs.parent(run)?.fork !== undefined;
  return (
    shared.parts.llmCache.onReplay({ nodeId, typeId, idempotent, attempt, envelope, restaged, ofFork }) === 'serve'
  );
}

function recordedIn(place: Place, runIds: readonly string[]): RecordedResponse | undefined {
  const { namespace, cacheKey, layerTwo } = place;
  for (const runId of runIds) {
    const found = place.shared.store.responses.ofRun({ ...layerTwo, namespace, cacheKey, runId });
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The staging is read before the call: another one may come while the provider thinks. */
async function ask({ provider, call }: Place): Promise<RecordedResponse> {
  const { nodeId, request, unstaged, baseUrl } = call;
  const revision = provider.revision(nodeId);
  const completion = await provider.complete({ nodeId, request, unstaged, baseUrl });
  return { response: JSON.stringify(completion.ok ? completion.response : { failure: completion }), revision };
}

/**
 * Records a response for this run as well, so that a replay of it finds the response under its own source. A call that failed
 * because the host closes is made again when the run goes on.
 */
function kept(place: Place, recorded: RecordedResponse): LlmAnswer {
  const { namespace, cacheKey, invocationId, layerTwo } = place;
  if (failureIn(recorded) !== undefined && !place.shared.store.events.isOpen()) return answered(place, recorded);
  const invocation = { namespace, cacheKey, invocationId, ...layerTwo };
  place.shared.store.responses.record(invocation, recorded);
  // Another worker of the run may have been faster: its response is the run's.
  return answered(place, place.shared.store.responses.byInvocation(namespace, invocationId) ?? recorded);
}

function answered({ cacheKey }: Place, recorded: RecordedResponse): LlmAnswer {
  const failure = failureIn(recorded);
  return failure === undefined
    ? { kind: 'answered', response: parse(recorded), cacheKey }
    : failed(failure.code, failure.message);
}

/** How the call failed that is recorded; undefined where there was a response. */
function failureIn(recorded: RecordedResponse): RunError | undefined {
  return member(parse(recorded), 'failure') as RunError | undefined;
}

function failed(code: string, message: string): LlmAnswer {
  return { kind: 'failed', code, message };
}

/** The text was written by `ask` above. */
function parse({ response }: RecordedResponse): ProviderResponse {
  return JSON.parse(response) as ProviderResponse;
}

/** The event of a node's source that says which kind of envelope the provider gave there, to the same attempt. */
function envelopeEvent(ancestry: Ancestry, of: Attempt): RunEvent | undefined {
  return ancestry.lastEvent(of, ({ type }) => type === 'envelope.refusal' || type === 'node.completed');
}

/** How the two answers differ in kind (0041 §B), or undefined where they do not. */
function refusalDivergence(parts: HostParts, meeting: RefusalMeeting): RefusalDivergence | undefined {
  const { nodeId, asked, original, recorded } = meeting;
  const originalKind = original.type === 'envelope.refusal' ? 'refusal' : 'valid';
  const replayKind = envelopeKind(asked);
  if (originalKind === replayKind) return undefined;
  const refusalReason = parts.refusal.reason((replayKind === 'refusal' ? asked : recorded)?.refusalText);
  return {
    sourceRunId: original.runId,
    atSequence: original.sequence,
    originalEnvelopeKind: originalKind,
    replayEnvelopeKind: replayKind,
    originalEventId: original.eventId,
    nodeId,
    ...(refusalReason === undefined ? {} : { refusalReason }),
  };
}

/** The answer that fails the node and says why. */
function divergedAnswer({ refusal }: HostParts, divergence: RefusalDivergence): LlmAnswer {
  const error = { ...DIVERGED_AT_REFUSAL, code: refusal.errorCode() };
  return { kind: 'diverged', payload: refusal.payload(divergence), error };
}
