import type { ArrayNode, JsonNode, ObjectNode } from './json-node.ts';
import { NODE, spend } from './work.ts';
import type { Layout, Steps } from './steps.ts';

/** What the writer needs of the steps. */
export type WriteSteps = Pick<Steps, 'respell' | 'memberOrder' | 'number' | 'requote' | 'loneSurrogates' | 'layout'>;

/** A tree as text, or why it has none (a lone surrogate, a number outside IEEE 754 doubles). */
export type Written = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly message: string };

/** Unwinds the writer at a value without a form; never leaves `writeNode`. */
class NoForm extends Error {}

/** Writes a tree under the given steps. */
export function writeNode(node: JsonNode, steps: WriteSteps): Written {
  try {
    return { ok: true, text: write(node, steps, 0) };
  } catch (error) {
    if (error instanceof NoForm) return { ok: false, message: error.message };
    throw error;
  }
}

function write(node: JsonNode, steps: WriteSteps, depth: number): string {
  spend(NODE);
  switch (node.kind) {
    case 'null':
      return 'null';
    case 'boolean':
      return node.value ? 'true' : 'false';
    case 'number': {
      const text = steps.number(node);
      if (text === undefined) throw new NoForm(`the number ${node.raw.slice(0, 40)} is outside the range of a double`);
      return text;
    }
    case 'string':
      return quote(respell(node.value, steps), steps);
    case 'array':
      return writeArray(node, steps, depth);
    case 'object':
      return writeObject(node, steps, depth);
  }
}

function respell(value: string, steps: WriteSteps): string {
  let result = value;
  for (const change of steps.respell) result = change(result);
  return result;
}

function quote(value: string, steps: WriteSteps): string {
  spend(value.length);
  let kept = value;
  if (!value.isWellFormed()) {
    if (steps.loneSurrogates === undefined) throw new NoForm('a string holds a lone surrogate');
    kept = steps.loneSurrogates(value);
  }
  let quoted = JSON.stringify(kept);
  for (const change of steps.requote) quoted = change(quoted);
  return quoted;
}

function writeArray(node: ArrayNode, steps: WriteSteps, depth: number): string {
  if (node.items.length === 0) return '[]';
  const items = node.items.map((item) => write(item, steps, depth + 1));
  return `[${spread(items, steps.layout, depth)}]`;
}

function writeObject(node: ObjectNode, steps: WriteSteps, depth: number): string {
  if (node.members.length === 0) return '{}';
  const respelled =
    steps.respell.length === 0
      ? node.members
      : node.members.map(({ key, value }) => ({ key: respell(key, steps), value }));
  const members = steps
    .memberOrder(respelled, depth)
    .map(({ key, value }) => quote(key, steps) + steps.layout.colon + write(value, steps, depth + 1));
  return members.length === 0 ? '{}' : `{${spread(members, steps.layout, depth)}}`;
}

function spread(parts: readonly string[], layout: Layout, depth: number): string {
  if (layout.indent === 0) return joined(parts, layout.comma);
  const outer = `\n${' '.repeat(layout.indent * depth)}`;
  const inner = outer + ' '.repeat(layout.indent);
  spend(parts.length * inner.length);
  return inner + parts.join(layout.comma + inner) + outer;
}

/** From here on a text is put together without a copy: each level around a large request would make one. */
const MANY = 1000;
const LONG = 65_536;

function joined(parts: readonly string[], comma: string): string {
  if (parts.length < MANY && parts.every(({ length }) => length < LONG)) return parts.join(comma);
  return parts.reduce((text, part) => text + comma + part);
}
