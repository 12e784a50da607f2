import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isObject, stringMember } from './json.ts';

/**
 * Absolute path of a file or folder that ships at the package's root, such as `fixtures/workflows`. The compiled host
 * lies one folder deeper than its source, so the root is searched upwards. Throws when the package is incomplete.
 */
export function packageFile(relative: string): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const candidate = join(folder, relative);
    if (existsSync(join(folder, 'schemas')) && existsSync(candidate)) return candidate;
    const parent = dirname(folder);
    if (parent === folder) throw new Error(`the package has no ${relative}`);
    folder = parent;
  }
}

let version: string | undefined;

/** The version of the package that this host ships in. */
export function packageVersion(): string {
  return (version ??= readVersion());
}

function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));
  return (isObject(manifest) ? stringMember(manifest, 'version') : undefined) ?? '0.0.0';
}
