import { isObject } from '../../reference-host/json.ts';
import type { Variant } from './variant.ts';
import { onWire } from './wire.ts';

const TYPES: ReadonlyMap<string, string> = new Map([
  ['tool_invocation_started', 'toolInvocationStarted'],
  ['tool_invocation_finished', 'tool.invocation.finished'],
  ['command_committed', 'commandCommitted'],
]);

/** The events of a tool call are called otherwise, and so are the members of what they say. */
export const toolEventsSpelledOtherwise: Variant = {
  id: 'tool-events-spelled-otherwise',
  parts: onWire((shown, event) => {
    const type = TYPES.get(event.type);
    if (type === undefined || !isObject(shown['payload'])) return shown;
    const members = Object.entries(shown['payload']).map(([name, value]) => [
      name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]);
    return { ...shown, type, payload: Object.fromEntries(members) };
  }),
};
