import { randomUUID } from 'node:crypto';
import type { Provider, ProviderResponse } from '../types/provider.ts';

/** A provider that answers what was staged for a node, and otherwise a fixed answer made from the request. */
export interface MockProvider extends Provider {
  /** Replaces a node's program: its entries answer one call each, the last one all further calls. */
  stage(nodeId: string, program: readonly ProgramEntry[]): void;
  /** Forgets every program. */
  reset(): void;
}

export type ProgramEntry = Omit<ProviderResponse, 'usage'>;

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
    async complete({ nodeId, request, unstaged }) {
      const entries = programs.get(nodeId)?.entries ?? [];
      const next = used.get(nodeId) ?? 0;
      used.set(nodeId, next + 1);
      const entry = entries[Math.min(next, entries.length - 1)] ?? { content: unstaged, stopReason: 'end_turn' };
      const usage = { inputTokens: words(request['messages']), outputTokens: words(entry.content) };
      return { ok: true, response: { ...entry, usage } };
    },
  };
}

/** A token count that depends on the text alone, so that it is the same on every machine. */
function words(value: unknown): number {
  return JSON.stringify(value)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean).length;
}
