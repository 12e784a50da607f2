import type { Json } from './types.ts';

/** One call that a host under test made to the witness, as it arrived. */
export interface WitnessCall {
  readonly kind: 'effect' | 'resource' | 'chat';
  /** The effect's or resource's name; for a chat the model that was asked for, or '' where none was named. */
  readonly name: string;
  readonly method: string;
  /** The key that the call carries: `aetheris:…` wherever it stands, else the Idempotency-Key header, or null. */
  readonly idempotencyKey: string | null;
  /** The request's body, or null where there was none or it was no JSON. */
  readonly body: Json;
  /** What the witness answered; null while the answer is still held back, and where null is what was staged. */
  readonly answer: Json;
}

/** A tool that a model calls. */
interface ToolCall {
  readonly name: string;
  readonly arguments: Json;
}

/**
 * What the chat endpoint answers: a completion, or a refusal by the provider. A completion may say that it was cut off, or call a tool:
 * it does so where that is offered and nothing of a tool was answered yet.
 */
export type ChatAnswer =
  | { readonly kind: 'valid'; readonly content: string; readonly isCut?: true; readonly call?: ToolCall }
  | { readonly kind: 'refusal'; readonly text: string };

/**
 * How a call of an effect fails once it has arrived: answered with status 500, its connection reset, or not answered until
 * the caller hangs up; a caller that never does is hung up on.
 */
export type EffectFailure = 'status 500' | 'reset' | 'silence';

/** How long somebody waits: milliseconds, and what ends it before. */
export interface Waiting {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Answers to effect calls that are held back; the calls themselves are recorded at their arrival. */
export interface EffectHold {
  /** Resolves with true when so many calls have arrived since, with false after the wait or where it was released before. */
  arrived(count: number, wait: Waiting): Promise<boolean>;
  /** Lets the answers go, those to later calls too. */
  release(): void;
}

/** One source run's own part of the witness: concurrent scenarios never see each other's calls. */
export interface WitnessVisit {
  /** What the run gets as `inputs.witnessUrl`; no trailing slash. */
  readonly url: string;
  /** Stages what chat calls are answered, one call each, the last for all further calls, or by their models. Replaces what was staged. */
  stageChat(answers: readonly ChatAnswer[] | ((model: string) => ChatAnswer)): void;
  /** Stages what GET /resources/<id> gives; undefined takes it away. */
  stageResource(id: string, value: Json | undefined): void;
  /** Stages what calls of this effect are answered instead of `{nonce, count}`; undefined takes it away. */
  stageEffect(name: string, value: Json | undefined): void;
  /** Lets all calls of this effect fail from now on; `patienceMs` is how long a silent call is held, in milliseconds. */
  failEffect(name: string, how: EffectFailure, patienceMs: number): void;
  /**
   * Answers effect calls of these names in this order. A call waits for its predecessors at most `patienceMs`
   * milliseconds from its arrival, so that a host which calls one after the other is not blocked.
   */
  answerInOrder(names: readonly string[], patienceMs: number): void;
  /** Holds back the answers to effect calls of this name that arrive from now on, until released or the witness closes. */
  holdEffects(name: string): EffectHold;
  /** The same for the answers to chat calls. */
  holdChats(): EffectHold;
  /** The calls so far, in order of arrival. */
  calls(): readonly WitnessCall[];
}

/** One span that the host under test exported. */
export interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly attributes: { readonly [name: string]: Json };
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  /** All of it, as it came. */
  readonly text: string;
}

/** The harness's own endpoints, which hosts under test call, as scenarios see them (wire-contract, The witness). */
export interface Witness {
  /** The address under which the host under test reaches the witness; no trailing slash. */
  readonly baseUrl: string;
  visit(): WitnessVisit;
  /** Resolves with the first span (past or future) that fits, or undefined after `timeoutMs` or abort. */
  span(fits: (span: Span) => boolean, wait: Waiting): Promise<Span | undefined>;
  /** Why spans that came could not be read (protobuf, malformed), or undefined. */
  spanProblem(): string | undefined;
}
