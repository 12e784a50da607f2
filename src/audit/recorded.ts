import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import * as zlib from 'node:zlib';
import { type DiffResult, diffLogs, type LogBatch, readLog, type VolatilePlaces } from '../event-log/index.ts';
import { judgeLogs, undecided, workflowIn } from './judge-logs.ts';
import type { AuditLine } from './line.ts';
import type { RecordedPair } from './pairs.ts';

/** Compares the logs of a pair, whatever is wrong with them: what cannot be read is undecided. */
export async function auditPair(pair: RecordedPair, volatile: VolatilePlaces): Promise<AuditLine> {
  const { id } = pair;
  if ('problem' in pair) return undecided(id, null, pair.problem);
  const { source, replay } = pair;
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
  const line = judgeLogs(id, workflowId, result);
  // Logs that name runs tell these apart.
  const isUnnamed = result.ok && result.diff.determinism.sourceRunId === null;
  const isOne = isUnnamed && line.verdict === 'same' && isOneFile(source, replay);
  return isOne ? undecided(id, workflowId, 'source and replay are one file') : line;
}

function isOneFile(source: string, replay: string): boolean {
  const [a, b] = [source, replay].map((path) => statSync(path, { bigint: true, throwIfNoEntry: false }));
  return a !== undefined && a.dev === b?.dev && a.ino === b.ino;
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

/** The bytes of a log: as many as its file has, no more than MOST_BYTES of one that was packed. */
function bytesOf(path: string): AsyncIterable<Uint8Array> {
  // A pipe keeps whoever reads it waiting.
  const found = statSync(path);
  if (!found.isFile()) throw new Error(`${path} is no regular file`);
  return path.endsWith('.gz') || path.endsWith('.zst') ? bounded(unpacked(path)) : piecesOf(path, found.size);
}

function unpacked(path: string): AsyncIterable<Uint8Array> {
  const file = createReadStream(path, { highWaterMark: CHUNK_BYTES });
  if (path.endsWith('.gz')) return through(file, zlib.createGunzip());
  const { createZstdDecompress } = zlib as { readonly createZstdDecompress?: () => zlib.Gunzip };
  if (createZstdDecompress === undefined) throw new Error('zstd needs Node.js 22.15 or later');
  return through(file, createZstdDecompress());
}

const CHUNK_BYTES = 98_304;

/** Buffers that are not in use: a pair takes two. */
const free: Buffer[] = [];

/**
 * The bytes of a regular file, read synchronously: most logs are one piece, and a stream through the thread pool would take longer than the
 * comparison. A piece is valid until the next one is requested. Reading stops after `size` bytes, since one more read costs as much as a piece.
 */
// oxlint-disable-next-line typescript/require-await
async function* piecesOf(path: string, size: number): AsyncGenerator<Uint8Array, void> {
  const descriptor = openSync(path, 'r');
  const buffer = free.pop() ?? Buffer.allocUnsafeSlow(CHUNK_BYTES);
  try {
    let total = 0;
    do {
      const length = readSync(descriptor, buffer);
      if (length === 0) return;
      total += length;
      yield buffer.subarray(0, length);
    } while (total !== size);
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
