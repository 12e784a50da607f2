import type { Database, SqlRow } from './sqlite.ts';

/** A provider's answer as it is kept for replay. */
export interface RecordedResponse {
  /** The response in JSON. */
  readonly response: string;
  /** Which staging of the provider gave it; undefined for an unstaged provider. */
  readonly revision: string | undefined;
}

/** One provider call: where it was made and for which request. */
interface Invocation {
  readonly namespace: string;
  readonly invocationId: string;
  readonly runId: string;
  readonly nodeId: string;
  readonly cacheKey: string;
  readonly attempt: string;
  readonly providerKey: string;
}

/** A provider call as the Layer-2 store names it (replay.md, LLM cache-key recipe §C). */
type LayerTwo = Pick<Invocation, 'nodeId' | 'attempt' | 'providerKey' | 'invocationId'>;

/** Which responses to forget: an absent member fits every response. */
export interface Purge {
  readonly runId?: string;
  readonly nodeId?: string;
  readonly cacheKey?: string;
}

/**
 * The Layer-2 store of provider responses. Every look-up names a namespace: the cache key is no security boundary, two
 * tenants compute the same one (replay.md, LLM cache-key recipe §C).
 */
export interface ResponseCache {
  record(invocation: Invocation, recorded: RecordedResponse): void;
  byInvocation(namespace: string, invocationId: string): RecordedResponse | undefined;
  /** A response recorded for one run under this key; the same node's goes first where several nodes asked alike. */
  ofRun(invocation: Pick<Invocation, 'namespace' | 'runId' | 'nodeId' | 'cacheKey'>): RecordedResponse | undefined;
  /** The recorded calls of a run. */
  invocations(namespace: string, runId: string): readonly LayerTwo[];
  /** Forgets the responses of a namespace that fit every given member; gives their number. */
  purge(namespace: string, which: Purge): number;
  /** A response that any run of the namespace recorded under this key. */
  ofAnyRun(namespace: string, cacheKey: string): RecordedResponse | undefined;
}

/** The response cache on a database. */
export function createResponseCache(database: Database): ResponseCache {
  const insert = database.prepare(
    `INSERT INTO llm_responses (namespace, invocation_id, run_id, node_id, cache_key, attempt, provider_key, response, revision)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  );
  const byInvocation = database.prepare('SELECT * FROM llm_responses WHERE namespace = ? AND invocation_id = ?');
  const ofRun = database.prepare(
    'SELECT * FROM llm_responses WHERE namespace = ? AND cache_key = ? AND run_id = ? ORDER BY node_id <> ? LIMIT 1',
  );
  const invocations = database.prepare('SELECT * FROM llm_responses WHERE namespace = ? AND run_id = ?');
  const ofAnyRun = database.prepare('SELECT * FROM llm_responses WHERE namespace = ? AND cache_key = ? LIMIT 1');
  const chosen =
    'namespace = ?1 AND (?2 IS NULL OR run_id = ?2) AND (?3 IS NULL OR node_id = ?3) AND (?4 IS NULL OR cache_key = ?4)';
  const count = database.prepare(`SELECT count(*) AS n FROM llm_responses WHERE ${chosen}`);
  const remove = database.prepare(`DELETE FROM llm_responses WHERE ${chosen}`);
  return {
    record(invocation, { response, revision }) {
      const { namespace, invocationId, runId, nodeId, cacheKey, attempt, providerKey } = invocation;
      const place = [namespace, invocationId, runId, nodeId, cacheKey, attempt, providerKey] as const;
      insert.run(...place, response, revision ?? null);
    },
    byInvocation: (namespace, invocationId) => fromRow(byInvocation.get(namespace, invocationId)),
    ofRun: ({ namespace, cacheKey, runId, nodeId }) => fromRow(ofRun.get(namespace, cacheKey, runId, nodeId)),
    invocations: (namespace, runId) => invocations.all(namespace, runId).map(layerTwoOf),
    purge(namespace, { runId, nodeId, cacheKey }) {
      const values = [namespace, runId ?? null, nodeId ?? null, cacheKey ?? null] as const;
      const purged = Number(count.get(...values)?.['n']);
      remove.run(...values);
      return purged;
    },
    ofAnyRun: (namespace, cacheKey) => fromRow(ofAnyRun.get(namespace, cacheKey)),
  };
}

function layerTwoOf(row: SqlRow): LayerTwo {
  return {
    nodeId: String(row['node_id']),
    attempt: String(row['attempt']),
    providerKey: String(row['provider_key']),
    invocationId: String(row['invocation_id']),
  };
}

function fromRow(row: SqlRow | undefined): RecordedResponse | undefined {
  if (row === undefined) return undefined;
  return {
    response: String(row['response']),
    revision: row['revision'] === null ? undefined : String(row['revision']),
  };
}
