import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../json.ts';
import { stringMember } from '../json.ts';

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

/** A provider that answers what was staged for a node, and otherwise a fixed answer made from the request. */
export interface MockProvider {
  /** Replaces a node's program: its entries answer one call each, the last one all further calls. */
  stage(nodeId: string, program: readonly ProgramEntry[]): void;
  /** Forgets every program. */
  reset(): void;
  /** Identifies the staging that would answer the node's next call; undefined where nothing is staged. */
  revision(nodeId: string): string | undefined;
  complete(nodeId: string, request: LlmRequest, unstaged: unknown): ProviderResponse;
}

export type ProgramEntry = Omit<ProviderResponse, 'usage'>;

/** Whether the provider refused (readings.md: a refusal is the stop reason `safety`). */
export function envelopeKind(response: ProviderResponse): 'valid' | 'refusal' {
  return response.stopReason === 'safety' ? 'refusal' : 'valid';
}

/** A mock provider with nothing staged. Programs are global per node id and are not kept across restarts. */
export function createMockProvider(): MockProvider {
  const programs = new Map<string, { readonly revision: string; readonly entries: readonly ProgramEntry[] }>();
  const used = new Map<string, number>();
  return {
    stage(nodeId, entries) {
      programs.set(nodeId, { revision: randomUUID(), entries });
      used.set(nodeId, 0);
    },
    reset() {
      programs.clear();
      used.clear();
    },
    revision: (nodeId) => programs.get(nodeId)?.revision,
    complete(nodeId, request, unstaged) {
      const entries = programs.get(nodeId)?.entries ?? [];
      const next = used.get(nodeId) ?? 0;
      used.set(nodeId, next + 1);
      const entry = entries[Math.min(next, entries.length - 1)] ?? { content: unstaged, stopReason: 'end_turn' };
      return { ...entry, usage: { inputTokens: words(request['messages']), outputTokens: words(entry.content) } };
    },
  };
}

/** The provider that a request names, where this host has one. */
export function isMock(request: LlmRequest): boolean {
  return stringMember(request, 'provider') === 'mock';
}

/** A token count that depends on the text alone, so that it is the same on every machine. */
function words(value: unknown): number {
  return JSON.stringify(value)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean).length;
}
