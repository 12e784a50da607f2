import { randomUUID } from 'node:crypto';
import type { Defect, Defects } from '../mutant.ts';
import { OFFLINE, keying, sha256, withHeader } from '../shared/key-parts.ts';

/** A defect that lets a request header enter the key. */
function headerInKey(
  name: string,
  breaks: string,
  kills: readonly string[] = ['cache-key.excludes-transport'],
): Defect {
  return { breaks, kills, parts: withHeader(name) };
}

/** Keys that depend on how, when or by whom they are requested. */
export const defects: Defects = {
  'key-tenant-in-key': {
    breaks: 'The tenant enters the key.',
    kills: [...OFFLINE, 'cache-key.not-a-security-boundary.same-key'],
    parts: keying((key, { tenant }) => sha256(`${tenant}:${key}`)),
  },
  'key-request-id-in-key': headerInKey('x-request-id', 'The request id enters the key.'),
  'key-forwarded-for-in-key': headerInKey('x-forwarded-for', 'The address that a proxy names enters the key.'),
  'key-salted': {
    breaks: 'Each key is salted, so that the same request gets another one each time.',
    kills: ['cache-key.deterministic'],
    parts: keying((key) => sha256(key + randomUUID())),
  },
  'counter-in-key': {
    breaks: 'A counter of the host enters the key.',
    kills: ['cache-key.deterministic'],
    parts: (conformant) => {
      let calls = 0;
      return keying((key) => {
        calls += 1;
        return sha256(`${calls}:${key}`);
      })(conformant);
    },
  },
  'key-wrong-now-and-then': {
    breaks: 'Every 40th key that is requested is another one, whatever the request. Nodes of runs get the right ones.',
    kills: ['cache-key.deterministic'],
    alsoBreaks: {
      'cache-key.reproducible-offline.golden': 'some of the vectors get the wrong key',
      'cache-key.reproducible-offline.generated': 'some of the vectors get the wrong key',
    },
    parts: (conformant) => {
      let calls = 0;
      return keying((key, { headers }) => {
        if (!headers.has('authorization')) return key;
        calls += 1;
        return calls % 40 === 0 ? sha256(key) : key;
      })(conformant);
    },
  },
  'key-remembered-by-length': {
    breaks: 'The seam remembers keys by the length of their requests. Nodes of runs get the right ones.',
    kills: ['cache-key.reproducible-offline.alike'],
    parts: (conformant) => {
      const remembered = new Map<number, string>();
      return keying((key, { headers, request }) => {
        if (!headers.has('authorization')) return key;
        const { length } = JSON.stringify(request);
        const known = remembered.get(length) ?? key;
        remembered.set(length, known);
        return known;
      })(conformant);
    },
  },
  'clock-in-key': {
    breaks: 'The time of the request enters the key.',
    kills: ['cache-key.deterministic'],
    parts: keying((key) => sha256(`${performance.now()}:${key}`)),
  },
  'cookie-in-key': headerInKey('cookie', 'Cookies enter the key.'),
  'user-agent-in-key': headerInKey('user-agent', "The caller's user agent enters the key.", [
    ...OFFLINE,
    'cache-key.excludes-transport',
  ]),
  'traceparent-in-key': headerInKey('traceparent', 'The trace context enters the key.'),
  'credential-in-key': headerInKey('authorization', 'The credential enters the key.', [
    ...OFFLINE,
    'cache-key.not-a-security-boundary.same-key',
  ]),
  'connection-in-key': {
    breaks: 'The kind of the connection enters the key.',
    kills: ['cache-key.excludes-transport'],
    alsoBreaks: { 'cache-key.deterministic': 'the same request over two connections gets two keys' },
    parts: withHeader('connection'),
  },
  'tenant-header-in-key': headerInKey('x-tenant-id', 'A tenant header enters the key.'),
  'correlation-id-in-key': headerInKey('x-correlation-id', 'A correlation id enters the key.'),
  'idempotency-key-in-key': headerInKey('idempotency-key', 'The Idempotency-Key enters the key.'),
  'language-in-key': headerInKey('accept-language', "The caller's language enters the key."),
  'tracestate-in-key': headerInKey('tracestate', 'The trace state enters the key.'),
  'baggage-in-key': headerInKey('baggage', 'The baggage of a trace enters the key.'),
  'b3-trace-in-key': headerInKey('x-b3-traceid', 'The trace id of another propagation enters the key.'),
  'raw-body-hashed': {
    breaks: 'The body is hashed as it came.',
    kills: [
      ...OFFLINE,
      'cache-key.excludes-non-recipe-fields',
      'cache-key.canonical-tool-schema',
      'cache-key.jcs-key-order',
      'cache-key.jcs-numbers',
      'cache-key.sorts-tools',
    ],
    alsoBreaks: {
      'cache-key.jcs-strings': 'two spellings of one text are other bytes',
      'cache-key.rejects-non-json-values': 'what is no JSON is hashed as well',
    },
    parts: () => ({ cacheKey: ({ rawText }) => sha256(rawText) }),
  },
  'same-key-for-everything': {
    breaks: 'Every request gets the same key.',
    kills: [...OFFLINE, 'cache-key.includes-recipe-fields'],
    alsoBreaks: { 'cache-key.rejects-non-json-values': 'what is no JSON gets the key as well' },
    parts: () => ({ cacheKey: () => sha256('everything') }),
  },
  'changes-when-asked-again': {
    breaks: 'A request that is asked again gets another key.',
    kills: ['cache-key.deterministic'],
    alsoBreaks: {
      'cache-key.reproducible-offline.golden': 'a vector that is asked again gets another key',
      'cache-key.reproducible-offline.generated': 'a vector that is asked again gets another key',
    },
    parts: ({ cacheKey }) => {
      const asked = new Map<string, number>();
      return {
        cacheKey: (call, steps) => {
          const key = cacheKey(call, steps);
          const times = asked.get(key) ?? 0;
          asked.set(key, times + 1);
          return times === 0 ? key : sha256(`${key} ${times}`);
        },
      };
    },
  },
};
