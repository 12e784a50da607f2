import { newId } from '../../ids.ts';
import { member, stringMember } from '../../json.ts';
import type { EventDraft } from '../../store/event.ts';
import { isAbout } from '../../types/interrupts.ts';
import type { WorkflowNode } from '../../types/workflow.ts';
import type { World } from '../../types/world.ts';
import type { NodeKind } from './node.ts';
import { outputEvents } from './inputs.ts';

/** What a node asks somebody outside. A node may ask several questions, each under a key of its own. */
export interface Question {
  readonly node: WorkflowNode;
  readonly kind: string;
  readonly key: string;
  readonly data: unknown;
}

type Asked = { readonly kind: 'answered'; readonly value: unknown } | { readonly kind: 'suspended' };

/**
 * Asks, and waits for the answer. A replay has the recorded answer at once and asks nobody (replay.md, Determinism 2).
 */
export async function* ask(world: World, question: Question): AsyncGenerator<EventDraft, Asked> {
  const { node, kind, key, data } = question;
  const { value: interruptId } = await world.observe({
    nodeId: node.id,
    request: { kind: node.typeId, interruptKind: kind, key, data },
    perform: () => ({ value: newId('int', world.now()), events: [] }),
    shownBy: (events) => events.some((event) => isAbout(event, 'interrupt.requested', key)),
  });
  const asked = { runId: world.runId, nodeId: node.id, interruptId, kind, key, data };
  yield { type: 'interrupt.requested', nodeId: node.id, payload: asked };
  yield { type: 'node.suspended', nodeId: node.id, payload: { nodeId: node.id, interruptId } };
  const answer = world.answer(node.id, key);
  if (answer === undefined) return { kind: 'suspended' };
  yield { type: 'interrupt.resolved', nodeId: node.id, payload: { ...asked, resumeValue: answer.value } };
  yield { type: 'node.resumed', nodeId: node.id, payload: { nodeId: node.id, interruptId } };
  return { kind: 'answered', value: answer.value };
}

/** `core.interrupt`: asks somebody outside, waits for the answer and hands it on. */
export const interrupt: NodeKind = async function* run(node, world) {
  const kind = stringMember(node.config, 'kind') ?? 'input';
  const key = stringMember(node.config, 'key') ?? node.id;
  const data = member(node.config, 'data') ?? null;
  const asked = yield* ask(world, { node, kind, key, data });
  if (asked.kind === 'suspended') return asked;
  yield* outputEvents(node, asked.value);
  return { kind: 'completed', output: asked.value };
};
