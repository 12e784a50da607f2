import { channelWrite, constant, fail, identity, noop, setVariable, writeChannel } from './values.ts';
import { delay } from './delay.ts';
import { dispatch, supervisor } from './dispatch.ts';
import { approvalGate, clarificationGate, conversationGate } from './gates.ts';
import { chat } from './llm.ts';
import type { NodeKind } from './node.ts';
import { clock, memoryWrite, random, wallClock } from './observing.ts';
import { interrupt } from './question.ts';
import { structuredOutput } from './structured-output.ts';
import { subWorkflow } from './sub-workflow.ts';
import { toolCalling } from './tool-calling.ts';
import { toolHttp } from './tool-http.ts';
import { versionPin } from './version-pin.ts';

/** Every node kind that this host executes, by the `typeId` of a definition. */
export const nodeKinds: ReadonlyMap<string, NodeKind> = new Map([
  ['core.noop', noop],
  ['core.constant', constant],
  ['core.identity', identity],
  ['core.setVariable', setVariable],
  ['core.writeChannel', writeChannel],
  ['core.channelWrite', channelWrite],
  ['core.delay', delay],
  ['core.approvalGate', approvalGate],
  ['core.clarificationGate', clarificationGate],
  ['core.conversationGate', conversationGate],
  ['core.clock', clock],
  ['core.random', random],
  ['core.version', versionPin],
  ['core.memory.write', memoryWrite],
  ['core.tool.http', toolHttp],
  ['core.interrupt', interrupt],
  ['core.orchestrator.supervisor', supervisor],
  ['core.dispatch', dispatch],
  ['core.subWorkflow', subWorkflow],
  ['core.fail', fail],
  ['core.ai.structuredOutput', structuredOutput],
  ['core.ai.chat', chat],
  ['core.ai.toolCalling', toolCalling],
  ['sample.wallClock', wallClock],
]);
