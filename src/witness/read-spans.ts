import type { Json } from '../evidence/types.ts';
import type { Span } from '../evidence/witness.ts';
import { items, own } from './body.ts';

/** The spans of an OTLP/HTTP JSON export, and how many could not be read. */
export interface SpanReading {
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
    attributes: Object.fromEntries(items(own(span, 'attributes')).flatMap(readAttribute)),
    links: items(own(span, 'links')).flatMap(readLink),
  };
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
