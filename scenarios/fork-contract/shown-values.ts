import { member } from '../../src/contract/discovery.ts';
import { fail, undecided, type Outcome } from '../../src/contract/outcome.ts';
import type { Diagnosis } from '../../src/contract/verdict.ts';
import { foldEvents } from '../../src/event-log/index.ts';
import { eventsOf, named, shown } from '../shared/compare-runs.ts';
import type { SeenRun } from '../shared/need.ts';
import type { RunObservation } from '../shared/run-observation.ts';

/** The identity fixture's nodes: each writes what it reads into the variable of its own name. */
export const [INPUT, CONFIGURED, COPIED] = ['input', 'configured', 'copied'] as const;

interface WrongValue {
  readonly variable: string;
  readonly expected: unknown;
  readonly value: unknown;
  readonly diagnosis: Diagnosis;
}

/** A variable that is not what it should be, or that nothing shows. */
export function wrongValue(branch: SeenRun, { variable, expected, value, diagnosis }: WrongValue): Outcome {
  const place = `variable ${variable} at the end of ${named(branch)}, from ${branch.fork?.fromSeq ?? 0}`;
  if (value === undefined) return undecided(`${place}: neither its snapshot nor its log shows it`, [branch]);
  return fail({ expected: `${place}: ${shown(expected)}`, actual: shown(value), diagnosis }, [branch]);
}

/** The sequence numbers of a node's first and last event, or undefined where the log shows no such node. */
export function spanOf(
  run: RunObservation,
  nodeId: string,
): { readonly first: number; readonly last: number } | undefined {
  const own = eventsOf(run).filter((event) => event.nodeId === nodeId);
  const [first, last] = [own.at(0), own.at(-1)];
  return first === undefined || last === undefined ? undefined : { first: first.sequence, last: last.sequence };
}

/** A variable at a run's end: from the snapshot, else from the log, else what the node of that name gave. */
export function valueIn(run: RunObservation, name: string): unknown {
  const inSnapshot = member(member(run.snapshot, 'variables'), name);
  if (inSnapshot !== undefined) return inSnapshot;
  const folded = foldEvents(run.events);
  if (folded.ok && folded.state.variables.has(name)) return folded.state.variables.get(name);
  const completed = eventsOf(run).findLast(({ type, nodeId }) => type === 'node.completed' && nodeId === name);
  return member(completed?.payload, 'output');
}

/** The last sequence number at which a node, or an event in no node's name, says something about a variable. */
export function settledAt(run: RunObservation, name: string): number | undefined {
  const written = eventsOf(run).findLast(
    ({ type, payload }) => type === 'variable.changed' && member(payload, 'name') === name,
  );
  const span = spanOf(run, name);
  return span === undefined ? undefined : Math.max(span.last, written?.sequence ?? span.last);
}
