import { member, stringMember } from '../../json.ts';
import type { NodeKind } from './node.ts';
import { outputEvents } from './output.ts';
import { ask } from './question.ts';

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
