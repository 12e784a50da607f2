import { createFold, type LogState } from './fold.ts';
import { readEvents } from './read.ts';
import { renameRunId } from './run-id.ts';
import type { Difference } from './same.ts';
import { diffStates } from './state-diff.ts';

/** A state that a log went into, and the sequence number of the event that led to it. */
export interface StateStep {
  readonly sequence: number;
  readonly state: LogState;
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
  const fold = createFold();
  const steps: StateStep[] = [];
  let before = textOf(fold.state());
  for (const event of read.events) {
    fold.apply(event);
    const state = fold.state();
    const text = textOf(state);
    if (text !== before) steps.push({ sequence: event.sequence, state });
    before = text;
  }
  return { ok: true, steps };
}

function textOf({ status, variables, channels }: LogState): string {
  return JSON.stringify([status, [...variables], [...channels]]);
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
    const [difference] = diffStates(a.state, b.state, rename);
    if (difference !== undefined) return { source: a, replay: b, difference };
  }
  return undefined;
}
