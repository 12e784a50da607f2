import { readFileSync } from 'node:fs';
import { type NamedRequest, readRequestFile } from '../../src/cache-key/index.ts';
import { packageFile } from '../../src/contract/package-root.ts';
import type { RecipeName } from '../../src/runner/scenario.ts';

/** RFC 0150 takes in some of this vector's extra fields, and under which names is not said. */
const onlyInFirstRecipe = new Set(['non-recipe-fields']);

/** The golden vectors' requests, each the exact text of the file. Throws when the package's own file is unreadable. */
export function goldenRequests(recipe: RecipeName): readonly NamedRequest[] {
  const file = readRequestFile(readFileSync(packageFile('fixtures', 'vectors', 'cache-key-golden.json'), 'utf8'));
  if (!file.ok) throw new Error(`fixtures/vectors/cache-key-golden.json: ${file.message}`);
  return file.requests.filter(({ name }) => recipe === 'rfc-0041' || !onlyInFirstRecipe.has(name));
}
