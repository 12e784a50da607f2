import { createHash, randomBytes } from 'node:crypto';

/** What a credential may be allowed to do, in the protocol's words. */
const SCOPES = ['manifest:read', 'runs:create', 'runs:read', 'runs:cancel', 'approvals:respond'] as const;
export type Scope = (typeof SCOPES)[number];

/** An API key, whose it is and what it may do. Scopes that this host does not know are allowed and useless. */
export interface Credential {
  readonly key: string;
  readonly tenant: string;
  readonly scopes: readonly string[];
}

export interface DefaultCredentials {
  readonly apiKey: string;
  readonly otherTenantApiKey: string;
  /** The first tenant's, for reading runs and nothing else. */
  readonly limitedApiKey: string;
  /** The first tenant's, for creating runs and nothing else. */
  readonly blindApiKey: string;
  readonly credentials: readonly Credential[];
}

/** Fresh random keys: one with every scope for each of two tenants, one that may only read and one that may only create. The tenants' names are stable, so that a data file outlives its keys. */
export function defaultCredentials(): DefaultCredentials {
  const apiKey = newKey();
  const otherTenantApiKey = newKey();
  const limitedApiKey = newKey();
  const blindApiKey = newKey();
  const credentials = [
    { key: apiKey, tenant: 'tenant-a', scopes: SCOPES },
    { key: otherTenantApiKey, tenant: 'tenant-b', scopes: SCOPES },
    { key: limitedApiKey, tenant: 'tenant-a', scopes: ['runs:read'] },
    { key: blindApiKey, tenant: 'tenant-a', scopes: ['runs:create'] },
  ];
  return { apiKey, otherTenantApiKey, limitedApiKey, blindApiKey, credentials };
}

/** A credential without its key: what a data file may hold. */
export interface KnownCredential extends Omit<Credential, 'key'> {
  /** In lowercase hexadecimal. */
  readonly keySha256: string;
}

/** The credential as a data file holds it. */
export function knownCredential({ key, tenant, scopes }: Credential): KnownCredential {
  return { keySha256: sha256(key), tenant, scopes };
}

/** Looks a presented key up by its digest, of which the time that it takes tells nothing. */
export function credentialFinder(
  credentials: readonly KnownCredential[],
): (key: string) => KnownCredential | undefined {
  const known = new Map(credentials.map((credential) => [credential.keySha256, credential]));
  return (key) => known.get(sha256(key));
}

function newKey(): string {
  return `owk_${randomBytes(24).toString('base64url')}`;
}

function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
