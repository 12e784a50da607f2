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
export function invocationIdOf(invocation: Invocation): string {
  return digestOf(PARTS)(invocation);
}

type Formula = (of: Invocation) => string;

const PARTS = ['runId', 'nodeId', 'attempt', 'providerKey'] as const;

/** The digest of these parts, in this order. */
function digestOf(parts: readonly (keyof Invocation)[], { separator = ':', algorithm = 'sha256' } = {}): Formula {
  return (of) =>
    createHash(algorithm)
      .update(parts.map((part) => of[part]).join(separator))
      .digest('hex');
}

function without(left: keyof Invocation): Formula {
  return digestOf(PARTS.filter((part) => part !== left));
}

function countedFrom(step: number): Formula {
  return (of) => invocationIdOf({ ...of, attempt: String(Number(of.attempt) + step) });
}

type Named = readonly [code: string, message: string, formula: Formula];

const SEPARATORS = ['', '|', '/', '-', '_', '::', '.', '\0', '\n', ' '];
const ALGORITHMS = ['sha1', 'md5', 'sha512'];

/** Wrong formulas that have a name. */
const WRONG: readonly Named[] = [
  ['layer-two-upper-case', 'the digest is in upper case', (of) => invocationIdOf(of).toUpperCase()],
  ['layer-two-algorithm-prefix', 'the digest has a prefix', (of) => `sha256:${invocationIdOf(of)}`],
  ['layer-two-truncated', 'half of the digest is left', (of) => invocationIdOf(of).slice(0, 32)],
  ['layer-two-base64', 'the digest is base64', (of) => Buffer.from(invocationIdOf(of), 'hex').toString('base64')],
  ['layer-two-without-attempt', 'the attempt is left out', without('attempt')],
  ['layer-two-without-run', 'the run is left out', without('runId')],
  ['layer-two-without-node', 'the node is left out', without('nodeId')],
  ['layer-two-without-provider-key', 'the provider key is left out', without('providerKey')],
  ['layer-two-attempt-from-zero', 'attempts are hashed one lower than they are reported', countedFrom(-1)],
  ['layer-two-attempt-one-higher', 'attempts are hashed one higher than they are reported', countedFrom(1)],
  [
    'layer-two-provider-key-first',
    'the provider key stands before the attempt',
    digestOf(['runId', 'nodeId', 'providerKey', 'attempt']),
  ],
  ['layer-two-node-first', 'the node stands before the run', digestOf(['nodeId', 'runId', 'attempt', 'providerKey'])],
  ...SEPARATORS.map((separator): Named => {
    const message = `the parts are joined by ${JSON.stringify(separator)}`;
    return ['layer-two-other-separator', message, digestOf(PARTS, { separator })];
  }),
  ...ALGORITHMS.map((algorithm): Named => {
    return ['layer-two-other-hash', `the digest is ${algorithm}`, digestOf(PARTS, { algorithm })];
  }),
];

/** The wrong formula that gives an id, or undefined. */
export function wrongFormula(id: string, of: Invocation): Diagnosis | undefined {
  const found = WRONG.find(([, , formula]) => formula(of) === id);
  return found === undefined ? undefined : { code: found[0], message: found[1] };
}

/** Every name of a wrong formula once, with what is wrong in the words that hold for all formulas of the name. */
export function wrongFormulas(): readonly Diagnosis[] {
  const byCode = new Map(WRONG.map(([code, message]) => [code, message]));
  byCode.set('layer-two-other-separator', 'the parts are not joined by a colon');
  byCode.set('layer-two-other-hash', 'the digest is not SHA-256');
  return [...byCode].map(([code, message]) => ({ code, message }));
}
