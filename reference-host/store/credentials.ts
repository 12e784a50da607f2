import type { KnownCredential } from '../credentials.ts';
import type { Database } from './sqlite.ts';

/** The credentials that a data file was served with: a host that starts again takes those that were given out before. */
export interface CredentialStore {
  remember(credential: KnownCredential): void;
  all(): readonly KnownCredential[];
}

/** The credentials on a database. */
export function createCredentialStore(database: Database): CredentialStore {
  const insert = database.prepare('INSERT OR REPLACE INTO credentials (key_sha256, tenant, scopes) VALUES (?, ?, ?)');
  const select = database.prepare('SELECT * FROM credentials');
  return {
    remember({ keySha256, tenant, scopes }) {
      insert.run(keySha256, tenant, JSON.stringify(scopes));
    },
    all: () =>
      select.all().map((row) => ({
        keySha256: String(row['key_sha256']),
        tenant: String(row['tenant']),
        scopes: JSON.parse(String(row['scopes'])) as readonly string[],
      })),
  };
}
