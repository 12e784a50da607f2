import { createHash } from 'node:crypto';
import type { Diagnosis } from '../../src/contract/verdict.ts';

/** What an invocation's id is made of (replay.md §C). */
export interface Invocation {
  readonly runId: string;
  readonly nodeId: string;
  readonly attempt: string;
  readonly providerKey: string;
}

/** sha256(runId || ':' || nodeId || ':' || attempt || ':' || providerKey), in lowercase hex. */
export function invocationIdOf({ runId, nodeId, attempt, providerKey }: Invocation): string {
  return sha256([runId, nodeId, attempt, providerKey].join(':'));
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

type Formula = (of: Invocation) => string;

function joined(separator: string): Formula {
  return ({ runId, nodeId, attempt, providerKey }) => sha256([runId, nodeId, attempt, providerKey].join(separator));
}

function countedFrom(step: number): Formula {
  return (of) => invocationIdOf({ ...of, attempt: String(Number(of.attempt) + step) });
}

const hashed =
  (algorithm: string): Formula =>
  ({ runId, nodeId, attempt, providerKey }) =>
    createHash(algorithm).update([runId, nodeId, attempt, providerKey].join(':')).digest('hex');

/** Wrong formulas that have a name. */
const WRONG: readonly (readonly [code: string, message: string, formula: Formula])[] = [
  ['layer-two-upper-case', 'the digest is in upper case', (of) => invocationIdOf(of).toUpperCase()],
  ['layer-two-algorithm-prefix', 'the digest has a prefix', (of) => `sha256:${invocationIdOf(of)}`],
  ['layer-two-truncated', 'half of the digest is left', (of) => invocationIdOf(of).slice(0, 32)],
  ['layer-two-base64', 'the digest is base64', (of) => Buffer.from(invocationIdOf(of), 'hex').toString('base64')],
  [
    'layer-two-without-attempt',
    'the attempt is left out',
    ({ runId, nodeId, providerKey }) => sha256([runId, nodeId, providerKey].join(':')),
  ],
  [
    'layer-two-without-run',
    'the run is left out',
    ({ nodeId, attempt, providerKey }) => sha256([nodeId, attempt, providerKey].join(':')),
  ],
  [
    'layer-two-without-node',
    'the node is left out',
    ({ runId, attempt, providerKey }) => sha256([runId, attempt, providerKey].join(':')),
  ],
  [
    'layer-two-without-provider-key',
    'the provider key is left out',
    ({ runId, nodeId, attempt }) => sha256([runId, nodeId, attempt].join(':')),
  ],
  ['layer-two-attempt-from-zero', 'attempts are hashed one lower than they are told', countedFrom(-1)],
  ['layer-two-attempt-one-higher', 'attempts are hashed one higher than they are told', countedFrom(1)],
  [
    'layer-two-provider-key-first',
    'the provider key stands before the attempt',
    ({ runId, nodeId, attempt, providerKey }) => sha256([runId, nodeId, providerKey, attempt].join(':')),
  ],
  [
    'layer-two-node-first',
    'the node stands before the run',
    ({ runId, nodeId, attempt, providerKey }) => sha256([nodeId, runId, attempt, providerKey].join(':')),
  ],
  ...(
    [
      ['nothing', ''],
      ['|', '|'],
      ['/', '/'],
      ['-', '-'],
      ['_', '_'],
      ['::', '::'],
      ['.', '.'],
      ['NUL', '\0'],
      ['a line end', '\n'],
      ['a space', ' '],
    ] as const
  ).map(
    ([name, separator]) => ['layer-two-other-separator', `the parts are joined by ${name}`, joined(separator)] as const,
  ),
  ['layer-two-other-hash', 'the digest is SHA-1', hashed('sha1')],
  ['layer-two-other-hash', 'the digest is MD5', hashed('md5')],
  ['layer-two-other-hash', 'the digest is SHA-512', hashed('sha512')],
];

/** The wrong formula that gives an id, or undefined. */
export function wrongFormula(id: string, of: Invocation): Diagnosis | undefined {
  const found = WRONG.find(([, , formula]) => formula(of) === id);
  return found === undefined ? undefined : { code: found[0], message: found[1] };
}

/** Names that stand for several formulas. */
const OTHERS: ReadonlyMap<string, string> = new Map([
  ['layer-two-other-separator', 'the parts are not joined by a colon'],
  ['layer-two-other-hash', 'the digest is not SHA-256'],
]);

/** Every name of a wrong formula once, with what is wrong. */
export function wrongFormulas(): readonly Diagnosis[] {
  const byCode = new Map(WRONG.map(([code, message]) => [code, message]));
  return [...byCode].map(([code, message]) => ({ code, message: OTHERS.get(code) ?? message }));
}
