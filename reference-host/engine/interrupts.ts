import type { Recollection } from './world.ts';

/** Where the answer to a node's question is recorded: it stands for the question with that key, whoever asked it. */
export function answerTo(nodeId: string, key: string): Recollection {
  return { nodeId, request: { kind: 'core.interrupt.answer', key }, shownBy: 'interrupt.resolved' };
}
