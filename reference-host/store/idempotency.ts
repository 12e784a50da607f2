import type { Tables } from './tables.ts';

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
