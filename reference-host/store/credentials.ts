import type { KnownCredential } from '../credentials.ts';
import type { Tables } from './tables.ts';

/** The credentials that a data file was served with: a host that starts again takes those that were given out before. */
export interface CredentialStore {
  remember(credential: KnownCredential): void;
  all(): readonly KnownCredential[];
}

/** The credentials in a store's tables. */
export function createCredentialStore({ table }: Tables): CredentialStore {
  const credentials = table('credentials');
  return {
    remember({ keySha256, tenant, scopes }) {
      credentials.insert({ key_sha256: keySha256, tenant, scopes: JSON.stringify(scopes) }, 'replace');
    },
    all: () =>
      credentials.select({}).map((row) => ({
        keySha256: String(row['key_sha256']),
        tenant: String(row['tenant']),
        scopes: JSON.parse(String(row['scopes'])) as readonly string[],
      })),
  };
}
