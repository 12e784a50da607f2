import { type JsonNode, parseJsonText, recipeShapes, textOf, valueOf } from '../../src/cache-key/index.ts';
import { isClientError } from '../../src/protocol/status.ts';
import type { RecipeName } from '../../src/runner/scenario.ts';
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

/** Why a host may answer a valid request with a 4xx; all of a request's are known by these names. */
type RefusalReason =
  | 'another provider'
  | 'the model'
  | 'a sampling number'
  | 'topK'
  | 'a message without content'
  | 'an answer of a tool'
  | 'the tools'
  | 'a large integer'
  | 'a character'
  | 'a name'
  | 'a member outside the recipe';

/**
 * Why a host may answer a valid request with a 4xx. A provider would: another one than the usual one, an unusual model id or another
 * provider's, a sampling number beyond the limits of providers, topK where the provider has none, empty content, the answer of a tool
 * to a call that no request of the recipe holds, tools with unusual names, or more tools than providers take. A parser or a store
 * would: an integer that no double is sure to hold, a noncharacter (RFC 7493 §2.1), U+0000, a member called __proto__. And the set of
 * fields is closed (replay.md §A): a host need not take others.
 */
export function refusalReasons(request: string, recipe: RecipeName = 'rfc-0041'): ReadonlySet<RefusalReason> {
  const parsed = parseJsonText(request);
  if (!parsed.ok) return new Set();
  const { node } = parsed;
  const [messages, tools] = [itemsOf(valueOf(node, 'messages')), itemsOf(valueOf(node, 'tools'))];
  const [provider, model] = [textOf(node, 'provider'), textOf(node, 'model') ?? ''];
  const isBeyond = Object.entries(WITHIN).some(([name, isWithin]) => {
    const value = valueOf(node, name);
    return value?.kind === 'number' && !isWithin(value.value);
  });
  const held: readonly (readonly [RefusalReason, boolean])[] = [
    ['another provider', provider !== PROVIDER],
    ['the model', !PLAIN_MODEL.test(model) || OF_ANOTHER.test(model)],
    ['a sampling number', isBeyond],
    ['topK', valueOf(node, 'topK') !== undefined],
    ['a message without content', messages.some(isEmpty)],
    ['an answer of a tool', messages.some(isOfACall)],
    ['the tools', areUnusual(tools)],
    ['a large integer', holds(node, isLargeInteger)],
    ['a character', holds(node, (part) => textsIn(part).some((text) => UNSTORED.test(text)))],
    ['a name', holds(node, (part) => namesIn(part).includes('__proto__'))],
    ['a member outside the recipe', namesIn(node).some((name) => !recipeShapes[recipe].fields.has(name))],
  ];
  return new Set(held.flatMap(([reason, isHeld]) => (isHeld ? [reason] : [])));
}

/** Whether a host may answer a valid request with a 4xx, for any of these reasons. */
export function mayBeRefused(request: string, recipe?: RecipeName): boolean {
  return refusalReasons(request, recipe).size > 0;
}

function itemsOf(node: JsonNode | undefined): readonly JsonNode[] {
  return node?.kind === 'array' ? node.items : [];
}

function isEmpty(message: JsonNode): boolean {
  const content = valueOf(message, 'content');
  return content?.kind === 'array' ? content.items.length === 0 : textOf(message, 'content') === '';
}

/** An answer to a call, or the id of one where there can be none. */
function isOfACall(message: JsonNode): boolean {
  return textOf(message, 'role') === 'tool' || valueOf(message, 'toolCallId') !== undefined;
}

function areUnusual(tools: readonly JsonNode[]): boolean {
  return tools.length > TOOLS_AT_MOST || tools.some((tool) => !PLAIN_TOOL.test(textOf(tool, 'name') ?? ''));
}

/** RFC 7493 §2.2: beyond 2^53 - 1 a receiver cannot be relied on to hold an integer exactly. */
function isLargeInteger(node: JsonNode): boolean {
  return node.kind === 'number' && /^-?\d+$/u.test(node.raw) && !Number.isSafeInteger(node.value);
}

/** What RFC 7493 §2.1 keeps out of strings and names (RFC 8785 takes I-JSON alone), and U+0000, which stores do not hold. */
const UNSTORED = /[\0\p{Noncharacter_Code_Point}]/u;

/** Whether a value, or one within it, is such a one. */
function holds(node: JsonNode, isSuch: (part: JsonNode) => boolean): boolean {
  if (isSuch(node)) return true;
  if (node.kind === 'array') return node.items.some((item) => holds(item, isSuch));
  return node.kind === 'object' && node.members.some(({ value }) => holds(value, isSuch));
}

function namesIn(node: JsonNode): readonly string[] {
  return node.kind === 'object' ? node.members.map(({ key }) => key) : [];
}

/** A value's own text, and the names of its members. */
function textsIn(node: JsonNode): readonly string[] {
  return node.kind === 'string' ? [node.value] : namesIn(node);
}

/** A request and what it was answered. */
interface Answered {
  readonly request: string;
  readonly answer: KeyAnswered;
}

/** Whether an answer is a 4xx, without a key, to a request that a host may refuse: it shows nothing of the host's keys. */
export function isAllowedRefusal(answered: Answered, recipe?: RecipeName): boolean {
  return isRefusal(answered.answer) && mayBeRefused(answered.request, recipe);
}

/** Whether an answer is a 4xx without a key that is about the request. */
export function isRefusal(answer: KeyAnswered): boolean {
  return answer.kind === 'refused' && answer.key === undefined && !isUnobserved(answer) && isClientError(answer.status);
}
