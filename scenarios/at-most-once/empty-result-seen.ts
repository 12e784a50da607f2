import { member } from '../../src/contract/discovery.ts';
import type { Json, Observation } from '../../src/evidence/types.ts';
import type { Cut } from '../../src/host/crash.ts';
import { isRecord } from '../../src/host/run-event.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { nodeOf } from '../shared/node-of.ts';
import type { CellObservation } from './cell.ts';
import { CHARGE } from './fixtures.ts';
import type { SeenCell } from './seen-cell.ts';

/** Where runs whose tool answers one value are cut. */
export interface EmptyPoints extends Observation {
  readonly type: 'empty-points';
  /** What the tool answers in all of them. */
  readonly answer: Json;
  /** Every pass of a failpoint in the run that is not cut; the first pass of each name where the host does not tell. */
  readonly passes: readonly Cut[];
  /** The passes that are cut: each has its cell. */
  readonly cuts: readonly Cut[];
}

/** One run whose tool answers that value, cut once or not at all. */
export interface EmptyCell extends Observation {
  readonly type: 'empty-cell';
  readonly answer: Json;
  readonly cell: CellObservation;
}

export type EmptyObservation = EmptyPoints | EmptyCell;

/** Everything that was driven with one answer. */
export interface SeenAnswer {
  readonly answer: Json;
  readonly points: Recorded<EmptyPoints>;
  readonly cells: readonly Recorded<CellObservation>[];
}

/** The observations by answer, in the order in which they were driven. */
export function answersIn(observations: readonly Recorded<Observation>[]): readonly SeenAnswer[] {
  const cells = observations.filter((each): each is Recorded<EmptyCell> => each.type === 'empty-cell');
  return observations
    .filter((each): each is Recorded<EmptyPoints> => each.type === 'empty-points')
    .map((points) => ({
      answer: points.answer,
      points,
      cells: cells
        .filter(({ answer }) => textOf(answer) === textOf(points.answer))
        .map(({ id, cell }): Recorded<CellObservation> => ({ ...cell, id })),
    }));
}

/** A value as JSON text; `nothing` where there is none. */
export function textOf(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing';
}

/** A place in which a run may show what its tool answered, and the JSON text of what stands there. */
export interface Shown {
  readonly place: string;
  readonly text: string;
}

/** What stands where a run shows its tool's answer: the result of the call, the node's output, variables. */
export function shownIn({ events, invocations, cell }: SeenCell): readonly Shown[] {
  const results = invocations
    .filter(({ step, outcome }) => step === 'finished' && outcome !== 'failure')
    .map(({ event, result }) => ({ place: `${event.type}.result`, text: textOf(result) }));
  const others = events
    .filter((event) => nodeOf(event) === CHARGE.nodeId)
    .flatMap(({ type, payload }): readonly Shown[] => {
      if (type === 'node.completed') return [{ place: `${type}.output`, text: textOf(member(payload, 'output')) }];
      return type === 'variable.changed' ? [{ place: `${type}.value`, text: textOf(member(payload, 'value')) }] : [];
    });
  return [...results, ...others, ...variablesOf(cell)];
}

function variablesOf({ snapshot }: CellObservation): readonly Shown[] {
  const variables = member(snapshot, 'variables');
  if (!isRecord(variables)) return [];
  return Object.entries(variables).map(([name, value]) => ({ place: `variables.${name}`, text: textOf(value) }));
}
