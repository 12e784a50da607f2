import { boundedBytes } from '../bounded-body.ts';
import { parseJson } from '../json.ts';
import { invalid, refusal, type Answer } from '../types/answers.ts';

/** More than any honest request needs. */
const MAX_BODY_BYTES = 1_048_576;

export type BodyReading =
  | { readonly ok: true; readonly text: string; readonly value: unknown }
  | { readonly ok: false; readonly answer: Answer };

/** Reads a request's JSON body: 413 past the bound, 400 for bytes that are not UTF-8, not JSON or nested too deeply. */
export async function readBody(request: Request): Promise<BodyReading> {
  const bytes = await bytesOf(request);
  if (bytes === undefined) {
    return { ok: false, answer: refusal(413, 'payload_too_large', `A body may have ${MAX_BODY_BYTES} bytes.`) };
  }
  const text = decode(bytes);
  if (text === undefined) return { ok: false, answer: invalid('The body is not UTF-8.') };
  const reading = parseJson(text);
  return reading.ok ? { ok: true, text, value: reading.value } : { ok: false, answer: invalid(reading.why) };
}

/** The HTTP parser reads no more of a request than was announced, so that much can be read at once. */
async function bytesOf(request: Request): Promise<Uint8Array | undefined> {
  const announced = Number(request.headers.get('content-length') ?? Number.NaN);
  const isSmall = announced <= MAX_BODY_BYTES;
  return isSmall ? new Uint8Array(await request.arrayBuffer()) : boundedBytes(request, MAX_BODY_BYTES);
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
