import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { sha256 } from '../certificate/envelope.ts';
import type { Certifier } from '../certificate/statement.ts';
import { packageFile, packageVersion } from '../contract/package-root.ts';
import { SUITES } from '../../scenarios/index.ts';

/** What this tool is: its version, the digest of its program as it was built, and that of its checks. */
export function certifier(): Certifier {
  const folder = packageFile('dist');
  const files = readdirSync(folder).filter((name) => name.endsWith('.js'));
  const program = files.toSorted().map((name) => `${name} ${sha256(readFileSync(`${folder}/${name}`))}`);
  const checks = SUITES.flatMap(({ scenarios }) => scenarios).flatMap((scenario) =>
    scenario.checks.map(({ id, requirement }) => `${scenario.suite} ${scenario.id} ${id} ${requirement}`),
  );
  return {
    name: 'openwop-conformance',
    version: packageVersion(),
    program: sha256(program.join('\n')),
    checks: sha256(checks.join('\n')),
  };
}

/** SHA-256 of a file, whatever its size. Rejects with the file system's error. */
export async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
