import { createHash } from 'node:crypto';
import type { HostParts } from '../parts.ts';
import type { RunEvent } from '../store/event.ts';
import type { RecordedResponse, ResponseCache } from '../store/response-cache.ts';
import type { RunRecord } from '../store/runs.ts';
import { NoCanonicalForm } from './cache-key.ts';
import type { MockProvider, ProviderResponse } from './provider.ts';
import { envelopeKind, isMock } from './provider.ts';
import type { Ancestry } from './ancestry.ts';
import type { LlmAnswer, LlmCall, RefusalDivergence, World } from './world.ts';

/** What the worlds of one host share. */
export interface WorldParts {
  readonly parts: HostParts;
  readonly provider: MockProvider;
  readonly responses: ResponseCache;
}

/** How a run calls providers: what its own or its ancestors' records answer is not asked again. */
export function llmWorld(shared: WorldParts, run: RunRecord, ancestry: Ancestry): World['llm'] {
  return async (call) => {
    if (!isMock(call.request)) {
      return { kind: 'failed', code: 'provider_unavailable', message: 'This host has no such model provider.' };
    }
    const cacheKey = keyOf(shared.parts, call, run.tenant);
    if (cacheKey === undefined) {
      return { kind: 'failed', code: 'no_cache_key', message: 'The provider request has no canonical form.' };
    }
    const place: Place = { shared, run, call, cacheKey, namespace: shared.parts.llmCache.namespace(run.tenant) };
    const own = shared.responses.byInvocation(place.namespace, invocationId(place));
    if (own !== undefined) return answered(place, parse(own));
    const recorded = recordedIn(place, ancestry.recordsFor(call.nodeId));
    if (recorded !== undefined && ancestry.isHistory(call.nodeId)) return kept(place, recorded);
    return run.fork?.mode === 'replay' ? replayed(place, recorded, ancestry) : live(place);
  };
}

interface Place {
  readonly shared: WorldParts;
  readonly run: RunRecord;
  readonly call: LlmCall;
  readonly cacheKey: string;
  readonly namespace: string;
}

function live(place: Place): LlmAnswer {
  const { shared, namespace, cacheKey } = place;
  const other = shared.parts.llmCache.liveMayShare() ? shared.responses.ofAnyRun(namespace, cacheKey) : undefined;
  if (other !== undefined) return kept(place, other);
  return kept(place, ask(place));
}

/**
 * A recorded response is used and nobody is called, whatever the node's idempotency setting (0041 §A, replay.md Phase 4
 * §A.1). Where the model is really asked, an answer of the other kind is never put in the place of the source's (§B).
 */
function replayed(place: Place, original: RecordedResponse | undefined, ancestry: Ancestry): LlmAnswer {
  const { call, shared } = place;
  if (original !== undefined) {
    const staged = shared.provider.revision(call.nodeId);
    const restaged = staged !== undefined && staged !== original.revision;
    const { nodeId, typeId, idempotent } = call;
    const decision = shared.parts.llmCache.onReplay({ nodeId, typeId, idempotent, restaged });
    if (decision === 'serve') return kept(place, original);
  }
  const asked = ask(place);
  const divergence = divergenceAt(ancestry, call.nodeId, envelopeKind(parse(asked)));
  return divergence === undefined ? kept(place, asked) : { kind: 'diverged', divergence };
}

function divergenceAt(
  ancestry: Ancestry,
  nodeId: string,
  replayKind: 'valid' | 'refusal',
): RefusalDivergence | undefined {
  const original = ancestry.lastEvent(nodeId, isEnvelope);
  if (original === undefined) return undefined;
  const originalKind = original.type === 'envelope.refusal' ? 'refusal' : 'valid';
  if (originalKind === replayKind) return undefined;
  return {
    sourceRunId: original.runId,
    atSequence: original.sequence,
    originalEnvelopeKind: originalKind,
    replayEnvelopeKind: replayKind,
    originalEventId: original.eventId,
    nodeId,
  };
}

function isEnvelope({ type }: RunEvent): boolean {
  return type === 'envelope.refusal' || type === 'node.completed';
}

function recordedIn(place: Place, runIds: readonly string[]): RecordedResponse | undefined {
  const { namespace, cacheKey, call } = place;
  for (const runId of runIds) {
    const found = place.shared.responses.ofRun({ namespace, cacheKey, runId, nodeId: call.nodeId });
    if (found !== undefined) return found;
  }
  return undefined;
}

function ask({ shared, call }: Place): RecordedResponse {
  const response = shared.provider.complete(call.nodeId, call.request, call.unstaged);
  return { response: JSON.stringify(response), revision: shared.provider.revision(call.nodeId) };
}

/** Records a response for this run as well, so that a replay of it finds the response under its own source. */
function kept(place: Place, recorded: RecordedResponse): LlmAnswer {
  const { namespace, cacheKey, run, call } = place;
  const invocation = { namespace, cacheKey, runId: run.runId, nodeId: call.nodeId };
  place.shared.responses.record({ ...invocation, invocationId: invocationId(place) }, recorded);
  return answered(place, parse(recorded));
}

function answered({ cacheKey }: Place, response: ProviderResponse): LlmAnswer {
  return { kind: 'answered', response, cacheKey };
}

/** replay.md, LLM cache-key recipe §C: the Layer-2 id of the call. A node is attempted once on this host. */
function invocationId({ run, call }: Place): string {
  return createHash('sha256').update(`${run.runId}:${call.nodeId}:1:mock`).digest('hex');
}

function keyOf(parts: HostParts, { request }: LlmCall, tenant: string): string | undefined {
  try {
    return parts.cacheKey({ request, rawText: JSON.stringify(request), headers: new Headers(), tenant }, parts);
  } catch (error) {
    if (error instanceof NoCanonicalForm) return undefined;
    throw error;
  }
}

/** The text was written by `ask` above. */
function parse({ response }: RecordedResponse): ProviderResponse {
  return JSON.parse(response) as ProviderResponse;
}
