import { basename } from 'node:path';
import { listen } from '../../../reference-host/index.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { readLog } from '../../event-log/index.ts';
import { type RecordedRun, recordTimeline, runOfLog, runsIn } from '../../timeline/index.ts';
import { messageOf, readPieces } from '../files.ts';
import { print, printJson } from '../printer.ts';
import { readEvidence } from '../read-evidence.ts';
import { untilStopped } from '../interruption.ts';

const HOSTNAME = '127.0.0.1';
/** Events of one log that are shown. */
const MOST_EVENTS = 200_000;
const CHUNK_BYTES = 98_304;

interface Recorded {
  readonly runs: readonly RecordedRun[];
  /** Where they were recorded, as the evidence says. */
  readonly baseUrl?: string;
  /** The page to begin with. */
  readonly start: string;
}

/**
 * `open FILE [REPLAY]`: shows the runs of an evidence file, or one or two recorded logs, as timelines on a free loopback port.
 * Prints the address and stays until it is stopped; needs no credential, sends nothing to any host and changes nothing.
 */
export async function open(file: string, replay: string | undefined, flags: { readonly json?: true }): Promise<number> {
  const { runs, baseUrl, start } = await read(file, replay);
  let own: readonly string[] = [];
  const isOwn = (host: string): boolean => own.includes(host);
  const stopped = untilStopped();
  const server = await listen(recordTimeline(runs, { isOwn, ...(baseUrl === undefined ? {} : { baseUrl }) }), {
    hostname: HOSTNAME,
  });
  const { port } = new URL(server.baseUrl);
  own = [`${HOSTNAME}:${port}`, `localhost:${port}`];
  const url = `${server.baseUrl}${start}`;
  if (flags.json === true) printJson({ url, runs: runs.length });
  else print(`${runs.length} recorded ${runs.length === 1 ? 'run' : 'runs'} at ${url} (Ctrl-C ends it)\n`);
  await stopped;
  await server.close();
  return 0;
}

async function read(file: string, replay: string | undefined): Promise<Recorded> {
  if (replay !== undefined || (await isLog(file))) return readLogs(file, replay);
  const { run, records } = await readEvidence(file);
  const runs = runsIn(records);
  if (runs.length === 0) throw new UsageError(`${file} holds no run with a log: there is nothing to show`);
  return { runs, baseUrl: run.target.baseUrl, start: '/' };
}

async function readLogs(file: string, replay: string | undefined): Promise<Recorded> {
  const source = runOfLog(await eventsOf(file), basename(file));
  const page = `/runs/${encodeURIComponent(source.head.runId)}`;
  if (replay === undefined) return { runs: [source], start: page };
  const other = runOfLog(await eventsOf(replay), basename(replay), source);
  const against = encodeURIComponent(source.head.runId);
  return { runs: [source, other], start: `/runs/${encodeURIComponent(other.head.runId)}?against=${against}` };
}

/** Whether a file begins as no line of evidence does. Standard input can be read once only: it is taken for evidence. */
async function isLog(file: string): Promise<boolean> {
  if (file === '-') return false;
  try {
    for await (const piece of readPieces(file, CHUNK_BYTES)) {
      return !/^\s*\{\s*"kind"/u.test(Buffer.from(piece.subarray(0, 200)).toString('utf8'));
    }
  } catch (error) {
    throw new UsageError(`${file}: ${messageOf(error)}`, { cause: error });
  }
  return false;
}

async function eventsOf(file: string): Promise<readonly unknown[]> {
  const events: unknown[] = [];
  try {
    for await (const batch of readLog(readPieces(file, CHUNK_BYTES))) {
      if (!batch.ok) throw new UsageError(`${file}: ${batch.at}: ${batch.message}`);
      for (const { raw } of batch.events) events.push(raw);
      if (events.length > MOST_EVENTS) throw new UsageError(`${file} has more than ${MOST_EVENTS} events: use diff`);
    }
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(`${file}: ${messageOf(error)}`, { cause: error });
  }
  if (events.length === 0) throw new UsageError(`${file} has no event`);
  return events;
}
