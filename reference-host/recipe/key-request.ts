import { isObject, member } from '../json.ts';

/**
 * What is wrong with a cache-key request, as a sentence, or undefined when it has the shape of `LLMCacheKeyInput`
 * (replay.md, LLM cache-key recipe §A). Optional fields may be null; unknown members are tolerated.
 */
export function validateKeyRequest(request: unknown): string | undefined {
  if (!isObject(request)) return 'The request must be a JSON object.';
  for (const name of ['provider', 'model']) {
    const value = member(request, name);
    if (typeof value !== 'string' || value === '') return `${name} must be a non-empty string.`;
  }
  const messages = member(request, 'messages');
  if (!Array.isArray(messages)) return 'messages must be an array.';
  if (!messages.every(isMessage)) {
    return 'Each message must be an object with a string role and content that is a string or an array of typed blocks.';
  }
  return problemInOptionals(request);
}

function problemInOptionals(request: unknown): string | undefined {
  for (const name of ['temperature', 'topP', 'topK']) {
    const value = member(request, name) ?? null;
    if (value !== null && typeof value !== 'number') return `${name} must be a number.`;
  }
  const tools = member(request, 'tools') ?? [];
  if (!Array.isArray(tools) || !tools.every(isTool)) return 'tools must be an array of objects with a string name.';
  const format = member(request, 'responseFormat') ?? null;
  if (format !== null && typeof member(format, 'type') !== 'string') {
    return 'responseFormat must be an object with a string type.';
  }
  return undefined;
}

function isMessage(value: unknown): boolean {
  const content = member(value, 'content');
  const blocks = Array.isArray(content) && content.every((block) => typeof member(block, 'type') === 'string');
  return typeof member(value, 'role') === 'string' && (typeof content === 'string' || blocks);
}

function isTool(value: unknown): boolean {
  return typeof member(value, 'name') === 'string';
}
