import type { ObjectNode } from '../json-node.ts';
import type { Steps } from '../steps.ts';

/** What a catalogue entry may look at to form its variants: the names outside the recipe, and the key that was given. */
export interface Hints {
  readonly extraNames: readonly string[];
  readonly key: string;
}

/** One way to make a mistake: a label that completes the rule's sentence, and the steps that it replaces. */
export interface Variant {
  readonly label: string;
  readonly apply: (steps: Steps) => Steps;
  /** It is one of a grid, and tried by itself only: with all others of a grid it would be tried too often. */
  readonly alone?: true;
}

/** A named mistake (readings.md, Wrong keys that have a name). */
export interface Rule {
  readonly code: string;
  /** What a host with this mistake does, in one sentence without its full stop. */
  readonly message: string;
  /** The requirements that the mistake breaks besides `cache-key.reproducible-offline`. */
  readonly breaks: readonly string[];
  /** Empty where only a pair of requests can show the mistake. */
  readonly variants: (hints: Hints) => readonly Variant[];
}

/** The requirements that mistakes break besides `cache-key.reproducible-offline`, by what the mistakes change. */
export const BREAKS = {
  nothing: [],
  absent: ['cache-key.omits-absent'],
  contentShape: ['cache-key.preserves-content-shape'],
  contentAndStrings: ['cache-key.preserves-content-shape', 'cache-key.jcs-strings'],
  fields: ['cache-key.includes-recipe-fields'],
  fieldsAndMessageOrder: ['cache-key.includes-recipe-fields', 'cache-key.preserves-message-order'],
  hex: ['cache-key.lowercase-hex'],
  messageOrder: ['cache-key.preserves-message-order'],
  model: ['cache-key.model-verbatim'],
  names: ['cache-key.jcs-key-order'],
  namesAndTools: ['cache-key.jcs-key-order', 'cache-key.sorts-tools'],
  namesEverywhere: ['cache-key.jcs-key-order', 'cache-key.canonical-tool-schema'],
  numbers: ['cache-key.jcs-numbers'],
  object: ['cache-key.omits-absent', 'cache-key.includes-recipe-fields'],
  sameKeys: ['cache-key.deterministic'],
  schemas: ['cache-key.canonical-tool-schema'],
  strings: ['cache-key.jcs-strings'],
  tenancy: ['cache-key.excludes-transport', 'cache-key.not-a-security-boundary'],
  tools: ['cache-key.sorts-tools'],
  transport: ['cache-key.excludes-transport'],
  withoutForm: ['cache-key.rejects-non-json-values'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** A rule whose variants do not depend on what was seen. */
export function rule(code: string, message: string, breaks: readonly string[], variants: readonly Variant[]): Rule {
  return { code, message, breaks, variants: () => variants };
}

/** A variant that changes the recipe's fields after they were taken. */
export function reshaping(label: string, change: (fields: ObjectNode) => ObjectNode): Variant {
  return { label, apply: (steps) => ({ ...steps, reshape: [...steps.reshape, change] }) };
}

/** A variant that changes the text after it was written. */
export function finishing(label: string, change: (text: string) => string): Variant {
  return { label, apply: (steps) => ({ ...steps, finish: [...steps.finish, change] }) };
}

/** A variant that replaces steps outright. */
export function replacing(label: string, replacement: Partial<Steps>): Variant {
  return { label, apply: (steps) => ({ ...steps, ...replacement }) };
}

/** A variant that changes every string after it was quoted. */
export function requoting(label: string, change: (quoted: string) => string): Variant {
  return { label, apply: (steps) => ({ ...steps, requote: [...steps.requote, change] }) };
}

/** Every non-empty choice of up to `limit` of the given things, smaller choices first. */
export function choices<T>(things: readonly T[], limit: number = things.length): readonly (readonly T[])[] {
  if (limit === 1) return things.map((thing) => [thing]);
  let found: (readonly T[])[] = [[]];
  for (const thing of things) {
    found = [...found, ...found.filter(({ length }) => length < limit).map((choice) => [...choice, thing])];
  }
  return found.slice(1).toSorted((a, b) => a.length - b.length);
}
