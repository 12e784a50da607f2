import { chat } from './chat.ts';
import type { NodeKind } from './node.ts';
import { noop } from './noop.ts';
import { setVariable } from './set-variable.ts';
import { structuredOutput } from './structured-output.ts';
import { toolCalling } from './tool-calling.ts';

/** Every node kind that this host executes, by the `typeId` of a definition. */
export const nodeKinds: ReadonlyMap<string, NodeKind> = new Map([
  ['core.noop', noop],
  ['core.setVariable', setVariable],
  ['core.ai.structuredOutput', structuredOutput],
  ['core.ai.chat', chat],
  ['core.ai.toolCalling', toolCalling],
]);
