import { newId } from '../../ids.ts';
import { member, stringMember } from '../../json.ts';
import type { NodeKind } from './node.ts';
import { outputEvents } from './output.ts';

/**
 * `core.interrupt`: asks somebody outside, waits for the answer and hands it on. A replay has the recorded answer at once
 * and asks nobody (replay.md, Determinism 2).
 */
export const interrupt: NodeKind = async function* run(node, world) {
  const kind = stringMember(node.config, 'kind') ?? 'input';
  const key = stringMember(node.config, 'key') ?? node.id;
  const data = member(node.config, 'data') ?? null;
  const { value: interruptId } = await world.observe({
    nodeId: node.id,
    request: { kind: node.typeId, interruptKind: kind, key, data },
    perform: () => ({ value: newId('int', world.now()), events: [] }),
  });
  const asked = { runId: world.runId, nodeId: node.id, interruptId, kind, key, data };
  yield { type: 'interrupt.requested', nodeId: node.id, payload: asked };
  yield { type: 'node.suspended', nodeId: node.id, payload: { nodeId: node.id, interruptId } };
  const answer = world.answer(node.id, key);
  if (answer === undefined) return { kind: 'suspended' };
  const resumeValue = answer.value;
  yield { type: 'interrupt.resolved', nodeId: node.id, payload: { ...asked, resumeValue } };
  yield { type: 'node.resumed', nodeId: node.id, payload: { nodeId: node.id, interruptId } };
  yield* outputEvents(node, resumeValue);
  return { kind: 'completed', output: resumeValue };
};
