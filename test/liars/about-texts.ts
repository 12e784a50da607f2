import { isObject, parseJson, stringMember } from '../../reference-host/json.ts';
import { defaultParts, type HostParts } from '../../reference-host/parts.ts';
import { rewritingText } from '../variants/wire.ts';
import type { Liar } from './liar.ts';

/** Texts that a careless reader stumbles over. */
const HOSTILE: readonly string[] = [
  '__proto__',
  'constructor',
  'toString',
  '',
  '..',
  'a/../../b',
  ' between spaces ',
  'line\nbreak\r\n\u0000\u001b[2J',
  '\u202eright to left\u2066',
  '%2e%2e%2f%00',
  'x'.repeat(1_000_000),
  '::error::owned',
  '"},{"a":"',
];

const RUN_ID = /run_[0-9A-HJKMNP-TV-Z]{26}/g;
const IN_PATH = /(?<=\/v1\/runs\/)run_[0-9A-HJKMNP-TV-Z]{26}/g;
const SEGMENT = /(?<=\/v1\/runs\/)[^/:?]+/;

/** Calls each run by another such text: the bare ones first, then numbered ones. Both regions know them. */
function hostileRunIds(): Partial<HostParts> {
  const onWire = new Map<string, string>();
  const inHost = new Map<string, string>();
  const nameOf = (id: string): string => {
    const known = onWire.get(id);
    if (known !== undefined) return known;
    const count = onWire.size;
    const text = HOSTILE[count % HOSTILE.length] ?? '';
    const name = count < HOSTILE.length ? text : `${text.slice(0, 900)}${count}`;
    onWire.set(id, name);
    inHost.set(name, id);
    return name;
  };
  const named = (text: string): string =>
    text
      .replaceAll(IN_PATH, (id) => encodeURIComponent(nameOf(id)))
      .replaceAll(RUN_ID, (id) => JSON.stringify(nameOf(id)).slice(1, -1));
  const meant = (body: unknown): unknown => {
    const runId = stringMember(body, 'runId');
    return isObject(body) && runId !== undefined ? { ...body, runId: inHost.get(runId) ?? runId } : body;
  };
  return {
    middleware: (next) => async (request) => {
      const url = request.url.replace(SEGMENT, (segment) => inHost.get(decodeURIComponent(segment)) ?? segment);
      const { method, headers, signal } = request;
      const text = method === 'GET' ? '' : await request.text();
      const reading = parseJson(text);
      const asked = reading.ok && text.includes('"runId"') ? JSON.stringify(meant(reading.value)) : text;
      const body = text === '' ? {} : { body: asked };
      return rewritingText(await next(new Request(url, { method, headers, signal, ...body })), named);
    },
    ledger: {
      ...defaultParts.ledger,
      idempotencyKey: (call, canonical) =>
        defaultParts.ledger.idempotencyKey({ ...call, runId: nameOf(call.runId) }, canonical),
      externalKey: (call) => defaultParts.ledger.externalKey({ ...call, runId: nameOf(call.runId) }),
    },
    llmCache: {
      ...defaultParts.llmCache,
      invocationId: (call) => defaultParts.llmCache.invocationId({ ...call, runId: nameOf(call.runId) }),
    },
  };
}

/** What needs a right key. */
const KEYS = [
  'cache-key.reproducible-offline',
  'cache-key.lowercase-hex',
  'cache-key.excludes',
  'cache-key.includes',
  'cache-key.omits',
  'cache-key.sorts',
  'cache-key.canonical',
  'cache-key.preserves',
  'cache-key.model',
  'cache-key.jcs',
  'cache-key.rejects',
  'cache-key.deterministic',
  'cache-key.cross-host-parity',
  'cache-key.every-llm-node',
  'cache-key.not-a-security-boundary.same-key',
];

/** One of the texts for each request. */
function hostileKey(request: unknown): string {
  const sum = Buffer.from(JSON.stringify(request)).reduce((total, byte) => total + byte, 0);
  return HOSTILE[sum % HOSTILE.length] ?? '';
}

export const LIARS_ABOUT_TEXTS: readonly Liar[] = [
  {
    id: 'one-hostile-key',
    lies: 'Every cache key is __proto__.',
    parts: { cacheKey: () => '__proto__' },
    fails: [
      'cache-key.reproducible-offline.golden',
      'cache-key.lowercase-hex',
      'cache-key.includes-recipe-fields',
      'cache-key.rejects-non-json-values',
    ],
    undecided: KEYS,
  },
  {
    id: 'hostile-keys',
    lies: 'Cache keys are texts that a careless reader stumbles over, the same whatever the order.',
    parts: { cacheKey: ({ request }) => hostileKey(request) },
    fails: [
      'cache-key.reproducible-offline.golden',
      'cache-key.lowercase-hex',
      'cache-key.preserves-message-order',
      'cache-key.rejects-non-json-values',
    ],
    undecided: KEYS,
  },
  {
    id: 'hostile-run-ids',
    lies: 'Runs are called by texts that a careless reader stumbles over, some of which cannot stand in a URL.',
    parts: hostileRunIds(),
    everywhere: true,
    fails: [],
    // The eventsUrl of a run whose id is `..` answers nobody.
    mayFail: ['fork.created'],
    undecided: [],
  },
];
