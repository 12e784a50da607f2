import { readFileSync } from 'node:fs';
import { type NamedRequest, readRequestFile } from '../../src/cache-key/index.ts';
import { packageFile } from '../../src/contract/package-root.ts';
import type { Diagnosis } from '../../src/contract/verdict.ts';
import type { Probe } from '../../src/host/probe.ts';
import type { RecipeName } from '../../src/runner/scenario.ts';
import { keyFor, keyOf } from './answers.ts';
import { catalogued } from './diagnoses.ts';
import type { CacheKeyObservation, RecordedKey } from './observation.ts';
import type { KeyRequest } from './requests.ts';
import { lineTo, send } from './send.ts';

/** RFC 0150 takes in some of this vector's extra fields, and under which names is not said. */
const ONLY_IN_FIRST_RECIPE = new Set(['non-recipe-fields']);

/** The golden vectors' requests, each the exact text of the file. Throws when the package's own file is unreadable. */
export function goldenRequests(recipe: RecipeName): readonly NamedRequest[] {
  const file = readRequestFile(readFileSync(packageFile('fixtures', 'vectors', 'cache-key-golden.json'), 'utf8'));
  if (!file.ok) throw new Error(`fixtures/vectors/cache-key-golden.json: ${file.message}`);
  return file.requests.filter(({ name }) => recipe === 'rfc-0041' || !ONLY_IN_FIRST_RECIPE.has(name));
}

/** The ways in which the first golden vector is sent once more. */
const AGAIN = 'the first vector again';
const PINNED = 'the first vector with a request id';
const PINNED_AGAIN = 'the first vector with the same request id';
const AS_SECOND_TENANT = 'the first vector as the second tenant';

/** Sends a vector in other ways too: a salt, a tenant and a request id have no digest that could be recomputed. */
export async function sendPairs(probe: Probe, { request }: NamedRequest): Promise<readonly CacheKeyObservation[]> {
  const again = (name: string): KeyRequest => ({ name, part: 'pair', request, variation: name });
  const headers = { 'x-request-id': 'conformance-request-1' };
  const pinned = [PINNED, PINNED_AGAIN].map((name) => ({ ...again(name), headers }));
  const own = await send(lineTo(probe), [again(AGAIN), ...pinned]);
  if (probe.otherTenant === undefined) return own;
  return [...own, ...(await send(lineTo(probe, probe.otherTenant), [again(AS_SECOND_TENANT)]))];
}

/**
 * Names a mistake that no digest shows, from answers to one request: another key each time but for the same request id,
 * another key each time, or another key for the second tenant. Undefined where the answers agree.
 */
export function diagnosePairs(keys: readonly RecordedKey[]): Diagnosis | undefined {
  const pair = keys.find(({ name }) => name === AGAIN);
  const first = keyOf(keys.find(({ part, request }) => part === 'golden' && request === pair?.request));
  const again = keyOf(pair);
  if (first === undefined || again === undefined) return undefined;
  if (first !== again) {
    const pinned = keyFor(keys, PINNED);
    // A key that is another one from some time on stays the same then, with the header and without.
    const isPinned =
      pinned !== undefined && pinned !== again && pinned !== first && pinned === keyFor(keys, PINNED_AGAIN);
    return catalogued(isPinned ? 'request-id-in-key' : 'salted');
  }
  const tenant = keyFor(keys, AS_SECOND_TENANT);
  return tenant !== undefined && tenant !== first ? catalogued('tenant-in-key') : undefined;
}
