import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import type { Shard } from '../../runner/shard.ts';
import type { AuditHead } from '../../audit/head.ts';
import { inOrder } from '../../audit/in-order.ts';
import { type AuditLine, auditExit, type AuditTotals, createTotals } from '../../audit/line.ts';
import { logsOf, type RecordedPair } from '../../audit/pairs.ts';
import { openAuditThreads } from '../../audit/threads.ts';
import { UsageError } from '../../contract/usage-error.ts';
import type { VolatilePlaces } from '../../event-log/index.ts';
import { interruptedBy } from '../../runner/stopped.ts';
import { escapeTerminal } from '../../report/escape.ts';
import { volatilePlaces } from '../arguments.ts';
import { chosen, DEFAULT_SEED, type List, listOfPairs, listOfRuns } from '../audit-list.ts';
import { openAuditOutput, redactedLine } from '../audit-output.ts';
import { type Before, readBefore } from '../audit-resume.ts';
import { checkOutputs, isStandardOutput, type NamedFile, namedFiles } from '../files.ts';
import { INTERRUPT_CODES, watchForInterrupt } from '../interruption.ts';
import { keepWhole } from '../kept.ts';
import { printError } from '../printer.ts';
import type { RunFlags } from '../options.ts';
import { environmentRedactor } from '../read-evidence.ts';

/** The options of `audit`. */
export interface AuditFlags extends Pick<RunFlags, 'baseUrl' | 'apiKey' | 'apiKeyEnv' | 'apiKeyFile'> {
  readonly pairs?: string;
  readonly runs?: string;
  readonly output?: string;
  readonly resume?: string;
  readonly html?: string;
  readonly shard?: Shard;
  readonly sample?: number;
  readonly seed?: number;
  readonly volatile?: readonly string[];
  readonly concurrency?: number;
  readonly timeout?: number;
}

const DEFAULT_CONCURRENCY = 8;
const DEFAULT_TIMEOUT_MS = 10_000;

/**
 * `audit`: replays runs of a host, or compares recorded pairs. Writes a JSON line with the options, then one for each run: the same, diverged and
 * where, or undecided and why (replay.md, Use cases). Totals go to standard error. Returns 0 where all are the same, 1 where one diverged, 3 where
 * something was not decided, 130 or 143 where it was interrupted.
 */
export async function audit(flags: AuditFlags): Promise<number> {
  const places = volatilePlaces(flags.volatile);
  refuseWithoutEffect(flags);
  try {
    return flags.pairs === undefined ? await auditRuns(flags, places) : await auditPairs(flags, flags.pairs);
  } catch (error) {
    // A file that cannot be read or written is the caller's; anything else is ours.
    throw error instanceof Error && 'syscall' in error ? new UsageError(error.message, { cause: error }) : error;
  }
}

/** Refuses what contradicts itself, and by name what would have no effect. */
function refuseWithoutEffect(flags: AuditFlags): void {
  if ((flags.pairs === undefined) === (flags.runs === undefined)) {
    throw new UsageError('give one of --pairs (recorded logs) and --runs (with --base-url)');
  }
  if (flags.output !== undefined && flags.resume !== undefined) {
    throw new UsageError('--resume goes on with the file that it names: leave --output out');
  }
  for (const [option, path] of [
    ['--resume', flags.resume],
    ['--html', flags.html],
  ] as const) {
    if (path !== undefined && isStandardOutput(path)) throw new UsageError(`${option} takes a file`);
  }
  if (flags.seed !== undefined && flags.sample === undefined) {
    throw new UsageError('--seed has no effect without --sample');
  }
  const idle = LIVE_OPTIONS.find(([, name]) => flags.pairs !== undefined && flags[name] !== undefined);
  if (idle !== undefined) throw new UsageError(`${idle[0]} has no effect with --pairs, which asks no host`);
}

const LIVE_OPTIONS = [
  ['--base-url', 'baseUrl'],
  ['--api-key-env', 'apiKeyEnv'],
  ['--api-key-file', 'apiKeyFile'],
  ['--concurrency', 'concurrency'],
  ['--timeout', 'timeout'],
] as const;

async function auditRuns(flags: AuditFlags, volatile: VolatilePlaces): Promise<number> {
  const { runs = '-', apiKeyFile, concurrency = DEFAULT_CONCURRENCY, timeout: timeoutMs = DEFAULT_TIMEOUT_MS } = flags;
  const live = await import('../audit-live.ts');
  const host = live.readLiveHost(flags);
  const refuseOutput = checkOutputs(outputsOf(flags));
  refuseOutput({ option: '--runs', path: runs });
  if (apiKeyFile !== undefined) refuseOutput({ option: '--api-key-file', path: apiKeyFile });
  const list = await listOfRuns(runs, flags.resume !== undefined);
  const replays = new Map<string, string>();
  const known = ({ id, replayRunId }: AuditLine): void => {
    if (replayRunId !== undefined) replays.set(replayRunId, id);
  };
  const about = { baseUrl: host.redact(host.target.baseUrl), runs: host.redact(runs) };
  return auditList({ flags, list, about, known }, (items, signal, auditId) =>
    live.auditLive(items, host, { signal, auditId, volatile, timeoutMs, concurrency, replays }),
  );
}

async function auditPairs(flags: AuditFlags, pairs: string): Promise<number> {
  const refuseOutput = checkOutputs(outputsOf(flags));
  refuseOutput({ option: '--pairs', path: pairs });
  const list = await listOfPairs(pairs);
  for await (const pair of list(new AbortController().signal)) {
    for (const path of logsOf(pair)) refuseOutput({ option: 'a log of --pairs', path });
  }
  return auditList({ flags, list, about: { pairs: resolve(pairs) } }, (items, signal) =>
    auditRecorded(items, flags.volatile ?? [], signal),
  );
}

function outputsOf({ output, resume, html }: AuditFlags): readonly NamedFile[] {
  return namedFiles({
    '--output': resume === undefined ? (output ?? '-') : undefined,
    '--resume': resume,
    '--html': html,
  });
}

async function* auditRecorded(
  pairs: AsyncIterable<RecordedPair>,
  volatile: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<AuditLine, void> {
  const threads = openAuditThreads(volatile);
  // Whoever recorded the logs may not have known the credentials of whoever reads them.
  const redact = environmentRedactor();
  const work = async (pair: RecordedPair): Promise<AuditLine> => {
    const line = await threads.audit(pair);
    return redact === undefined ? line : redactedLine(line, redact);
  };
  try {
    yield* inOrder(pairs, work, { atOnce: threads.atOnce, signal });
  } finally {
    await threads.close();
  }
}

/** What is audited, and what the output says of that. */
interface Audited<Item> {
  readonly flags: AuditFlags;
  readonly list: List<Item>;
  readonly about: Pick<AuditHead, 'baseUrl' | 'runs' | 'pairs'>;
  /** Is told of the lines of an audit that is gone on with. */
  readonly known?: (line: AuditLine) => void;
}

type Work<Item> = (items: AsyncIterable<Item>, signal: AbortSignal, auditId: string) => AsyncIterable<AuditLine>;

async function auditList<Item extends { readonly id: string }>(
  { flags, list, about, known }: Audited<Item>,
  work: Work<Item>,
): Promise<number> {
  const totals = createTotals();
  const shown = createShown();
  const take = (line: AuditLine): void => {
    totals.add(line);
    shown.add(line);
  };
  const requested = { id: randomUUID(), ...about, ...optionsOf(flags) };
  const before = await readAudited(requested, { flags, list }, (line) => {
    take(line);
    known?.(line);
  });
  const head = { ...requested, id: before?.id ?? requested.id };
  const interrupt = watchForInterrupt();
  const signal = AbortSignal.any([interrupt, standardOutputClosed()]);
  await before?.tidy();
  const write = openAuditOutput(flags.resume ?? flags.output ?? '-', before?.id !== undefined);
  if (before?.id === undefined) write({ audit: head });
  let listed = 0;
  const all = chosen(list(signal), flags, () => (listed += 1));
  for await (const line of work(without(all, before?.done), signal, head.id)) {
    // What was broken off is left to whoever goes on.
    if (signal.aborted) break;
    take(line);
    write(line);
  }
  const by = interruptedBy(interrupt);
  const found = totals.totals();
  printError(`${pageOf(found, by, found.runs === 0 && listed > 0)}\n`);
  if (flags.html !== undefined) {
    const { renderAudit } = await import('../../audit/page.tsx');
    keepWhole('the page', flags.html, renderAudit(found, shown.lines, { head, by }));
  }
  return by === undefined ? auditExit(found, listed) : INTERRUPT_CODES[by];
}

/** Aborted once nobody reads standard output any more: runs are forked for no line that is lost. */
function standardOutputClosed(): AbortSignal {
  const closed = new AbortController();
  process.stdout.once('error', () => closed.abort());
  return closed.signal;
}

function optionsOf({ shard, sample, seed = DEFAULT_SEED, volatile }: AuditFlags): Omit<AuditHead, 'id'> {
  return {
    ...(shard === undefined ? {} : { shard: `${shard.index}/${shard.of}` }),
    ...(sample === undefined ? {} : { sample, seed }),
    ...(volatile === undefined ? {} : { volatile: volatile.toSorted() }),
  };
}

/** Reads what stands in the file of --resume, of which every line has to be about a run that this audit has chosen. */
async function readAudited<Item extends { readonly id: string }>(
  requested: AuditHead,
  { flags, list }: Pick<Audited<Item>, 'flags' | 'list'>,
  take: (line: AuditLine) => void,
): Promise<Before | undefined> {
  if (flags.resume === undefined) return undefined;
  const before = await readBefore(flags.resume, requested, take);
  const left = new Set([...before.done, ...before.again]);
  if (left.size === 0) return before;
  for await (const { id } of chosen(list(new AbortController().signal), flags)) left.delete(id);
  const [stray] = left;
  if (stray === undefined) return before;
  const option = flags.pairs === undefined ? '--runs' : '--pairs';
  throw new UsageError(
    `--resume: ${flags.resume} has a line of ${JSON.stringify(stray)}, which ${option} does not name`,
  );
}

async function* without<Item extends { readonly id: string }>(
  items: AsyncIterable<Item>,
  done: ReadonlySet<string> | undefined,
): AsyncGenerator<Item, void> {
  for await (const item of items) if (done?.has(item.id) !== true) yield item;
}

/** The lines that a page shows: so many that diverged, and so many that were not decided. */
function createShown(): { readonly add: (line: AuditLine) => void; readonly lines: readonly AuditLine[] } {
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

function pageOf(totals: AuditTotals, by: string | undefined, isEmptyShard: boolean): string {
  const { runs, same, diverged, undecided } = totals;
  const ended = by === undefined ? '' : `, then interrupted by ${by}`;
  const empty = isEmptyShard && by === undefined ? ' (this shard gets none of those that are listed)' : '';
  return [
    `${runs} runs${ended}: ${same} the same, ${diverged} diverged, ${undecided} undecided${empty}`,
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
