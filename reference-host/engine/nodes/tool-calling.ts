import { listMember, member, parseJson, stringMember, type JsonObject } from '../../json.ts';
import { llmNode } from './llm.ts';
import { sample } from './sample.ts';

/** `core.ai.toolCalling`: the model's decision about `config.tools`, as `{text, toolCalls: [{name, arguments}]}`. */
export const toolCalling = llmNode({
  requestMembers: (config) => ({ tools: listMember(config, 'tools') }),
  unstaged: (config) => {
    const [first] = listMember(config, 'tools');
    const call = { name: member(first, 'name'), arguments: sample(member(first, 'parameters')) };
    return { toolCalls: first === undefined ? [] : [call] };
  },
  read: (content) => ({ ok: true, output: decision(content) }),
});

/** Plain text is an answer without calls; JSON text with `toolCalls` is read like the object itself. */
function decision(content: unknown): JsonObject {
  const reading = typeof content === 'string' ? parseJson(content) : undefined;
  const value = reading?.ok === true ? reading.value : content;
  const calls = member(value, 'toolCalls');
  if (!Array.isArray(calls)) {
    return { text: typeof content === 'string' ? content : JSON.stringify(content), toolCalls: [] };
  }
  return {
    text: stringMember(value, 'text') ?? '',
    toolCalls: calls.map((call) => ({
      name: stringMember(call, 'name') ?? '',
      arguments: member(call, 'arguments') ?? {},
    })),
  };
}
