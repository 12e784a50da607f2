import { statSync } from 'node:fs';
import { isInShard, sample, type Shard } from '../../audit/choose.ts';
import { inOrder } from '../../audit/in-order.ts';
import { type AuditLine, auditExit, type AuditTotals, createTotals } from '../../audit/line.ts';
import { pairIn, pairsInFolder, type RecordedPair } from '../../audit/pairs.ts';
import { openAuditThreads } from '../../audit/threads.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { writeWhole } from '../../evidence/whole-file.ts';
import { readVolatile } from '../../event-log/index.ts';
import { interruptedBy } from '../../runner/interrupted.ts';
import { escapeJson, escapeTerminal } from '../../report/escape.ts';
import { openAuditOutput } from '../audit-output.ts';
import { checkFiles, messageOf } from '../files.ts';
import { INTERRUPT_CODES, watchForInterrupt } from '../interruption.ts';
import { linesOf } from '../lines-of.ts';
import { printError } from '../printer.ts';
import type { RunFlags } from '../options.ts';

/** The options of `audit`. */
export interface AuditFlags extends Pick<RunFlags, 'baseUrl' | 'apiKey' | 'apiKeyEnv' | 'apiKeyFile'> {
  readonly pairs?: string;
  readonly runs?: string;
  readonly output?: string;
  readonly resume?: string;
  readonly html?: string;
  readonly shard?: Shard;
  readonly sample?: number;
  readonly seed: number;
  readonly volatile?: readonly string[];
  readonly concurrency: number;
  readonly timeout: number;
}

/**
 * `audit`: replays runs of a host, or compares recorded pairs, and writes one JSON line a run: the same, diverged and where, or undecided and why (replay.md, Use
 * cases). Totals go to standard error. Returns 0 where all are the same, 1 where one diverged, 3 where something was not decided, 130 or 143 where it was interrupted.
 */
export async function audit(flags: AuditFlags): Promise<number> {
  const volatile = flags.volatile ?? [];
  const places = readVolatile(volatile);
  if (!places.ok) throw new UsageError(`--volatile ${JSON.stringify(places.pointer)} ${places.message}`);
  if ((flags.pairs === undefined) === (flags.runs === undefined)) {
    throw new UsageError('give one of --pairs (recorded logs) and --runs (with --base-url)');
  }
  if (flags.output !== undefined && flags.resume !== undefined) {
    throw new UsageError('--resume goes on with the file that it names: leave --output out');
  }
  const html = flags.html === undefined ? [] : [{ option: '--html', path: flags.html }];
  checkFiles(
    [flags.pairs, flags.runs].flatMap((path) =>
      path === undefined || path === '-' ? [] : [{ option: 'what is audited', path }],
    ),
    [...html, ...(flags.output === undefined ? [] : [{ option: '--output', path: flags.output }])],
  );
  const output = openAuditOutput(flags);
  const totals = createTotals();
  const listed = createListed();
  const take = (line: AuditLine): void => {
    totals.add(line);
    listed.add(line);
  };
  for await (const line of output.before) take(line);
  const signal = watchForInterrupt();
  const wanted = <Item extends { readonly id: string }>(items: AsyncIterable<Item> | Iterable<Item>) =>
    chosen(items, { flags, isDone: output.isDone, signal });
  try {
    const lines =
      flags.pairs === undefined
        ? (await import('../audit-live.ts')).auditLive(wanted(runIds(flags.runs ?? '-')), {
            flags,
            signal,
            places: places.places,
          })
        : auditRecorded(wanted(pairsAt(flags.pairs)), volatile);
    for await (const line of lines) {
      // What was broken off is left to whoever goes on.
      if (signal.aborted) break;
      take(line);
      output.write(`${escapeJson(JSON.stringify(line))}\n`);
    }
  } catch (error) {
    if (error instanceof UsageError || signal.aborted) throw error;
    throw new UsageError(messageOf(error), { cause: error });
  }
  const found = totals.totals();
  printError(`${pageOf(found)}\n`);
  if (flags.html !== undefined) {
    const { renderAudit } = await import('../../audit/page.tsx');
    writeWhole(flags.html, renderAudit(found, listed.lines));
  }
  const by = interruptedBy(signal);
  return by === undefined ? auditExit(found) : INTERRUPT_CODES[by];
}

interface Choosing {
  readonly flags: AuditFlags;
  readonly isDone: (id: string) => boolean;
  readonly signal: AbortSignal;
}

async function* chosen<Item extends { readonly id: string }>(
  items: AsyncIterable<Item> | Iterable<Item>,
  { flags: { shard, sample: most, seed }, isDone, signal }: Choosing,
): AsyncGenerator<Item, void> {
  const all = most === undefined ? items : await sample(items, { most, seed });
  for await (const item of all) {
    if (signal.aborted) return;
    if ((shard === undefined || isInShard(item.id, shard)) && !isDone(item.id)) yield item;
  }
}

function pairsAt(path: string): AsyncIterable<RecordedPair> | Iterable<RecordedPair> {
  try {
    return statSync(path).isDirectory() ? pairsInFolder(path) : pairsIn(path);
  } catch (error) {
    throw new UsageError(`--pairs: ${messageOf(error)}`, { cause: error });
  }
}

async function* pairsIn(path: string): AsyncGenerator<RecordedPair, void> {
  for await (const line of linesOf(path)) yield pairIn(line, path);
}

async function* auditRecorded(
  pairs: AsyncIterable<RecordedPair>,
  volatile: readonly string[],
): AsyncGenerator<AuditLine, void> {
  const threads = openAuditThreads(volatile);
  try {
    yield* inOrder(pairs, threads.audit, threads.atOnce);
  } finally {
    await threads.close();
  }
}

const LONGEST_ID = 1024;

/** Run ids, one a line; empty lines count for nothing. */
async function* runIds(path: string): AsyncGenerator<{ readonly id: string }, void> {
  for await (const { text, number } of linesOf(path)) {
    const id = text.trim();
    if (id.length > LONGEST_ID || /\s/u.test(id)) throw new UsageError(`${path}:${number}: no run id`);
    yield { id };
  }
}

/** The lines that a page lists: so many that diverged, and so many that were not decided. */
function createListed(): { readonly add: (line: AuditLine) => void; readonly lines: readonly AuditLine[] } {
  const lines: AuditLine[] = [];
  const left = { same: 0, diverged: 500, undecided: 500 };
  return {
    lines,
    add: (line) => {
      left[line.verdict] -= 1;
      if (left[line.verdict] >= 0) lines.push(line);
    },
  };
}

const NAMED = 10;

function pageOf(totals: AuditTotals): string {
  const { runs, same, diverged, undecided } = totals;
  return [
    `${runs} runs: ${same} the same, ${diverged} diverged, ${undecided} undecided`,
    ...counted('class', totals.byClass),
    ...counted('workflow', totals.byWorkflow),
    ...counted('node', totals.byNode),
  ].join('\n');
}

function counted(title: string, names: AuditTotals['byClass']): readonly string[] {
  if (names.length === 0) return [];
  const shown = names.slice(0, NAMED).map(([name, count]) => `${escapeTerminal(name)} ${count}`);
  return [`  by ${title}: ${shown.join(', ')}${names.length > NAMED ? ', …' : ''}`];
}
