import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseJson, readBody, unpack } from './body.ts';
import { readSpans } from './read-spans.ts';
import { TOO_LARGE, methodNotAllowed, refusal, send, type Reply } from './reply.ts';
import type { SpanStore } from './span-store.ts';

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
