import type { JsonObject } from '../json.ts';
import type { ChildStatus, HandoffPolicy } from '../policies/handoff.ts';
import type { ShownBy } from '../store/ancestry.ts';
import type { EventDraft, RunEvent } from '../store/event.ts';
import type { RunError } from '../store/fold.ts';
import type { Observation } from '../store/observations.ts';
import type { LlmRequest, ProviderResponse } from './provider.ts';
import type { WorkflowNode } from './workflow.ts';

/** One call of a provider, as a node makes it. */
export interface LlmCall {
  readonly nodeId: string;
  /** Which attempt at the node makes the call, from 1 on. */
  readonly attempt: number;
  readonly typeId: string;
  readonly idempotent: boolean;
  readonly request: LlmRequest;
  /** What the mock provider says to this request when nothing is staged. */
  readonly unstaged: unknown;
  /** Where the run says that a provider outside this host listens. */
  readonly baseUrl: string | undefined;
}

/** Where and how a replay left its source's path at a refusal (0041 §B). */
export interface RefusalDivergence {
  readonly sourceRunId: string;
  /** A sequence number of the source's log. */
  readonly atSequence: number;
  readonly originalEnvelopeKind: 'valid' | 'refusal';
  readonly replayEnvelopeKind: 'valid' | 'refusal';
  readonly originalEventId: string;
  readonly nodeId: string;
  /** Why the provider refused, without a word of the provider's. */
  readonly refusalReason?: string;
}

/** What a replay asked now, and what is known of the answer that its source had. */
export interface RefusalMeeting {
  readonly nodeId: string;
  readonly asked: ProviderResponse;
  /** The event of the source that says which kind of envelope it had. */
  readonly original: RunEvent;
  /** The source's response, where it is still recorded. */
  readonly recorded: ProviderResponse | undefined;
}

/** A nondeterministic act of a node, other than a call of a provider. */
export interface Act {
  readonly nodeId: string;
  /** What is asked for. Its content alone identifies the act among those of its node. */
  readonly request: JsonObject;
  readonly perform: () => Observation | Promise<Observation>;
  /** What shows that it has happened, where a node performs more than one act; any event after the node's first where absent. */
  readonly shownBy?: ShownBy;
}

/** A call of a tool that changes the world outside. */
export interface Invocation {
  readonly nodeId: string;
  readonly tool: string;
  /** What the idempotency key is made from (provable-semantics §4.1). */
  readonly args: JsonObject;
  /** What identifies the call's record among those of its node. */
  readonly request: JsonObject;
  readonly execute: (externalKey: string) => Promise<ToolAnswer>;
  /** The events that an answer leads to. */
  readonly effects: (answer: unknown) => readonly EventDraft[];
  /** How the outside world is checked before a recorded answer is injected; it is not where this is absent. */
  readonly verification?: Verification;
}

export type ToolAnswer =
  | { readonly kind: 'answered'; readonly answer: unknown }
  | { readonly kind: 'failed'; readonly message: string };

/** A result as it is kept; `lost` where nobody can know it any more. */
export type KeptAnswer = ToolAnswer | { readonly kind: 'lost' };

/** What follows where the world outside is not what the record says (provable-semantics §5). */
export type VerificationMode = 'strict' | 'warn' | 'human-in-loop';

export interface Verification {
  /** Undefined where the definition names none. */
  readonly mode: VerificationMode | undefined;
  /** Whether the world outside is what the record of this answer says. */
  readonly agrees: (answer: unknown) => Promise<boolean>;
}

/** What came of a tool call; `events` carry the changes that its answer makes. */
export type InvocationOutcome =
  | { readonly kind: 'answered'; readonly answer: unknown; readonly events: readonly EventDraft[] }
  | { readonly kind: 'failed'; readonly error: RunError }
  /** Somebody has to confirm first. */
  | { readonly kind: 'suspended' };

export type LlmAnswer =
  | { readonly kind: 'answered'; readonly response: ProviderResponse; readonly cacheKey: string }
  /** `payload` is that of replay.divergedAtRefusal, `error` how the node fails. */
  | { readonly kind: 'diverged'; readonly payload: unknown; readonly error: RunError }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string };

/**
 * The one door through which a node learns anything that its definition and inputs do not determine. A live run's world
 * asks and records; a replay's world answers from the records (replay.md, Determinism guarantees 1).
 */
export interface World {
  readonly runId: string;
  /** Whether nodes may call addresses outside the host. */
  readonly outbound: boolean;
  /** How long an address outside may take, in milliseconds. */
  readonly patienceMs: number;
  /** The host's wall clock, in milliseconds since 1970. */
  readonly now: () => number;
  /** Resolves after so many milliseconds, at once where the run has ended; throws where the host closes. */
  sleep(milliseconds: number): Promise<void>;
  llm(call: LlmCall): Promise<LlmAnswer>;
  /** The recorded observation where there is one, else that of performing the act now, which is recorded. */
  observe(act: Act): Promise<Observation>;
  /** Calls a tool at most once; yields the events about the call (provable-semantics §3). */
  invoke(invocation: Invocation): AsyncGenerator<EventDraft, InvocationOutcome>;
  /** The recorded answer to the question that the node asks under a key, where there is one. */
  answer(nodeId: string, key: string): Observation | undefined;
  readonly handoffs: Handoffs;
}

/** One handoff of a node: to whom, and what is handed over in both directions. */
export interface Handoff {
  readonly nodeId: string;
  /** What identifies it among those of its node: no counters of events, no clocks (replay.md, Phase 4 §C). */
  readonly request: JsonObject;
  /** How many children the node has created before. */
  readonly before: number;
  /** The id of the child's workflow. */
  readonly workerId: string;
  readonly inputMapping: JsonObject;
  readonly outputMapping: JsonObject;
}

/** What came of the creation of a child run. */
export type Creation =
  | { readonly kind: 'created'; readonly childRunId: string }
  /** A replay has come to what its source has not: it is carried on when the source has ended. */
  | { readonly kind: 'pending' }
  | { readonly kind: 'failed'; readonly error: RunError };

/** How a child has ended, and its values under the parent's names, whether or not they are harvested. */
export interface ChildEnd {
  readonly status: ChildStatus;
  readonly outputs: JsonObject;
  readonly error?: RunError;
}

/** The part of a run's world through which nodes hand over to child runs (rfc-0037). */
export interface Handoffs {
  readonly policy: HandoffPolicy;
  /** The supervisor whose decisions a node carries out: the one from which an edge leads to it. */
  supervisorOf(nodeId: string): WorkflowNode | undefined;
  /** Creates the child run, once for each handoff; a replay has its source's, and creates none (0041 §C). */
  create(handoff: Handoff): Creation;
  /** How the child has ended; undefined while it has not: the run is then carried on when it has. */
  end(handoff: Handoff, childRunId: string): ChildEnd | undefined;
}
