import { createHash } from 'node:crypto';
import { canonicalJson } from '../../src/cache-key/index.ts';
import type { Diagnosis } from '../../src/contract/verdict.ts';
import { readJsonText } from '../../src/host/json.ts';
import { wrong } from './diagnoses.ts';

/** What identifies one tool call of a run (sem §4.1). */
export interface KeyParts {
  readonly runId: string;
  readonly nodeId: string;
  readonly toolName: string;
  /** The arguments as JSON text; null where there are none, which counts as `{}`. */
  readonly args: string | null;
}

/** The key of a call (sem §4.1), in lowercase hexadecimal; undefined where the arguments have no canonical form. */
export function idempotencyKey(parts: KeyParts): string | undefined {
  return digestOf(parts)?.toString('hex');
}

function digestOf({ runId, nodeId, toolName, args }: KeyParts): Buffer | undefined {
  const canonical = canonicalJson(args ?? '{}');
  return canonical.ok ? digest([runId, nodeId, toolName, canonical.text].join('\0')) : undefined;
}

/** Whether a key is that of a call, which any of `parts` may be: the document fixes the digest, and not how it is written. */
export function isKeyOf(key: string, parts: readonly KeyParts[]): boolean {
  return parts.some((each) => {
    const hashed = digestOf(each);
    return hashed !== undefined && SPELLINGS.some((spell) => spell(hashed) === key);
  });
}

/** What is said of keys that are right and not spelled as most hosts spell them. */
export function spellingAdvice(keys: readonly string[]): string {
  const other = keys.find((key) => !/^[\da-f]{64}$/u.test(key));
  return other === undefined
    ? ''
    : `; advice: most hosts write the key as 64 lower-case hexadecimal digits, not ${other}`;
}

/** One way to carry out one step of the formula; the right one has no mistake. */
interface Way<T> {
  readonly mistake: Diagnosis | null;
  readonly value: T;
}

/**
 * Names the mistakes that give this key for these parts, the fewest that do; undefined where none of the known ones does.
 * `attempts` are attempt ids that the call is known by.
 */
export function diagnoseIdempotencyKey(
  key: string,
  parts: KeyParts,
  attempts: readonly string[] = [],
): Diagnosis | undefined {
  let best: readonly Diagnosis[] | undefined;
  for (const args of argumentWays(parts)) {
    for (const fields of fieldWays({ ...parts, text: args.value }, attempts)) {
      for (const separator of SEPARATORS) {
        const hashed = digest(fields.value.join(separator.value));
        for (const encoding of ENCODINGS) {
          if (encoding.value(hashed) !== key) continue;
          const mistakes = [args, fields, separator, encoding].flatMap(({ mistake }) => mistake ?? []);
          if (best === undefined || mistakes.length < best.length) best = mistakes;
        }
      }
    }
  }
  const [first] = best ?? [];
  return first && { code: first.code, message: (best ?? []).map(({ message }) => message).join(' ') };
}

/** The same for a key that is none of these parts; `unknown-key` where no known mistake gives it. */
export function mistakeIn(key: string | undefined, parts: readonly KeyParts[], attempts: readonly string[]): Diagnosis {
  return (key === undefined ? undefined : knownMistakeIn(key, parts, attempts)) ?? wrong('unknown-key');
}

/** The known mistake that gives a key which is none of these parts; undefined where none does. */
export function knownMistakeIn(
  key: string,
  parts: readonly KeyParts[],
  attempts: readonly string[],
): Diagnosis | undefined {
  for (const each of parts) {
    const found = diagnoseIdempotencyKey(key, each, attempts);
    if (found !== undefined) return found;
  }
  return undefined;
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function right<T>(value: T): Way<T> {
  return { mistake: null, value };
}

/** A mistake of the suite's table; `detail` says more about it. */
function mistaken<T>(code: Parameters<typeof wrong>[0], value: T, detail?: string): Way<T> {
  const { message } = wrong(code);
  return { mistake: { code, message: detail === undefined ? message : `${message} ${detail}` }, value };
}

/** The arguments as they may have been written; undefined where they were left out. */
function argumentWays({ args }: KeyParts): readonly Way<string | undefined>[] {
  const given = args ?? '{}';
  const canonical = canonicalJson(given);
  const parsed = readJsonText(given);
  const values = parsed.ok ? [parsed.value] : [];
  const empty = args === null || args === '{}' ? ['null', '""', 'undefined', ''] : [];
  return [
    ...(canonical.ok ? [right(canonical.text)] : []),
    ...values.map((value) => mistaken('args-unsorted', JSON.stringify(value))),
    ...values.flatMap(shallowSorted).map((text) => mistaken('args-shallow-sort', text)),
    mistaken('args-as-given', given),
    mistaken('args-omitted', undefined),
    ...empty.map((text) => mistaken('args-empty', text)),
  ];
}

/** Names sorted at the top alone: as texts, or with those first that look like numbers, where objects hold them in that order. */
function shallowSorted(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [JSON.stringify(value)];
  const sorted = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const members = sorted.map(([name, each]) => `${JSON.stringify(name)}:${JSON.stringify(each)}`);
  return [`{${members.join(',')}}`, JSON.stringify(Object.fromEntries(sorted))];
}

type Fields = Pick<KeyParts, 'runId' | 'nodeId' | 'toolName'> & { readonly text: string | undefined };

const ATTEMPTS = ['0', '1', '2'];

function fieldWays(
  { runId, nodeId, toolName, text }: Fields,
  attempts: readonly string[],
): readonly Way<readonly string[]>[] {
  const args = text === undefined ? [] : [text];
  return [
    right([runId, nodeId, toolName, ...args]),
    mistaken('run-omitted', [nodeId, toolName, ...args]),
    mistaken('node-omitted', [runId, toolName, ...args]),
    mistaken('tool-omitted', [runId, nodeId, ...args]),
    mistaken('other-order', [runId, toolName, nodeId, ...args]),
    ...[...new Set([...attempts, ...ATTEMPTS])].flatMap((attempt) =>
      [
        [runId, nodeId, toolName, ...args, attempt],
        [runId, nodeId, attempt, toolName, ...args],
        [runId, nodeId, toolName, attempt, ...args],
        [runId, attempt, nodeId, toolName, ...args],
      ].map((fields) => mistaken('attempt-in-key', fields)),
    ),
  ];
}

const SEPARATORS: readonly Way<string>[] = [
  right('\0'),
  mistaken('no-separators', ''),
  ...[':', '|', '/', '-', '_', ',', '.', ' ', '\n', String.raw`\0`, String.raw`\x00`].map((text) =>
    mistaken('other-separator', text, `It is ${JSON.stringify(text)}.`),
  ),
];

/** How a digest may be written, the usual way first. */
const SPELLINGS: readonly ((hashed: Buffer) => string)[] = [
  (hashed) => hashed.toString('hex'),
  (hashed) => hashed.toString('hex').toUpperCase(),
  (hashed) => hashed.toString('base64'),
  (hashed) => hashed.toString('base64url'),
  (hashed) => `sha256:${hashed.toString('hex')}`,
];

const ENCODINGS: readonly Way<(hashed: Buffer) => string>[] = [
  ...SPELLINGS.map(right),
  mistaken('truncated', (hashed) => hashed.toString('hex').slice(0, 32)),
];
