import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Json } from '../evidence/types.ts';
import type { Span, Witness } from '../evidence/witness.ts';
import {
  items,
  methodNotAllowed,
  own,
  parseJson,
  readBody,
  refusal,
  type Reply,
  send,
  TOO_LARGE,
  unpack,
} from './reply.ts';
import { createWaiters } from './waiters.ts';

/** Spans, and bytes of the exports they came in, that are kept; the oldest go first. */
const KEPT_SPANS = 10_000;
const KEPT_SPAN_BYTES = 32 * 1024 * 1024;

/** The spans that came, and those who wait for one. */
export interface SpanStore extends Pick<Witness, 'span' | 'spanProblem'> {
  /** Adds the spans of one export of so many bytes. */
  add(spans: readonly Span[], bytes: number): void;
  /** Remembers why spans could not be read. */
  problem(text: string): void;
  /** Tells all who wait that nothing comes any more. */
  close(): void;
}

/** Makes an empty store. */
export function createSpanStore(): SpanStore {
  const exports: { readonly spans: readonly Span[]; readonly bytes: number }[] = [];
  const waiters = createWaiters<readonly Span[]>();
  let [spanCount, byteCount] = [0, 0];
  let problem: string | undefined;
  let closed = false;
  const keep = (spans: readonly Span[], bytes: number): void => {
    exports.push({ spans, bytes });
    spanCount += spans.length;
    byteCount += bytes;
    while (exports.length > 1 && (spanCount > KEPT_SPANS || byteCount > KEPT_SPAN_BYTES)) {
      const oldest = exports.shift();
      spanCount -= oldest?.spans.length ?? 0;
      byteCount -= oldest?.bytes ?? 0;
    }
  };
  return {
    add(spans, bytes) {
      if (spans.length === 0) return;
      keep(spans, bytes);
      waiters.tell(spans);
    },
    problem(text) {
      problem = text;
    },
    spanProblem: () => problem,
    async span(fits, waiting) {
      const found = exports.flatMap(({ spans }) => spans).find(fits);
      return found !== undefined || closed ? found : waiters.wait((spans) => spans.find(fits), waiting);
    },
    close() {
      closed = true;
      waiters.release();
    },
  };
}

/** Bytes of one export, on the wire and unpacked: exporters send some hundred spans at once. */
const EXPORT_BYTES = 4 * 1024 * 1024;
const UNPACKED_BYTES = 8 * 1024 * 1024;

/** Answers `POST /v1/traces`, an OTLP/HTTP JSON export; what cannot be read is remembered as the store's problem. */
export async function answerTraces(
  store: SpanStore,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'POST') return send(response, methodNotAllowed(['POST']));
  const problem = (reply: Reply, text: string): void => {
    store.problem(text);
    send(response, reply);
  };
  const strange = strangeForm(request);
  if (strange !== undefined) return problem(refusal(415, 'unsupported', strange), strange);
  const reading = await readBody(request, EXPORT_BYTES);
  if (reading.kind === 'broken-off') return;
  if (reading.kind === 'too-large') return problem(TOO_LARGE, `an export of more than ${EXPORT_BYTES} bytes came`);
  const isPacked = encodingOf(request) === 'gzip';
  const body = isPacked ? await unpack(reading.bytes, UNPACKED_BYTES) : reading.bytes;
  const read = body === undefined ? undefined : readSpans(parseJson(body));
  if (body === undefined || read === undefined) {
    const text = 'an export came that is no OTLP JSON with resourceSpans';
    return problem(refusal(400, 'malformed', text), text);
  }
  if (read.unreadable > 0) store.problem(`${read.unreadable} spans came without a name, traceId or spanId`);
  store.add(read.spans, body.byteLength);
  send(response, { status: 200, body: { partialSuccess: {} } });
}

function encodingOf(request: IncomingMessage): string {
  return (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
}

/** Why the form of an export is not understood. */
function strangeForm(request: IncomingMessage): string | undefined {
  const type = (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type !== 'application/json') {
    const shown = JSON.stringify(type.slice(0, 80));
    return `an export came as ${shown}: set OTEL_EXPORTER_OTLP_PROTOCOL=http/json`;
  }
  const encoding = encodingOf(request);
  if (encoding === 'identity' || encoding === 'gzip') return undefined;
  return `an export came packed as ${JSON.stringify(encoding.slice(0, 80))}: gzip or nothing is understood`;
}

/** The spans of an OTLP/HTTP JSON export, and how many could not be read. */
interface SpanReading {
  readonly spans: readonly Span[];
  readonly unreadable: number;
}

/** Reads resourceSpans[].scopeSpans[].spans[]; undefined where the document is no trace export at all. */
export function readSpans(document: Json | undefined): SpanReading | undefined {
  const resourceSpans = own(document, 'resourceSpans');
  if (!Array.isArray(resourceSpans)) return undefined;
  const read = items(resourceSpans)
    .flatMap((resource) => items(own(resource, 'scopeSpans')))
    .flatMap((scope) => items(own(scope, 'spans')))
    .map(readSpan);
  const spans = read.filter((span) => span !== undefined);
  return { spans, unreadable: read.length - spans.length };
}

function readSpan(span: Json): Span | undefined {
  const [name, traceId, spanId] = [own(span, 'name'), readId(own(span, 'traceId')), readId(own(span, 'spanId'))];
  if (typeof name !== 'string' || traceId === null || spanId === null) return undefined;
  return {
    name,
    traceId,
    spanId,
    parentSpanId: readId(own(span, 'parentSpanId')),
    attributes: readAttributes(span),
    links: items(own(span, 'links')).flatMap(readLink),
    text: JSON.stringify(span),
  };
}

function readAttributes(of: Json): Span['attributes'] {
  return Object.fromEntries(items(own(of, 'attributes')).flatMap(readAttribute));
}

/** An id in lower case, as hexadecimal may be written in either; null where there is none. */
function readId(id: Json | undefined): string | null {
  if (typeof id !== 'string' || id === '') return null;
  return /^[\dA-Fa-f]+$/u.test(id) ? id.toLowerCase() : id;
}

function readLink(link: Json): readonly { readonly traceId: string; readonly spanId: string }[] {
  const [traceId, spanId] = [readId(own(link, 'traceId')), readId(own(link, 'spanId'))];
  return traceId === null || spanId === null ? [] : [{ traceId, spanId }];
}

function readAttribute(attribute: Json): readonly (readonly [string, Json])[] {
  const key = own(attribute, 'key');
  return typeof key === 'string' ? [[key, readValue(own(attribute, 'value'))]] : [];
}

/** A typed value as plain JSON; a 64-bit integer that a number cannot hold stays a string. */
function readValue(value: Json | undefined): Json {
  const integer = own(value, 'intValue');
  if (typeof integer === 'string') {
    const number = /^-?\d+$/u.test(integer) ? Number(integer) : Number.NaN;
    return Number.isSafeInteger(number) ? number : integer;
  }
  const list = own(own(value, 'arrayValue'), 'values');
  if (Array.isArray(list)) return items(list).map(readValue);
  const members = own(own(value, 'kvlistValue'), 'values');
  if (Array.isArray(members)) return Object.fromEntries(items(members).flatMap(readAttribute));
  const plain = ['stringValue', 'boolValue', 'doubleValue', 'bytesValue'].map((kind) => own(value, kind));
  return integer ?? plain.find((found) => found !== undefined) ?? null;
}
