import { catalogue } from '../../src/cache-key/index.ts';
import type { Diagnosis } from '../../src/contract/verdict.ts';
import { causes } from '../shared/causes.ts';

/** The causes that the judges of this suite name beside the wrong rules of the catalogue. */
export const { diagnoses, wrong } = causes(
  [
    [
      'unexplained',
      'no rule of the catalogue explains the keys',
      ['cache-key.reproducible-offline', 'cache-key.cross-host-parity', 'cache-key.includes-recipe-fields'],
    ],
    [
      'keys-shared',
      'requests that differ get one key: look at what of a request the results are remembered by',
      ['cache-key.reproducible-offline', 'cache-key.includes-recipe-fields'],
    ],
    ['refused', 'a valid request gets no key', ['cache-key.reproducible-offline']],
    [
      'response-of-another-tenant',
      'a run was served the response that was recorded for another tenant',
      ['cache-key.not-a-security-boundary'],
    ],
    [
      'node-key',
      "nodes keep what a model answered under another key than the recipe's: look at what calls the recipe for them, and whether llm-cache/purge forgets by cacheKey",
      ['cache-key.nodes-use-it'],
    ],
    ['call-lost', 'what a model answered is recorded without the tools that it called', ['cache-key.every-llm-node']],
  ],
  [
    ['hosts-differ', 'two hosts that name one recipe give one request different keys', ['cache-key.cross-host-parity']],
    [
      'field-in-key',
      'the key changes with what is no part of the recipe',
      ['cache-key.excludes-non-recipe-fields', 'cache-key.excludes-transport'],
    ],
    ['field-not-in-key', 'the key does not change with a field of the recipe', ['cache-key.includes-recipe-fields']],
    ['no-hexadecimal', 'a key is not 64 characters of 0-9 and a-f', ['cache-key.lowercase-hex']],
    [
      'not-refused',
      'a request that has no key is not refused with a 4xx, or gets one',
      ['cache-key.rejects-malformed', 'cache-key.rejects-non-json-values'],
    ],
  ],
);

/** A mistake of the catalogue, as a judgement carries it. */
export function catalogued(code: string): Diagnosis {
  return { code, message: catalogue.find((each) => each.code === code)?.message ?? code };
}
