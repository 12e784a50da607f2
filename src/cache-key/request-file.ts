import { type JsonNode, textOf, valueOf } from './json-node.ts';
import { parseJsonText } from './json-text.ts';

/** One request of a file: its own text, never written again, with what a vector file says about it. */
export interface NamedRequest {
  readonly name: string;
  readonly request: string;
  readonly canonical?: string;
  readonly cacheKey?: string;
}

/** What a file of requests holds, or why it holds none. */
export type RequestFile =
  | {
      readonly ok: true;
      readonly form: 'request' | 'ndjson' | 'vectors';
      readonly requests: readonly NamedRequest[];
    }
  | { readonly ok: false; readonly message: string };

/**
 * Reads one request, one request a line (NDJSON), or a vector file (`{vectors: [{name, request, canonical?, cacheKey?}]}`).
 * Every request is a slice of the given text, so `-0.0` and `1e-07` arrive as they were spelled. Requests themselves are
 * not checked here, only that they are JSON.
 */
export function readRequestFile(text: string): RequestFile {
  const source = text.startsWith('\ufeff') ? text.slice(1) : text;
  if (source.trim() === '') return { ok: false, message: 'the input is empty' };
  const whole = parseJsonText(source);
  if (whole.ok) return readWhole(source, whole.node);
  const lines = source.split(/\r?\n/);
  if (lines.filter((line) => line.trim() !== '').length < 2 || !parseJsonText(firstLine(lines)).ok) {
    return { ok: false, message: `not JSON: ${whole.message} (at offset ${whole.offset})` };
  }
  return readLines(lines);
}

function firstLine(lines: readonly string[]): string {
  return lines.find((line) => line.trim() !== '') ?? '';
}

function readLines(lines: readonly string[]): RequestFile {
  const requests: NamedRequest[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const parsed = parseJsonText(line);
    if (!parsed.ok) {
      return {
        ok: false,
        message: `line ${index + 1} is not JSON: ${parsed.message} (at column ${parsed.offset + 1})`,
      };
    }
    requests.push({ name: `line ${index + 1}`, request: line.trim() });
  }
  return { ok: true, form: 'ndjson', requests };
}

function readWhole(source: string, node: JsonNode): RequestFile {
  const vectors = valueOf(node, 'vectors');
  if (vectors?.kind !== 'array') {
    return { ok: true, form: 'request', requests: [{ name: 'request', request: source.slice(node.start, node.end) }] };
  }
  if (vectors.items.length === 0) return { ok: false, message: '"vectors" is empty' };
  const requests: NamedRequest[] = [];
  for (const [index, vector] of vectors.items.entries()) {
    const read = readVector(source, vector, `vector ${index + 1}`);
    if (read === undefined) return { ok: false, message: `vector ${index + 1} has no "request"` };
    requests.push(read);
  }
  return { ok: true, form: 'vectors', requests };
}

function readVector(source: string, vector: JsonNode, fallback: string): NamedRequest | undefined {
  const request = valueOf(vector, 'request');
  if (request === undefined) return undefined;
  const canonical = textOf(vector, 'canonical');
  const cacheKey = textOf(vector, 'cacheKey');
  return {
    name: textOf(vector, 'name') ?? fallback,
    request: source.slice(request.start, request.end),
    ...(canonical === undefined ? {} : { canonical }),
    ...(cacheKey === undefined ? {} : { cacheKey }),
  };
}
