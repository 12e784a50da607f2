import { classifyPair, createEffectMemory, type DivergenceClass } from './classify.ts';
import { createChooser, type Views } from './choose.ts';
import { createComparison, type Normalisation } from './compare.ts';
import type { LogEvent } from './event.ts';
import { createFold } from './fold.ts';
import { createLookAhead, type Entry, lookAheadIn, type StreamedLookAhead } from './look-ahead.ts';
import { type LogStream, readEvents } from './read.ts';
import { renameRunId, type Difference } from './same.ts';
import { diffStates } from './state-diff.ts';
import { createTally, type Determinism, type Divergence, type EventDiff } from './tally.ts';
import type { VolatilePlaces } from './volatile.ts';

/** What two logs have in common and where they part. */
export interface LogDiff {
  readonly first: Divergence | undefined;
  /** The first event in which the replay's own log reports a divergence; undefined where it reports no more than its source. */
  readonly reported: LogEvent | undefined;
  /** The status that the source's log ends with. */
  readonly status: string;
  readonly determinism: Determinism;
  readonly eventDiffs: readonly EventDiff[];
  readonly eventDiffsTruncated: boolean;
  /** Where the states at the logs' ends differ. */
  readonly stateDiff: readonly Difference[];
  /** Envelope members whose values differed and were masked, as pointers. */
  readonly masks: readonly string[];
  /** Pairs of event ids that were renamed into each other. */
  readonly renamedIds: number;
}

/** A comparison, or where and why one of the logs cannot be read. */
export type DiffResult =
  | { readonly ok: true; readonly diff: LogDiff }
  | { readonly ok: false; readonly side: 'source' | 'replay'; readonly at: string; readonly message: string };

/**
 * Compares a replay's log with its source's under the declared normalisation (RFC 0041 §C; readings, Fork and prefix).
 * Holds a window of each log, the last event ids and the states, however long the logs are.
 */
export async function diffLogs(source: LogStream, replay: LogStream, volatile: VolatilePlaces): Promise<DiffResult> {
  const streams = { source: createLookAhead(source), replay: createLookAhead(replay) };
  const early = await fill(streams);
  if (early !== undefined) return early;
  const walk = createWalk(streams, { volatile, numbers: 'gaps', callKeys: 'own' });
  while (isLeft(streams)) {
    walk.step();
    if (streams.source.isFilled() && streams.replay.isFilled()) continue;
    const unreadable = await fill(streams);
    if (unreadable !== undefined) return unreadable;
  }
  return { ok: true, diff: walk.result() };
}

const NOTHING_VOLATILE: VolatilePlaces = new Map();

/** What a judge may ask for beside the plain comparison. */
type CompareOptions = Partial<Normalisation>;

/**
 * The same for two logs in memory, as parsed JSON: what a judge needs. Numbers may have gaps, and keys of calls be a run's own,
 * unless they are exact. Run ids that are not given are those of the first events, which a fork may have from its source.
 */
export function compareEvents(
  source: readonly unknown[],
  replay: readonly unknown[],
  { volatile = NOTHING_VOLATILE, numbers = 'gaps', callKeys = 'own', ...others }: CompareOptions = {},
): DiffResult {
  const [inSource, inReplay] = [readEvents(source), readEvents(replay)];
  if (!inSource.ok) return { side: 'source', ...inSource };
  if (!inReplay.ok) return { side: 'replay', ...inReplay };
  const views = { source: lookAheadIn(inSource.events), replay: lookAheadIn(inReplay.events) };
  const walk = createWalk(views, { ...others, volatile, numbers, callKeys });
  while (isLeft(views)) walk.step();
  return { ok: true, diff: walk.result() };
}

interface Streams {
  readonly source: StreamedLookAhead;
  readonly replay: StreamedLookAhead;
}

async function fill({ source, replay }: Streams): Promise<DiffResult | undefined> {
  const [inSource, inReplay] = [await source.fill(), await replay.fill()];
  if (inSource !== undefined) return { ok: false, side: 'source', ...inSource };
  return inReplay === undefined ? undefined : { ok: false, side: 'replay', ...inReplay };
}

function isLeft({ source, replay }: Views): boolean {
  return source.inView() > 0 || replay.inView() > 0;
}

interface Walk {
  /** Consumes one place of the alignment. */
  step(): void;
  result(): LogDiff;
}

/** Starts a walk through two logs whose first entries are in view: these name the runs. */
function createWalk(views: Views, rules: CompareOptions & Omit<Normalisation, 'sourceRunId' | 'replayRunId'>): Walk {
  const {
    sourceRunId = views.source.peek(0)?.event.runId,
    replayRunId = views.replay.peek(0)?.event.runId,
    ...others
  } = rules;
  const comparison = createComparison({ sourceRunId, replayRunId, ...others });
  const tally = createTally();
  const folds = { source: createFold(), replay: createFold() };
  const effects = createEffectMemory();
  const choose = createChooser(views, comparison);
  let first: Divergence | undefined;
  const diverge = (place: Place): void => {
    first ??= divergence(place, { source: folds.source.state(), replay: folds.replay.state() });
  };
  const consume = (source: Entry | undefined, replay: Entry | undefined, matched: boolean): void => {
    if (matched) tally.match();
    else tally.mismatch(source?.event, replay?.event);
    const single = source === undefined ? replay : replay === undefined ? source : undefined;
    if (single !== undefined) comparison.ids.setApart(single.event.eventId);
    if (source !== undefined) {
      folds.source.apply(source.event);
      views.source.next();
    }
    if (replay !== undefined) {
      folds.replay.apply(replay.event);
      views.replay.next();
    }
  };
  const step = (): void => {
    const [source, replay] = [views.source.peek(0), views.replay.peek(0)];
    const { alignment, areEqual, moved } = choose();
    const repeated = replay !== undefined && alignment !== 'missing' && effects.seen(replay.event);
    if (alignment === 'pair' && source !== undefined && replay !== undefined) {
      const differences = comparison.compare(source, replay, areEqual);
      const matched = differences.length === 0;
      if (!matched) diverge({ class: classifyPair(source.event, differences), source, replay, differences });
      consume(source, replay, matched);
    } else if (alignment === 'missing') {
      diverge({ class: moved ? 'order' : 'missing', source, ...(moved && { replay }), differences: [] });
      consume(source, undefined, false);
    } else {
      const name = moved ? 'order' : repeated ? 'duplicate-effect' : 'extra';
      diverge({ class: name, replay, ...(moved && { source }), differences: [] });
      consume(undefined, replay, false);
    }
  };
  return {
    step,
    result: () => ({
      first,
      reported: reportedIn(views, rules.volatile),
      status: String(folds.source.at({ part: 'status', name: '' })),
      determinism: {
        sourceRunId: sourceRunId ?? null,
        replayRunId: replayRunId ?? null,
        ...tally.counts(),
        firstDivergenceSeq: firstSequence(first),
      },
      eventDiffs: tally.eventDiffs,
      eventDiffsTruncated: tally.truncated(),
      stateDiff: diffStates(folds.source.state(), folds.replay.state(), renameRunId(sourceRunId, replayRunId)),
      masks: comparison.masks(),
      renamedIds: comparison.ids.count(),
    }),
  };
}

/**
 * What the replay's log reports beyond its source's, which may be a replay itself. Where places were declared volatile a
 * replay.diverged may be about these; a refusal that diverged never is.
 */
function reportedIn({ source, replay }: Views, volatile: VolatilePlaces): LogEvent | undefined {
  const counts = ({ type }: LogEvent): boolean => volatile.size === 0 || type !== 'replay.diverged';
  const [before, reports] = [source.reports().filter(counts), replay.reports().filter(counts)];
  const left = before.map(({ type }) => type);
  return reports.find(({ type }) => {
    const at = left.indexOf(type);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
}

interface Place {
  readonly class: DivergenceClass;
  readonly source?: Entry | undefined;
  readonly replay?: Entry | undefined;
  readonly differences: readonly Difference[];
}

function divergence(place: Place, before: Divergence['before']): Divergence {
  const [source, replay] = [place.source?.event, place.replay?.event];
  const [leading, ...others] = place.differences;
  return {
    class: place.class,
    ...(leading ?? {
      pointer: '',
      ...(source === undefined ? {} : { source: source.raw }),
      ...(replay === undefined ? {} : { replay: replay.raw }),
    }),
    sequence: { source: source?.sequence ?? null, replay: replay?.sequence ?? null },
    event: { ...(source === undefined ? {} : { source }), ...(replay === undefined ? {} : { replay }) },
    alsoAt: others.map(({ pointer }) => pointer),
    before,
  };
}

/** The source's number where it has one. */
function firstSequence(first: Divergence | undefined): number | null {
  return first === undefined ? null : (first.sequence.source ?? first.sequence.replay);
}
