import { appendFileSync, closeSync, existsSync, openSync, readSync, statSync, truncateSync } from 'node:fs';
import type { AuditLine } from '../audit/line.ts';
import { UsageError } from '../contract/usage-error.ts';
import { messageOf } from './files.ts';
import { linesOf } from './lines-of.ts';
import { print } from './printer.ts';

/** Where an audit's lines go, and what stands there already. */
export interface AuditOutput {
  /** The lines of the audit that is gone on with. */
  readonly before: AsyncIterable<AuditLine>;
  /** Whether a run has a line already; known once `before` was read. */
  readonly isDone: (id: string) => boolean;
  readonly write: (line: string) => void;
}

/** Opens the file of `--output`, or of `--resume`, whose last line may be torn; standard output where neither is given. Throws UsageError. */
export function openAuditOutput({
  output,
  resume,
}: {
  readonly output?: string;
  readonly resume?: string;
}): AuditOutput {
  const done = new Set<string>();
  const path = resume ?? output;
  const isDone = (id: string): boolean => done.has(id);
  try {
    if (resume !== undefined && existsSync(resume)) cutTornLine(resume);
    else if (path !== undefined) closeSync(openSync(path, 'w'));
  } catch (error) {
    throw new UsageError(`${resume === undefined ? '--output' : '--resume'}: ${messageOf(error)}`, { cause: error });
  }
  const write = path === undefined ? print : (line: string): void => appendFileSync(path, line);
  return { before: linesBefore(resume, done), isDone, write };
}

async function* linesBefore(path: string | undefined, done: Set<string>): AsyncGenerator<AuditLine, void> {
  if (path === undefined) return;
  for await (const { text, number } of linesOf(path)) {
    const line = lineIn(text);
    if (line === undefined) throw new UsageError(`--resume: ${path}:${number}: no line of an audit`);
    done.add(line.id);
    yield line;
  }
}

function lineIn(text: string): AuditLine | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return undefined;
    const { id, verdict } = value as Readonly<Record<string, unknown>>;
    const isLine = typeof id === 'string' && (verdict === 'same' || verdict === 'diverged' || verdict === 'undecided');
    return isLine ? (value as AuditLine) : undefined;
  } catch {
    return undefined;
  }
}

const BLOCK = 65_536;
const LINE_END = 10;

/** What an interruption has left behind the last line end is no line. */
function cutTornLine(path: string): void {
  const { size } = statSync(path);
  const descriptor = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(BLOCK);
    for (let end = size; end > 0; end -= BLOCK) {
      const start = Math.max(0, end - BLOCK);
      const length = readSync(descriptor, buffer, 0, end - start, start);
      const at = buffer.subarray(0, length).lastIndexOf(LINE_END);
      if (at !== -1) {
        if (start + at + 1 < size) truncateSync(path, start + at + 1);
        return;
      }
    }
    truncateSync(path, 0);
  } finally {
    closeSync(descriptor);
  }
}
