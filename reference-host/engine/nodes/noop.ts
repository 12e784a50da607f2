import type { NodeKind } from './node.ts';

/** `core.noop`: hands its inputs on as its output. */
// oxlint-disable-next-line eslint/require-yield -- a node kind without events of its own
export const noop: NodeKind = async function* run(node) {
  return { kind: 'completed', output: node.inputs };
};
