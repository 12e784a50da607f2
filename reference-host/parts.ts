import type { JsonObject } from './json.ts';
import { governancePolicy, type GovernancePolicy } from './policies/governance.ts';
import { handoffPolicy, type HandoffPolicy } from './policies/handoff.ts';
import { ledgerPolicy, type LedgerPolicy } from './policies/ledger.ts';
import { replayPolicy, type ReplayPolicy } from './policies/replay.ts';
import { sideResourcePolicy, type SideResourcePolicy } from './policies/side-resources.ts';
import {
  cacheKey,
  digest,
  projectRequest,
  serialise,
  type CacheKeyCall,
  type CacheKeySteps,
} from './recipe/cache-key.ts';
import { validateKeyRequest } from './recipe/key-request.ts';
import type { EventDraft, RunEvent } from './store/event.ts';
import { DIVERGED_AT_REFUSAL, type RunError } from './store/fold.ts';
import type { RunRecord } from './store/runs.ts';
import type { EnvelopeKind, ProviderResponse } from './types/provider.ts';
import type { RefusalDivergence, RefusalMeeting } from './types/world.ts';

export type Fetch = (request: Request) => Response | Promise<Response>;

/** What a span says about its run. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** What a span says beside its attributes: its events, and the words of its status. */
export interface SpanWords {
  readonly events: readonly { readonly name: string; readonly attributes: SpanAttributes }[];
  readonly message?: string;
}

/** Which span a span is, and which one it is linked to. */
export interface SpanContext {
  readonly traceId: string;
  readonly spanId: string;
}

/** Where a span stands: its trace, the span that it is a child of, and those that it is linked to. */
export interface SpanPlace {
  readonly traceId: string;
  readonly parentSpanId: string | undefined;
  readonly links: readonly SpanContext[];
}

/** An LLM call of a replay for which the source's response is still recorded. */
interface ReplayedCall {
  readonly nodeId: string;
  readonly typeId: string;
  /** The node's own idempotency setting, which must not matter from version 4 on (replay.md, Phase 4 §A.1). */
  readonly idempotent: boolean;
  /** Which attempt at the node calls, from 1 on. */
  readonly attempt: number;
  /** What was recorded: a refusal is served as an answer is (0041 §A). */
  readonly envelope: EnvelopeKind;
  /** Whether the provider was staged again after the source's call: it is another provider then. */
  readonly restaged: boolean;
  /** Whether the run that was forked is a fork itself. */
  readonly ofFork: boolean;
}

/** A provider call, as its Layer-2 id is made from it. */
export interface LayerTwoCall {
  readonly runId: string;
  readonly nodeId: string;
  readonly attempt: string;
  readonly providerKey: string;
}

/** When a recorded provider response is served instead of a call. */
interface LlmCachePolicy {
  /** The Layer-2 id of a call (replay.md, LLM cache-key recipe §C). */
  readonly invocationId: (call: LayerTwoCall) => string;
  /** The namespace of a tenant's responses. */
  readonly namespace: (tenant: string) => string;
  /**
   * Whether a live run may be served a response that another run of its namespace recorded (replay.md, LLM cache-key recipe
   * §C: where the host opts in); `restaged` where another staging of the provider gave it than the one that would answer now.
   */
  readonly liveMayShare: (call: { readonly nodeId: string; readonly restaged: boolean }) => boolean;
  /** Whether a process to which a run's call comes uses the response that is recorded of it, if one is. */
  readonly servesOwn: (invocationId: string, hostId: string) => boolean;
  readonly onReplay: (call: ReplayedCall) => 'serve' | 'ask';
}

/** What a replay does where its model is really asked and answers with the other kind of envelope (0041 §B). */
interface RefusalPolicy {
  /** Whether it reports and fails, or goes on, as hosts below version 4 do. */
  readonly onDivergence: (divergence: RefusalDivergence) => 'diverge' | 'go on';
  /** The answer that it goes on with. */
  readonly goesOnWith: (meeting: RefusalMeeting) => ProviderResponse;
  /** What the divergence says about the provider's own words, which are undefined where they are not known any more. */
  readonly reason: (text: string | undefined) => string | undefined;
  /** The payload of replay.divergedAtRefusal. */
  readonly payload: (divergence: RefusalDivergence) => unknown;
  /** The code with which the node, and with it the run, fails. */
  readonly errorCode: () => string;
}

/** What a mutant may change about a region that is not its own. */
export interface SecondRegionPolicy {
  /** Whether it forks runs, given the path of the request; where it does not, it knows no such run. */
  readonly servesForks: (path: string) => boolean;
  /** The fixed history of a fork that it serves. */
  readonly inherited: ReplayPolicy['inherited'];
  readonly snapshotOnWire: (snapshot: JsonObject) => unknown;
}

/** Who performs an act. Nothing of it belongs into the name of the act's record (replay.md, Phase 4 §C). */
interface Actor {
  readonly runId: string;
  readonly nodeId: string;
  /** How many events the run's log has. */
  readonly logLength: () => number;
}

/** Whose log an event is written to. */
interface Writing {
  readonly run: RunRecord;
  /** The log of the run that a fork came from; empty for a run that is no fork. */
  readonly source: () => readonly RunEvent[];
}

/** The places where a mutant (one defect) or a variant (one allowed difference) departs from the host as it is. */
export interface HostParts extends CacheKeySteps {
  readonly discovery: (document: JsonObject) => unknown;
  /** The whole key, in terms of the single steps. Throws NoCanonicalForm. */
  readonly cacheKey: (call: CacheKeyCall, steps: CacheKeySteps) => string;
  /** What is wrong with a key request, or undefined. */
  readonly validateKeyRequest: (request: unknown) => string | undefined;
  /** The body in which a chat completion is asked for, given the one that says the request in plain words. */
  readonly chatBody: (body: JsonObject) => JsonObject;
  readonly llmCache: LlmCachePolicy;
  readonly refusal: RefusalPolicy;
  readonly replay: ReplayPolicy;
  readonly handoff: HandoffPolicy;
  readonly sideResources: SideResourcePolicy;
  /** How the second of two hosts on one store departs from the conformant one, where there is a second. */
  readonly secondRegion: SecondRegionPolicy;
  readonly ledger: LedgerPolicy;
  readonly governance: GovernancePolicy;
  /** The name of a nondeterministic act's record among those of its node. Throws NoCanonicalForm. */
  readonly actKey: (request: JsonObject, actor: Actor) => string;
  /** Whether a node's failure ends the run. */
  readonly endsRun: (error: RunError) => boolean;
  /** What is really written of an event that a run or this host wants in a log; inherited history is not asked about. */
  readonly written: (draft: EventDraft, writing: Writing) => readonly EventDraft[];
  /** The number of a run's first event. */
  readonly firstSequence: number;
  /** Around the whole host: sees every request and every answer. */
  readonly middleware: (next: Fetch) => Fetch;
  /** The answer to a request for a fork; `next` is the endpoint. */
  readonly forkEndpoint: (request: Request, next: Fetch) => ReturnType<Fetch>;
  /** An event as one of the three ways of reading shows it. */
  readonly eventOnWire: (event: RunEvent, reading: 'sse' | 'json' | 'poll') => unknown;
  readonly snapshotOnWire: (snapshot: JsonObject) => unknown;
  /** What the span of a run that has ended says about it. */
  readonly span: (attributes: SpanAttributes) => SpanAttributes;
  /** Where the span of a run that has ended stands among others. */
  readonly spanPlace: (place: SpanPlace) => SpanPlace;
  /** What the span of a run that has ended says beside its attributes. */
  readonly spanWords: (attributes: SpanAttributes) => SpanWords;
}

/** The conformant host, part by part. */
export const defaultParts: HostParts = {
  discovery: (document) => document,
  projectRequest,
  serialise,
  digest,
  cacheKey,
  validateKeyRequest,
  chatBody: (body) => body,
  llmCache: {
    invocationId: ({ runId, nodeId, attempt, providerKey }) => digest(`${runId}:${nodeId}:${attempt}:${providerKey}`),
    namespace: (tenant) => tenant,
    liveMayShare: () => false,
    servesOwn: () => true,
    onReplay: (call) => (call.restaged ? 'ask' : 'serve'),
  },
  refusal: {
    onDivergence: () => 'diverge',
    goesOnWith: ({ asked }) => asked,
    reason: () => 'safety',
    payload: (divergence) => divergence,
    errorCode: () => DIVERGED_AT_REFUSAL.code,
  },
  replay: replayPolicy,
  handoff: handoffPolicy,
  sideResources: sideResourcePolicy,
  secondRegion: {
    servesForks: () => true,
    inherited: (history) => history,
    snapshotOnWire: (snapshot) => snapshot,
  },
  ledger: ledgerPolicy,
  governance: governancePolicy,
  actKey: (request) => digest(serialise(request)),
  endsRun: () => true,
  written: (draft) => [draft],
  firstSequence: 0,
  middleware: (next) => next,
  forkEndpoint: (request, next) => next(request),
  eventOnWire: (event) => event,
  snapshotOnWire: (snapshot) => snapshot,
  span: (attributes) => attributes,
  spanPlace: (place) => place,
  spanWords: () => ({ events: [] }),
};
