import { createHash } from 'node:crypto';
import { canonicalJson } from '../../src/cache-key/index.ts';
import type { Diagnosis } from '../../src/contract/verdict.ts';
import { readJsonText } from '../../src/host/json.ts';

/** What identifies one tool call of a run (sem §4.1). */
export interface KeyParts {
  readonly runId: string;
  readonly nodeId: string;
  readonly toolName: string;
  /** The arguments as JSON text; null where there are none, which counts as `{}`. */
  readonly args: string | null;
}

/** The key of a call (sem §4.1), in lowercase hexadecimal; undefined where the arguments have no canonical form. */
export function idempotencyKey({ runId, nodeId, toolName, args }: KeyParts): string | undefined {
  const canonical = canonicalJson(args ?? '{}');
  return canonical.ok ? digest([runId, nodeId, toolName, canonical.text].join('\0')).toString('hex') : undefined;
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
  return first && { code: first.code, message: (best ?? []).map(({ message }) => message).join('; ') };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function right<T>(value: T): Way<T> {
  return { mistake: null, value };
}

function wrong<T>(code: string, message: string, value: T): Way<T> {
  return { mistake: { code, message }, value };
}

/** The arguments as they may have been written; undefined where they were left out. */
function argumentWays({ args }: KeyParts): readonly Way<string | undefined>[] {
  const given = args ?? '{}';
  const canonical = canonicalJson(given);
  const parsed = readJsonText(given);
  const empty = 'no arguments are written otherwise than as {}';
  return [
    ...(canonical.ok ? [right(canonical.text)] : []),
    ...(parsed.ok
      ? [
          wrong('args-unsorted', 'the names of the arguments are not sorted', JSON.stringify(parsed.value)),
          wrong('args-shallow-sort', 'the names are sorted at the top only', shallowSorted(parsed.value)),
        ]
      : []),
    wrong('args-as-given', 'the arguments are hashed as the text in which they came', given),
    wrong('args-omitted', 'the arguments are left out', undefined),
    ...(args === null || args === '{}'
      ? ['null', '""', 'undefined', ''].map((text) => wrong('args-empty', empty, text))
      : []),
  ];
}

function shallowSorted(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value);
  const names = Object.keys(value).toSorted();
  return JSON.stringify(value, (name, each: unknown) =>
    name === '' && each === value
      ? Object.fromEntries(names.map((one) => [one, (value as Record<string, unknown>)[one]]))
      : each,
  );
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
    wrong('run-omitted', 'the run is left out', [nodeId, toolName, ...args]),
    wrong('node-omitted', 'the node is left out', [runId, toolName, ...args]),
    wrong('tool-omitted', 'the tool is left out', [runId, nodeId, ...args]),
    wrong('other-order', 'the tool stands before the node', [runId, toolName, nodeId, ...args]),
    ...[...new Set([...attempts, ...ATTEMPTS])].flatMap((attempt) => [
      wrong('attempt-in-key', 'the attempt is part of the key', [runId, nodeId, toolName, ...args, attempt]),
      wrong('attempt-in-key', 'the attempt is part of the key', [runId, nodeId, attempt, toolName, ...args]),
      wrong('attempt-in-key', 'the attempt is part of the key', [runId, nodeId, toolName, attempt, ...args]),
      wrong('attempt-in-key', 'the attempt is part of the key', [runId, attempt, nodeId, toolName, ...args]),
    ]),
  ];
}

const SEPARATORS: readonly Way<string>[] = [
  right('\0'),
  wrong('no-separators', 'nothing stands between the parts', ''),
  ...[':', '|', '/', '-', '_', ',', '.', ' ', '\n', String.raw`\0`, String.raw`\x00`].map((text) =>
    wrong('other-separator', `${JSON.stringify(text)} stands between the parts, not NUL`, text),
  ),
];

const ENCODINGS: readonly Way<(hashed: Buffer) => string>[] = [
  right((hashed) => hashed.toString('hex')),
  wrong('uppercase-hex', 'the digest is in upper case', (hashed) => hashed.toString('hex').toUpperCase()),
  wrong('base64', 'the digest is in base64', (hashed) => hashed.toString('base64')),
  wrong('base64', 'the digest is in base64url', (hashed) => hashed.toString('base64url')),
  wrong('algorithm-prefix', 'the digest has a prefix', (hashed) => `sha256:${hashed.toString('hex')}`),
  wrong('truncated', 'the digest is cut', (hashed) => hashed.toString('hex').slice(0, 32)),
];
