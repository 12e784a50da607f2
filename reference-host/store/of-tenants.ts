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

/** What a caller may not do twice: one key of one tenant at one endpoint. */
interface IdempotencyKey {
  readonly tenant: string;
  readonly endpoint: string;
  readonly key: string;
}

/** The first request's digest and the answer that every duplicate gets again. */
export interface StoredAnswer {
  readonly requestSha256: string;
  readonly status: number;
  readonly body: string;
}

export interface IdempotencyStore {
  get(key: IdempotencyKey): StoredAnswer | undefined;
  put(key: IdempotencyKey, answer: StoredAnswer): void;
}

/** Layer-1 idempotency records in a store's tables. `put` throws on a key that is already there. */
export function createIdempotencyStore({ table }: Tables): IdempotencyStore {
  const answers = table('idempotency');
  return {
    get({ tenant, endpoint, key }) {
      const row = answers.get({ tenant, endpoint, key });
      if (row === undefined) return undefined;
      return {
        requestSha256: String(row['request_sha256']),
        status: Number(row['status']),
        body: String(row['body']),
      };
    },
    put({ tenant, endpoint, key }, { requestSha256, status, body }) {
      answers.insert({ tenant, endpoint, key, request_sha256: requestSha256, status, body });
    },
  };
}

/** The definitions that tenants have added, as JSON text. */
export interface WorkflowStore {
  /** False where the tenant has one of this id. */
  add(tenant: string, workflowId: string, definition: string): boolean;
  get(tenant: string, workflowId: string): string | undefined;
  /** False where the tenant has none of this id. */
  remove(tenant: string, workflowId: string): boolean;
  count(tenant: string): number;
}

/** The tenants' definitions in a store's tables. */
export function createWorkflowStore({ table }: Tables): WorkflowStore {
  const workflows = table('workflows');
  return {
    add: (tenant, workflowId, definition) => workflows.insert({ tenant, workflow_id: workflowId, definition }, 'keep'),
    get(tenant, workflowId) {
      const row = workflows.get({ tenant, workflow_id: workflowId });
      return row === undefined ? undefined : String(row['definition']);
    },
    remove: (tenant, workflowId) => workflows.remove({ tenant, workflow_id: workflowId }) > 0,
    count: (tenant) => workflows.select({ tenant }).length,
  };
}
