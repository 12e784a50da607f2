import type { Diagnosis } from '../../src/contract/verdict.ts';
import { keyOf } from './judge-invariance.ts';
import type { RecordedKey } from './observation.ts';
import { catalogued } from './diagnoses.ts';

/** The ways in which the first golden vector is asked once more. */
export const pairNames = {
  again: 'the first vector again',
  pinned: 'the first vector with a request id',
  pinnedAgain: 'the first vector with the same request id',
  tenant: 'the first vector as the second tenant',
} as const;

/**
 * Names a mistake that no digest shows, from answers to one request: another key each time but for the same request id,
 * another key each time, or another key for the second tenant. Undefined where the answers agree.
 */
export function diagnosePairs(keys: readonly RecordedKey[]): Diagnosis | undefined {
  const named = (name: string): string | undefined => keyOf(keys.find((each) => each.name === name));
  const [again, pinned, pinnedAgain, tenant] = Object.values(pairNames).map(named);
  const pair = keys.find(({ name }) => name === pairNames.again);
  const first = keyOf(keys.find(({ part, request }) => part === 'golden' && request === pair?.request));
  if (first === undefined || again === undefined) return undefined;
  if (first !== again) {
    return catalogued(pinned !== undefined && pinned === pinnedAgain ? 'request-id-in-key' : 'salted');
  }
  return tenant !== undefined && tenant !== first ? catalogued('tenant-in-key') : undefined;
}
