import type { LogEvent } from './event.ts';
import { createFold, placeOf, type LogState, type StatePlace } from './fold.ts';
import { readEvents } from './read.ts';
import { renameRunId, type RunIdRename, same, type Difference } from './same.ts';
import { diffStates } from './state-diff.ts';

/** A state that a log went into, and the sequence number of the event that led to it. */
export interface StateStep {
  readonly sequence: number;
  /** Folded when it is looked at: the states of a long log together would be far larger than the log. */
  readonly state: LogState;
  /** The one place at which it is not the state before it. */
  readonly change?: StatePlace & { readonly value: unknown };
}

/** The states that a log went through, or where and why it cannot be read. */
export type FoldedSteps =
  | { readonly ok: true; readonly steps: readonly StateStep[] }
  | { readonly ok: false; readonly at: string; readonly message: string };

/**
 * The different states that a log in memory goes through, in order, the one before its first event left out: what is
 * observable at its indices, whatever events without a change stand between (RFC 0041 §C.2).
 */
export function foldSteps(values: readonly unknown[]): FoldedSteps {
  const read = readEvents(values);
  if (!read.ok) return read;
  const { events } = read;
  const fold = createFold();
  const steps: StateStep[] = [];
  for (const [index, event] of events.entries()) {
    const place = placeOf(event);
    const before = place === undefined ? undefined : fold.at(place);
    fold.apply(event);
    if (place === undefined || same(before, fold.at(place), AS_IT_IS, undefined)) continue;
    const change = { ...place, value: fold.at(place) };
    steps.push(stepAfter(events, index, change));
  }
  return { ok: true, steps };
}

const AS_IT_IS = renameRunId(undefined, undefined);

function stepAfter(events: readonly LogEvent[], last: number, change: NonNullable<StateStep['change']>): StateStep {
  return {
    sequence: events[last]?.sequence ?? 0,
    change,
    get state() {
      const fold = createFold();
      for (const event of events.slice(0, last + 1)) fold.apply(event);
      return fold.state();
    },
  };
}

/** Whether two states, of which those before them are the same, are so too because the same place was changed alike. */
function changedAlike({ change: a }: StateStep, { change: b }: StateStep, rename: RunIdRename): boolean {
  if (a === undefined || b === undefined || a.part !== b.part) return false;
  if (a.name !== b.name && rename(a.name) !== b.name) return false;
  return same(a.value, b.value, rename, undefined);
}

/** Where two logs go into different states first; a side that has no further state is absent. */
export interface StepDifference {
  readonly source?: StateStep;
  readonly replay?: StateStep;
  /** Where the two states differ; absent where only one side has a further state. */
  readonly difference?: Difference;
}

/** The first place where two logs go through different states, once the source's run id is renamed. */
export function diffSteps(
  source: readonly StateStep[],
  replay: readonly StateStep[],
  ids: { readonly sourceRunId: string; readonly replayRunId: string },
): StepDifference | undefined {
  const rename = renameRunId(ids.sourceRunId, ids.replayRunId);
  for (let index = 0; index < Math.max(source.length, replay.length); index += 1) {
    const [a, b] = [source[index], replay[index]];
    if (a === undefined || b === undefined) {
      return { ...(a === undefined ? {} : { source: a }), ...(b === undefined ? {} : { replay: b }) };
    }
    if (changedAlike(a, b, rename)) continue;
    const [difference] = diffStates(a.state, b.state, rename);
    if (difference !== undefined) return { source: a, replay: b, difference };
  }
  return undefined;
}
