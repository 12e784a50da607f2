import { closeSync, createReadStream, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import * as zlib from 'node:zlib';
import { type DiffResult, diffLogs, type LogBatch, readLog, type VolatilePlaces } from '../event-log/index.ts';
import { judgeLogs, workflowIn } from './judge-logs.ts';
import type { AuditLine } from './line.ts';

/** A source's log and a replay's, as files. */
export interface RecordedPair {
  readonly id: string;
  readonly source: string;
  readonly replay: string;
}

const ENDING = /\.(?:ndjson|json)(?:\.(?:gz|zst))?$/u;
const HALF = /^(?<name>.+)\.(?<side>source|replay)\.(?:ndjson|json)(?:\.(?:gz|zst))?$/u;

/**
 * The pairs in a folder, in the order of their names: `NAME.source.ndjson` beside `NAME.replay.ndjson`, or a folder `NAME` that holds `source.ndjson` and
 * `replay.ndjson`; each `.json` or `.ndjson`, and `.gz` or `.zst`. Throws an Error that names what stands alone.
 */
export function pairsInFolder(folder: string): readonly RecordedPair[] {
  const halves = new Map<string, { source?: string; replay?: string }>();
  const add = (id: string, side: string, path: string): void => {
    const pair = halves.get(id) ?? {};
    if (side === 'source') pair.source = path;
    else pair.replay = path;
    halves.set(id, pair);
  };
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const { name = '', side = '' } = HALF.exec(entry.name)?.groups ?? {};
    if (side !== '') add(name, side, join(folder, entry.name));
    if (!entry.isDirectory()) continue;
    for (const inner of readdirSync(join(folder, entry.name))) {
      const half = inner.replace(ENDING, '');
      if (inner !== half && (half === 'source' || half === 'replay'))
        add(entry.name, half, join(folder, entry.name, inner));
    }
  }
  return [...halves]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, { source, replay }]) => {
      if (source === undefined) throw new Error(`${folder}: ${id} has a replay and no source`);
      if (replay === undefined) throw new Error(`${folder}: ${id} has a source and no replay`);
      return { id, source, replay };
    });
}

/** A pair that a line of a file lists, a JSON object `{id, source, replay}`, paths from the file's own folder. Throws an Error that names the line. */
export function pairIn(
  { text, number }: { readonly text: string; readonly number: number },
  file: string,
): RecordedPair {
  const wrong = (problem: string): Error => new Error(`${file}:${number}: ${problem}`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw wrong('no JSON');
  }
  const of = (name: string): string => {
    const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
    if (typeof found !== 'string' || found === '') throw wrong(`${name} is no text`);
    return found;
  };
  const place = (name: string): string => resolve(dirname(file), of(name));
  return { id: of('id'), source: place('source'), replay: place('replay') };
}

/** Compares the logs of a pair, whatever is wrong with them: what cannot be read is undecided. */
export async function auditPair({ id, source, replay }: RecordedPair, volatile: VolatilePlaces): Promise<AuditLine> {
  let workflowId: string | null = null;
  const inSource = logIn(source, (first) => {
    workflowId = workflowIn(first);
  });
  const inReplay = logIn(replay);
  let result: DiffResult;
  try {
    result = await diffLogs(inSource, inReplay, volatile);
  } finally {
    // One that is not read to its end is open still.
    await inSource.return();
    await inReplay.return();
  }
  return judgeLogs(id, workflowId, result);
}

/** Bytes that a log may unpack to. */
const MOST_BYTES = 4 * 1024 * 1024 * 1024;

async function* logIn(
  path: string,
  onFirst?: (event: { readonly payload: unknown }) => void,
): AsyncGenerator<LogBatch, void> {
  try {
    let isFirst = true;
    for await (const batch of readLog(bytesOf(path))) {
      const [first] = batch.ok ? batch.events : [];
      if (isFirst && first !== undefined) {
        isFirst = false;
        onFirst?.(first);
      }
      yield batch;
    }
  } catch (error) {
    yield { ok: false, at: 'reading', message: error instanceof Error ? error.message : String(error) };
  }
}

/** The bytes of a log: as many as a regular file has, no more than MOST_BYTES of anything else. */
function bytesOf(path: string): AsyncIterable<Uint8Array> {
  const isPacked = path.endsWith('.gz') || path.endsWith('.zst');
  // What is no regular file may keep whoever reads it waiting.
  return !isPacked && statSync(path).isFile() ? piecesOf(path) : bounded(unpacked(path));
}

function unpacked(path: string): AsyncIterable<Uint8Array> {
  const file = createReadStream(path, { highWaterMark: CHUNK_BYTES });
  if (path.endsWith('.gz')) return through(file, zlib.createGunzip());
  if (!path.endsWith('.zst')) return file;
  const { createZstdDecompress } = zlib as { readonly createZstdDecompress?: () => zlib.Gunzip };
  if (createZstdDecompress === undefined) throw new Error('zstd needs Node.js 22.15 or later');
  return through(file, createZstdDecompress());
}

const CHUNK_BYTES = 98_304;

/** Buffers that nobody reads into now: a pair takes two. */
const free: Buffer[] = [];

/**
 * The bytes of a regular file, read in this thread: most logs are one piece, and a stream's way through the pool of threads costs more than the whole
 * comparison. A piece counts until the next is asked for.
 */
// oxlint-disable-next-line typescript/require-await
async function* piecesOf(path: string): AsyncGenerator<Uint8Array, void> {
  const descriptor = openSync(path, 'r');
  const buffer = free.pop() ?? Buffer.allocUnsafeSlow(CHUNK_BYTES);
  try {
    for (let length = readSync(descriptor, buffer); length > 0; length = readSync(descriptor, buffer)) {
      yield buffer.subarray(0, length);
    }
  } finally {
    free.push(buffer);
    closeSync(descriptor);
  }
}

function through(file: Readable, unpacker: zlib.Gunzip): Readable {
  file.on('error', (error) => unpacker.destroy(error));
  unpacker.on('close', () => file.destroy());
  return file.pipe(unpacker);
}

async function* bounded(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let left = MOST_BYTES;
  for await (const piece of pieces) {
    left -= piece.byteLength;
    if (left < 0) throw new Error(`longer than ${MOST_BYTES} bytes`);
    yield piece;
  }
}
