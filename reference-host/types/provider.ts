import type { JsonObject } from '../json.ts';

/** A provider request in the vendor-neutral form that the cache key is computed from. */
export type LlmRequest = JsonObject;

export const STOP_REASONS = ['end_turn', 'max_tokens', 'stop_sequence', 'safety'] as const;
export type StopReason = (typeof STOP_REASONS)[number];

/** What a provider answered. `safety` is a refusal; its text stays inside the host. */
export interface ProviderResponse {
  readonly content: unknown;
  readonly stopReason: StopReason;
  readonly refusalText?: string;
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number };
}

/** One call, as a provider gets it. */
export interface ProviderCall {
  readonly nodeId: string;
  readonly request: LlmRequest;
  /** What the mock provider says when nothing is staged. */
  readonly unstaged: unknown;
  /** Where the run says that a provider outside this host listens. It is no part of the request, nor of its key. */
  readonly baseUrl: string | undefined;
}

/** What came of a call. A failure's message never repeats what the provider said. */
export type Completion =
  | { readonly ok: true; readonly response: ProviderResponse }
  | { readonly ok: false; readonly code: 'provider_unavailable' | 'provider_failed'; readonly message: string };

export interface Provider {
  complete(call: ProviderCall): Promise<Completion>;
  /** Identifies the staging that would answer the node's next call; undefined where nothing is staged. */
  revision(nodeId: string): string | undefined;
}

/** The providers of a host by the id that requests name. */
export type Providers = ReadonlyMap<string, Provider>;

export type EnvelopeKind = 'valid' | 'refusal';

/** Whether the provider refused (readings.md: a refusal is the stop reason `safety`). */
export function envelopeKind(response: ProviderResponse): EnvelopeKind {
  return response.stopReason === 'safety' ? 'refusal' : 'valid';
}
