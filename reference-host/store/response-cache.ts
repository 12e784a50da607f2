import type { Row, Tables } from './tables.ts';

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
  /**
   * A response recorded for one run under this key; the same node's goes first where several nodes asked alike. An attempt
   * at a node is never given what another attempt at it was.
   */
  ofRun(
    invocation: Pick<Invocation, 'namespace' | 'runId' | 'nodeId' | 'attempt' | 'cacheKey'>,
  ): RecordedResponse | undefined;
  /** The recorded calls of a run. */
  invocations(namespace: string, runId: string): readonly LayerTwo[];
  /** Forgets the responses of a namespace that fit every given member; gives their number. */
  purge(namespace: string, which: Purge): number;
  /** What other runs of the namespace recorded under this key. */
  ofOtherRuns(invocation: Pick<Invocation, 'namespace' | 'runId' | 'cacheKey'>): readonly RecordedResponse[];
}

/** The response cache in a store's tables. */
export function createResponseCache({ table }: Tables): ResponseCache {
  const responses = table('llm_responses');
  return {
    record({ namespace, invocationId, runId, nodeId, cacheKey, attempt, providerKey }, { response, revision }) {
      const place = { namespace, invocation_id: invocationId, run_id: runId, node_id: nodeId, cache_key: cacheKey };
      const call = { attempt, provider_key: providerKey };
      responses.insert({ ...place, ...call, response, revision: revision ?? null }, 'keep');
    },
    byInvocation: (namespace, invocationId) => fromRow(responses.get({ namespace, invocation_id: invocationId })),
    ofRun({ namespace, cacheKey, runId, nodeId, attempt }) {
      const rows = responses.select({ namespace, cache_key: cacheKey, run_id: runId });
      const own = rows.filter((row) => row['node_id'] === nodeId);
      return fromRow(own.find((row) => row['attempt'] === attempt) ?? rows.find((row) => row['node_id'] !== nodeId));
    },
    invocations: (namespace, runId) => responses.select({ namespace, run_id: runId }).map(layerTwoOf),
    purge: (namespace, { runId, nodeId, cacheKey }) =>
      responses.remove({
        namespace,
        ...(runId === undefined ? {} : { run_id: runId }),
        ...(nodeId === undefined ? {} : { node_id: nodeId }),
        ...(cacheKey === undefined ? {} : { cache_key: cacheKey }),
      }),
    ofOtherRuns: ({ namespace, cacheKey, runId }) =>
      responses
        .select({ namespace, cache_key: cacheKey })
        .filter((row) => row['run_id'] !== runId)
        .flatMap((row) => fromRow(row) ?? []),
  };
}

function layerTwoOf(row: Row): LayerTwo {
  return {
    nodeId: String(row['node_id']),
    attempt: String(row['attempt']),
    providerKey: String(row['provider_key']),
    invocationId: String(row['invocation_id']),
  };
}

function fromRow(row: Row | undefined): RecordedResponse | undefined {
  if (row === undefined) return undefined;
  return {
    response: String(row['response']),
    revision: row['revision'] === null ? undefined : String(row['revision']),
  };
}
