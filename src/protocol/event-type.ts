/** The types of events that the documents and the wire contract name, those of tool calls aside: hosts write others beside them. */
const NAMED: ReadonlySet<string> = new Set([
  'run.started',
  'run.completed',
  'run.failed',
  'run.cancelled',
  'node.started',
  'node.completed',
  'node.failed',
  'node.skipped',
  'node.suspended',
  'node.resumed',
  'node.retried',
  'node.dispatched',
  'interrupt.requested',
  'interrupt.resolved',
  'variable.changed',
  'channel.written',
  'memory.written',
  'version.pinned',
  'provider.usage',
  'envelope.refusal',
  'replay.diverged',
  'replay.divergedAtRefusal',
  'runOrchestrator.decided',
  'core.dispatch.failed',
  'core.workflowChain.event',
  'log.appended',
]);

/** Whether the documents or the wire contract name this type of event; any other one is the host's own. */
export function isNamedType(type: string): boolean {
  return NAMED.has(type);
}

const OF_TOOL_CALLS: ReadonlySet<string> = new Set([
  'tool_invocation_started',
  'tool_invocation_finished',
  'command_committed',
]);

/** The same, those of tool calls among them. */
export function isTypeOfDocuments(type: string): boolean {
  return isNamedType(type) || OF_TOOL_CALLS.has(type);
}
