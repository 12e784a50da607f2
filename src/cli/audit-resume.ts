import { closeSync, openSync, readSync, statSync, truncateSync } from 'node:fs';
import { type AuditHead, headIn, otherAudit } from '../audit/head.ts';
import type { AuditLine } from '../audit/line.ts';
import { UsageError } from '../contract/usage-error.ts';
import { openWholeFile } from '../evidence/whole-file.ts';
import { messageOf } from './files.ts';
import { linesOf } from './lines-of.ts';

/** What stands in the file of an audit that is gone on with. */
export interface Before {
  /** The audit's id; undefined where nothing stands there. */
  readonly id: string | undefined;
  /** The runs that have a line; those that are asked for again, because the host could not be reached, are none. */
  readonly done: ReadonlySet<string>;
  readonly again: ReadonlySet<string>;
  /** Cuts a torn last line, and takes out the lines of runs that are asked for again. Touches nothing before. */
  readonly tidy: () => Promise<void>;
}

/**
 * Reads the lines of an audit that was interrupted, and touches nothing. Throws UsageError for what is no output of an audit, in whole lines or in a torn
 * last one, and for one that was asked for something else.
 */
export async function readBefore(path: string, now: AuditHead, take: (line: AuditLine) => void): Promise<Before> {
  const [done, again] = [new Set<string>(), new Set<string>()];
  const refused = (problem: string): UsageError => new UsageError(`--resume: ${path}${problem}`);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return { id: undefined, done, again, tidy: () => Promise.resolve() };
  if (!found.isFile()) throw refused(' is no regular file');
  const { end, torn } = endOf(path, found.size);
  let id: string | undefined;
  for await (const { text, number } of linesOf(path, end)) {
    const value = valueIn(text);
    const head = id === undefined ? headIn(value) : undefined;
    if (head !== undefined) {
      id = String(head['id']);
      const other = otherAudit(head, now);
      if (other !== undefined) throw refused(` is of another audit: ${other}`);
      continue;
    }
    const line = lineIn(value);
    if (line === undefined) throw refused(`:${number}: no line of an audit`);
    if (id === undefined) throw refused(`:${number}: the first line does not say of which audit it is`);
    if (done.has(line.id) || again.has(line.id))
      throw refused(`:${number}: a second line of ${JSON.stringify(line.id)}`);
    (line.again === true ? again : done).add(line.id);
    if (line.again !== true) take(line);
  }
  if (!isTornLine(torn)) throw refused(': the last line has no end, and does not begin as a line of an audit does');
  const tidy = async (): Promise<void> => {
    if (torn !== '') truncateSync(path, end);
    if (again.size > 0) await leaveOut(path, again);
  };
  return { id, done, again, tidy };
}

async function leaveOut(path: string, ids: ReadonlySet<string>): Promise<void> {
  const file = openWholeFile(path);
  try {
    for await (const { text } of linesOf(path)) {
      const line = lineIn(valueIn(text));
      if (line === undefined || !ids.has(line.id)) file.write(`${text}\n`);
    }
    file.keep();
  } catch (error) {
    file.drop();
    throw new UsageError(`--resume: ${messageOf(error)}`, { cause: error });
  }
}

function valueIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function lineIn(value: unknown): AuditLine | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { id, verdict } = value as Readonly<Record<string, unknown>>;
  const isLine = typeof id === 'string' && (verdict === 'same' || verdict === 'diverged' || verdict === 'undecided');
  return isLine ? (value as AuditLine) : undefined;
}

/** How lines of an audit begin, and what stands behind the id of one. */
const BEGINNINGS = ['{"audit":{"id":"', '{"id":"'];
const BEHIND_ID = '","verdict":"';

/** Whether a text may be what an interruption has left of a line. */
function isTornLine(text: string): boolean {
  if (!BEGINNINGS.some((beginning) => beginning.startsWith(text) || text.startsWith(beginning))) return false;
  const rest = /^\{"id":"(?:[^"\\]|\\.)*(?<rest>".*)$/su.exec(text)?.groups?.['rest'] ?? '';
  return BEHIND_ID.startsWith(rest) || rest.startsWith(BEHIND_ID);
}

const BLOCK = 65_536;
const LINE_END = 10;

/** Where a file's last whole line ends, and what stands behind it, at least the beginning of that. */
function endOf(path: string, size: number): { readonly end: number; readonly torn: string } {
  const descriptor = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(BLOCK);
    const read = (from: number, to: number): Buffer =>
      buffer.subarray(0, readSync(descriptor, buffer, 0, Math.min(BLOCK, to - from), from));
    let end = 0;
    for (let to = size; to > 0 && end === 0; to -= BLOCK) {
      const from = Math.max(0, to - BLOCK);
      const at = read(from, to).lastIndexOf(LINE_END);
      if (at !== -1) end = from + at + 1;
    }
    return { end, torn: read(end, size).toString('latin1') };
  } finally {
    closeSync(descriptor);
  }
}
