import { type JsonNode, parseJsonText, textOf, valueOf } from '../../src/cache-key/index.ts';
import { isClientError } from '../../src/protocol/status.ts';
import { isUnobserved, type KeyAnswered } from './observation.ts';

/** The provider that most requests name; a host may not know another one. */
export const PROVIDER = 'openai';

/** A model's id that no host has a reason to refuse. */
const PLAIN_MODEL = /^[A-Za-z0-9][\w.:@/-]*$/u;

/** The models of other providers: a host that knows them knows that the usual one does not have them. */
const OF_ANOTHER = /^(?:claude|gemini|mistral|llama|command)\b/iu;

/** Values within the limits that providers set. */
const WITHIN: Readonly<Record<string, (value: number) => boolean>> = {
  temperature: (value) => value >= 0 && value <= 1,
  topP: (value) => value >= 0 && value <= 1,
  topK: (value) => Number.isInteger(value) && value >= 1 && value <= 100,
};

/** The names of tools that every provider takes, and how many tools. */
const PLAIN_TOOL = /^[\w-]{1,64}$/u;
const TOOLS_AT_MOST = 128;

/** The provider that a request names. */
export function providerOf(request: string): string | undefined {
  const parsed = parseJsonText(request);
  return parsed.ok ? textOf(parsed.node, 'provider') : undefined;
}

/**
 * Whether a host may answer a valid request with a 4xx, since a provider would: another provider than the usual one, an
 * unusual model id or another provider's, a sampling number beyond the limits of providers, an integer that no double is sure to hold, empty
 * content, the answer of a tool without the id of the call, tools with unusual names, or more tools than providers take.
 */
export function mayBeRefused(request: string): boolean {
  const parsed = parseJsonText(request);
  if (!parsed.ok) return false;
  const { node } = parsed;
  return (
    textOf(node, 'provider') !== PROVIDER ||
    !PLAIN_MODEL.test(textOf(node, 'model') ?? '') ||
    OF_ANOTHER.test(textOf(node, 'model') ?? '') ||
    Object.entries(WITHIN).some(([name, isWithin]) => {
      const value = valueOf(node, name);
      return value?.kind === 'number' && !isWithin(value.value);
    }) ||
    itemsOf(valueOf(node, 'messages')).some(isUnusual) ||
    areUnusual(itemsOf(valueOf(node, 'tools'))) ||
    holdsLargeInteger(node)
  );
}

function itemsOf(node: JsonNode | undefined): readonly JsonNode[] {
  return node?.kind === 'array' ? node.items : [];
}

function isUnusual(message: JsonNode): boolean {
  const content = valueOf(message, 'content');
  const isEmpty = content?.kind === 'array' ? content.items.length === 0 : textOf(message, 'content') === '';
  return isEmpty || (textOf(message, 'role') === 'tool' && (textOf(message, 'toolCallId') ?? '') === '');
}

function areUnusual(tools: readonly JsonNode[]): boolean {
  return tools.length > TOOLS_AT_MOST || tools.some((tool) => !PLAIN_TOOL.test(textOf(tool, 'name') ?? ''));
}

/** RFC 7493 §2.2: beyond 2^53 - 1 a receiver cannot be relied on to hold an integer exactly. */
function holdsLargeInteger(node: JsonNode): boolean {
  if (node.kind === 'number') return /^-?\d+$/u.test(node.raw) && !Number.isSafeInteger(node.value);
  if (node.kind === 'array') return node.items.some(holdsLargeInteger);
  return node.kind === 'object' && node.members.some(({ value }) => holdsLargeInteger(value));
}

/** A request and what it was answered. */
interface Answered {
  readonly request: string;
  readonly answer: KeyAnswered;
}

/** Whether an answer is a 4xx, without a key, to a request that a host may refuse: it shows nothing of the host's keys. */
export function isAllowedRefusal({ request, answer }: Answered): boolean {
  if (answer.kind !== 'refused' || answer.key !== undefined || isUnobserved(answer)) return false;
  return isClientError(answer.status) && mayBeRefused(request);
}
