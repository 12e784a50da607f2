import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

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
