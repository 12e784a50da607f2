import { closedSeam } from '../../src/contract/remedy.ts';
import type { HostHandle } from '../../src/host/client.ts';
import { answeredWith, answerText, jsonIn, withinBounds } from '../../src/host/exchanged.ts';
import { readJsonText } from '../../src/host/json.ts';
import { seamPath } from '../../src/protocol/paths.ts';
import { isSuccess } from '../../src/protocol/status.ts';

/** What a test seam answered: the exchange, and why it did not work where it did not. */
export interface SeamAnswer {
  readonly exchange: string;
  /** The answer's status; null where there was no answer. */
  readonly status: number | null;
  readonly problem: string | null;
  /** The answer's body; undefined where it was no JSON. */
  readonly body: unknown;
}

/** One answer of the mock model, in the first form of wire-contract, Test seams. */
export type ProgramEntry =
  | { readonly content: string; readonly stopReason: 'end_turn' }
  | { readonly content: string; readonly stopReason: 'safety'; readonly refusalText: string };

/** A valid answer. */
export function valid(content: string): ProgramEntry {
  return { content, stopReason: 'end_turn' };
}

/** A refusal; `content` is empty, as a model that refuses gives no envelope. */
export function refusal(refusalText: string): ProgramEntry {
  return { content: '', stopReason: 'safety', refusalText };
}

/**
 * Stages what the mock model answers to a node's calls, one entry a call, the last one for all further calls. Staged
 * again after a source run it counts as a changed provider (readings, Replay).
 */
export async function stage(handle: HostHandle, nodeId: string, program: readonly ProgramEntry[]): Promise<SeamAnswer> {
  const answer = await ask(handle, 'mock-ai/program', { nodeId, program });
  if (answer.status !== 400 && answer.status !== 422) return answer;
  return ask(handle, 'mock-ai/program', { nodeId, program: program.map(secondForm) });
}

/** The other form of an entry, for hosts that know no stop reasons (wire-contract, Test seams). */
function secondForm(entry: ProgramEntry): object {
  if (entry.stopReason === 'safety') return { mode: 'refusal', refusalReason: entry.refusalText };
  const envelope = readJsonText(entry.content);
  return { mode: 'envelope', envelope: envelope.ok ? envelope.value : entry.content };
}

/** Makes the host forget recorded provider responses that fit every given member. */
export function purge(
  handle: HostHandle,
  which: { readonly runId?: string; readonly nodeId?: string; readonly cacheKey?: string },
): Promise<SeamAnswer> {
  return ask(handle, 'llm-cache/purge', which);
}

/** Makes another revision of a workflow the one that later runs and replays execute. */
export function revise(handle: HostHandle, workflowId: string, revision: string): Promise<SeamAnswer> {
  return ask(handle, 'workflow-revision', { workflowId, revision });
}

/** Asks a test seam below its common root: what it does it may do twice. */
export async function ask(handle: HostHandle, seam: string, body: object): Promise<SeamAnswer> {
  const path = seamPath(seam);
  const request = { method: 'POST', path, body: JSON.stringify(body), repeatable: true } as const;
  const exchange = withinBounds(await handle.exchange(request));
  const answer = { exchange: exchange.id, status: answeredWith(exchange), body: jsonIn(exchange) };
  if (exchange.kind === 'failure') return { ...answer, problem: `POST ${path} got no answer: ${answerText(exchange)}` };
  const problem = `${closedSeam(path, exchange.status)} to this credential`;
  return { ...answer, problem: isSuccess(exchange.status) ? null : problem };
}

/** Bodies of an annotation that hosts take: the first one is that of docs/seams.md. */
export function annotationBodies(text: string): readonly object[] {
  return [
    { signal: { kind: 'label', label: text }, note: text },
    { signal: { kind: 'rating', value: 1 }, note: text },
    { rating: 1, comment: text },
  ];
}
