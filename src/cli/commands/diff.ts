import { diffLogs, type LogDiff, type LogStream, plainState, readLog } from '../../event-log/index.ts';
import { volatilePlaces } from '../arguments.ts';
import { diffPage } from '../diff-page.ts';
import { print, printJson } from '../printer.ts';
import { messageOf, readPieces } from '../files.ts';
import { UsageError } from '../../contract/usage-error.ts';

export interface DiffFlags {
  readonly json?: true;
  readonly volatile?: readonly string[];
}

/** The largest text that V8 still keeps among its short-lived objects is 128 KB. */
const CHUNK_BYTES = 98_304;

/**
 * `diff SOURCE REPLAY`: compares two recorded event logs and prints the first divergence. Returns 0 when they are the
 * same after the declared normalisation, 1 when they diverge, or the replay says that it does; a log that cannot be read, or two without an event, are
 * wrong usage (2).
 */
export async function diff(source: string, replay: string, flags: DiffFlags): Promise<number> {
  const pointers = flags.volatile ?? [];
  const places = volatilePlaces(pointers);
  if (source === '-' && replay === '-') {
    throw new UsageError('only one of the two logs can come from standard input (-)');
  }
  const result = await diffLogs(openLog(source), openLog(replay), places);
  if (!result.ok) {
    const file = result.side === 'source' ? source : replay;
    throw new UsageError(`${file}: ${result.at}: ${result.message}`);
  }
  if (result.diff.determinism.score === null) {
    throw new UsageError('neither log has an event to compare: an empty comparison proves nothing');
  }
  if (flags.json === true) printJson(publicShape(result.diff, pointers), 2);
  else print(`${diffPage(result.diff, pointers)}\n`);
  return result.diff.first === undefined && result.diff.reported === undefined ? 0 : 1;
}

async function* openLog(path: string): LogStream {
  try {
    yield* readLog(readPieces(path, CHUNK_BYTES));
  } catch (error) {
    yield { ok: false, at: 'reading', message: messageOf(error) };
  }
}

/** The shape of `GET /v1/runs/{runId}:diff`, with what this tool adds to it (schemas/run-diff.schema.json). */
function publicShape({ determinism, first, reported, ...rest }: LogDiff, volatile: readonly string[]): object {
  return {
    a: determinism.sourceRunId,
    b: determinism.replayRunId,
    divergedAtSeq: determinism.firstDivergenceSeq,
    eventDiffs: rest.eventDiffs,
    stateDiff: rest.stateDiff.length === 0 ? null : rest.stateDiff,
    ...(rest.eventDiffsTruncated ? { truncated: true } : {}),
    divergence: first === undefined ? null : divergence(first),
    ...(reported === undefined ? {} : { reported: { type: reported.type, sequence: reported.sequence } }),
    normalisation: { masks: rest.masks, volatile, renamedIds: rest.renamedIds },
    determinism,
  };
}

function divergence(first: NonNullable<LogDiff['first']>): object {
  const { class: name, pointer, sequence, alsoAt, before } = first;
  return {
    class: name,
    pointer,
    sequence,
    ...('source' in first ? { source: first.source } : {}),
    ...('replay' in first ? { replay: first.replay } : {}),
    alsoAt,
    stateBefore: { source: plainState(before.source), replay: plainState(before.replay) },
  };
}
