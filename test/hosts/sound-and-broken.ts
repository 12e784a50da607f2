import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createReferenceHost, defaultCredentials, defaultParts, listen } from '../../reference-host/index.ts';
import { MUTANTS } from '../../reference-host/mutants/index.ts';
import { withTemporaryDirectory } from '../cli.ts';

/** Turns fork.created red. */
const DEFECT = 'fork-ok-not-created';
const ROWS = ['fork.created', 'fork.rejects-absent-sequence', 'discovery.shape'];
/** The options that select what the two hosts are judged by. */
export const SELECTED = ROWS.flatMap((row) => ['--requirement', row]);

/** Two hosts, one of which has a defect. */
export interface Hosts {
  readonly at: (name: string) => string;
  /** The options that reach the host with the defect, and the conformant one. */
  readonly broken: readonly string[];
  readonly sound: readonly string[];
}

/** Lends the two hosts, and a directory with the key of both. */
export async function withHosts(work: (hosts: Hosts) => Promise<void>): Promise<void> {
  const mutant = MUTANTS.find(({ id }) => id === DEFECT);
  const { apiKey, credentials } = defaultCredentials();
  const hosts = [mutant?.parts(defaultParts) ?? {}, {}].map((parts) =>
    createReferenceHost({ credentials, enableTestSeams: true, parts }),
  );
  const servers = await Promise.all(hosts.map((host) => listen(host)));
  try {
    await withTemporaryDirectory(async (directory) => {
      const at = (name: string): string => join(directory, name);
      writeFileSync(at('key'), apiKey);
      const [broken = [], sound = []] = servers.map(({ baseUrl }) => [
        '--base-url',
        baseUrl,
        '--api-key-file',
        at('key'),
      ]);
      await work({ at, broken, sound });
    });
  } finally {
    for (const server of servers) await server.close();
    for (const host of hosts) await host.close();
  }
}
