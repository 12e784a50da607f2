import { computeKey } from './cache-key/index.ts';
import type { Report } from './contract/report.ts';
import type { RunConformanceOptions } from './embed/options.ts';
import { COMPARING, JUDGING, KEYING, wrongWith } from './embed/check-options.ts';
import { compareEvents, readVolatile } from './event-log/index.ts';
import type { Difference } from './event-log/same.ts';
import type { Determinism, Divergence } from './event-log/tally.ts';

export type { ConformanceHost, ConformanceTarget, FetchHandler, RunConformanceOptions } from './embed/options.ts';
export type { Determinism, Difference, Divergence, Report };

/**
 * Drives a host and judges it, as `openwop-conformance --base-url` does, in this process. Nothing is printed and the process
 * never exits: the verdict stands in the report. Rejects with an Error that says what is wrong with the options, where
 * something is, such as a place for the evidence that cannot be written. Evidence that is lost later is named in the report's `lost`.
 */
export async function runConformance(options: RunConformanceOptions): Promise<Report> {
  const { runConformance: run } = await import('./embed/run-conformance.ts');
  return run(options);
}

/** The two recipes that are advertised under one name. */
export type Recipe = 'rfc-0041' | 'rfc-0150';

/** What may be asked for anew when evidence is judged; the run's own options hold where nothing is given. */
export interface JudgeEvidenceOptions {
  /** Which rows decide the verdict. */
  readonly level?: 'must' | 'should';
  /** Whether the verdict is conformant where something passed and nothing failed, whatever was left undecided. */
  readonly allowInconclusive?: boolean;
}

/**
 * The report of an evidence file that a run has written (`--evidence`), judged offline. Rejects with an Error for options that are
 * wrong, and for a file that is no evidence, or none that this version can judge; its message names the line and says why.
 */
export async function judgeEvidence(file: string, options: JudgeEvidenceOptions = {}): Promise<Report> {
  const problem = wrongWith('', options, JUDGING);
  if (problem !== undefined) throw new TypeError(problem);
  const { judgeRecorded } = await import('./cli/judge-recorded.ts');
  return judgeRecorded(file, options);
}

/** The key of a request and the text that was hashed. */
export interface CacheKey {
  /** SHA-256 in lowercase hexadecimal. */
  readonly cacheKey: string;
  /** RFC 8785 JSON. */
  readonly canonical: string;
}

/**
 * The portable LLM cache key of a request (replay.md §A, §B; RFC 0041 §A), from the request's own JSON text: `1.0` and
 * `1e-07` count as they are spelled until they are canonical. Throws a TypeError for what is no request or has no
 * canonical form; its message says why.
 */
export function cacheKey(request: string, recipe: Recipe = 'rfc-0041'): CacheKey {
  if (typeof request !== 'string') throw new TypeError('the request is no text: give the JSON text that was sent');
  const problem = wrongWith('', { recipe }, KEYING);
  if (problem !== undefined) throw new TypeError(problem);
  const result = computeKey(request, recipe);
  if (!result.ok) throw new TypeError(result.message);
  return { cacheKey: result.cacheKey, canonical: result.canonical };
}

/** What two recorded logs have in common and where they part. */
export interface LogComparison {
  /** The first place where they part; absent where they are the same. */
  readonly first?: Divergence;
  /** The first event in which the replay's own log reports a divergence; absent where it reports none. */
  readonly reported?: { readonly type: string; readonly sequence: number };
  readonly determinism: Determinism;
  /** Where the states at the logs' ends differ. */
  readonly stateDiff: readonly Difference[];
}

/**
 * Compares a replay's events with its source's, both as parsed JSON in their order (RFC 0041 §C; replay.md, Determinism):
 * run ids, clocks and gaps in the numbers are masked, event ids renamed one to one, everything else has to be equal but for the
 * JSON pointers in `volatile`. Throws a TypeError for what is no event or no pointer; its message says which and why.
 */
export function compareLogs(
  source: readonly unknown[],
  replay: readonly unknown[],
  options: { readonly volatile?: readonly string[] } = {},
): LogComparison {
  const problem = wrongWith('', options, COMPARING);
  if (problem !== undefined) throw new TypeError(problem);
  for (const [side, events] of [
    ['source', source],
    ['replay', replay],
  ] as const) {
    if (!Array.isArray(events)) throw new TypeError(`${side}: no list of events`);
  }
  const read = readVolatile(options.volatile ?? []);
  if (!read.ok) throw new TypeError(`volatile ${JSON.stringify(read.pointer)} ${read.message}`);
  const result = compareEvents(source, replay, { volatile: read.places });
  if (!result.ok) throw new TypeError(`${result.side}: ${result.at}: ${result.message}`);
  const { first, reported, determinism, stateDiff } = result.diff;
  return {
    ...(first === undefined ? {} : { first }),
    ...(reported === undefined ? {} : { reported: { type: reported.type, sequence: reported.sequence } }),
    determinism,
    stateDiff,
  };
}
