import type { Requirement } from '../requirement.ts';
import { must, rowsOf } from './row.ts';

/** The rows of the register's group `cache-key-portable`, in its order. */
export const cacheKeyPortable: readonly Requirement[] = rowsOf('cache-key-portable', [
  must('cache-key.reproducible-offline', {
    clause: "the key equals SHA-256 over the JCS form of the recipe's object, computed from the request alone",
    source: 'replay §B, 0041 §E',
  }),
  must('cache-key.lowercase-hex', {
    clause: '64 lowercase hex characters',
    source: 'replay §B.4',
  }),
  must('cache-key.deterministic', {
    clause: 'the same request gives the same key, whenever and however often it is asked',
    source: '0041 §E',
  }),
  must('cache-key.excludes-non-recipe-fields', {
    clause: 'no field outside the closed set influences the key (each alone, and all together)',
    source: 'replay §A',
  }),
  must('cache-key.excludes-transport', {
    clause: 'headers, credentials, tenant and connection do not influence the key',
    source: 'replay §A, 0041 §E',
  }),
  must('cache-key.includes-recipe-fields', {
    clause: 'each recipe field influences the key',
    source: 'replay §A',
  }),
  must('cache-key.omits-absent', {
    clause: 'absent optionals are left out, never null or a default',
    source: 'replay §B.1',
  }),
  must('cache-key.sorts-tools', {
    clause: 'tools are ordered by name',
    source: 'replay §B.1',
  }),
  must('cache-key.canonical-tool-schema', {
    clause: 'key order inside a tool definition does not matter, at any depth; array order does',
    source: 'replay §B.1',
  }),
  must('cache-key.preserves-message-order', {
    clause: 'message order matters',
    source: 'replay §B.1',
  }),
  must('cache-key.preserves-content-shape', {
    clause: 'content is taken verbatim: string and blocks differ, blocks are not coalesced, text is not trimmed',
    source: 'replay §B.1',
  }),
  must('cache-key.model-verbatim', {
    clause: 'the model id is not normalised',
    source: 'replay §A',
  }),
  must('cache-key.jcs-numbers', {
    clause: 'numbers serialise as RFC 8785 says',
    source: 'replay §B.2',
  }),
  must('cache-key.jcs-strings', {
    clause: 'strings serialise as RFC 8785 says, without Unicode normalisation',
    source: 'replay §B.2',
  }),
  must('cache-key.jcs-key-order', {
    clause: 'object keys sort by UTF-16 code unit',
    source: 'replay §B.2',
  }),
  must('cache-key.rejects-non-json-values', {
    clause: 'input with no JCS form (lone surrogate, out-of-range number) gets no key',
    source: 'replay §B.2',
  }),
  must('cache-key.rejects-malformed', {
    clause: 'a request without provider, model or messages gets a 4xx and no key',
    source: 'replay §A',
  }),
  must('cache-key.cross-host-parity', {
    clause: 'two hosts that name the same recipe compute the same key',
    source: 'replay §D',
  }),
  must('cache-key.not-a-security-boundary', {
    clause: "two tenants get the same key, and neither is served the other's cached response",
    source: 'replay §C',
  }),
  must('cache-key.every-llm-node', {
    clause: 'every kind of LLM-calling node is served from the cache on replay, whatever its idempotency setting',
    source: 'replay Phase 4 §A.1',
  }),
  must('cache-key.nodes-use-it', {
    clause: "a node that calls a model keeps its answer under the recipe's key, and looks for it there",
    source: 'replay Phase 4 §A.1, 0041 §A',
  }),
]);
