import { member } from '../../src/contract/discovery.ts';
import { type Outcome, rests, undecided } from '../../src/contract/outcome.ts';
import type { Json, Observation } from '../../src/evidence/types.ts';
import { foldEvents, placeOf, writtenValue } from '../../src/event-log/index.ts';
import { readRunEvent, type RunEvent } from '../../src/host/run-event.ts';
import { endOf, endSaidBy, isOwnWord } from '../../src/protocol/run-status.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { eventsOf, named, shown } from '../shared/compare-runs.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { isAgainstItsLog } from '../shared/snapshot-fault.ts';
import { foundationBrokenBy, unobservedText } from '../shared/unobserved.ts';
import { leftUndriven, runOf, type RecordedRun } from '../shared/need.ts';
import { nodeOf } from '../shared/read-event.ts';
import { type Chain, childIdOf, type Handoff, readChain } from './chain.ts';
import { type ByType, type ChildObservation, ROLES } from './observation.ts';
import { OWNERS } from './owners.ts';

/** What a scenario recorded. */
export type AllRecorded = readonly Recorded<Observation>[];

type Child = Recorded<ChildObservation>;

/** The observations of a type, in the order in which they were recorded. */
export function recordedAs<T extends keyof ByType>(recorded: AllRecorded, type: T): readonly Recorded<ByType[T]>[] {
  return recorded.filter((each): each is Recorded<ByType[T]> => each.type === type);
}

/** A worker as a run that may hand off itself. */
export function asRun({ parent: _parent, logs: _logs, ...child }: Child, role: string): RecordedRun {
  return { ...child, type: 'run', role, fork: null, answer: null };
}

/** A run that was read to its end, with its handoffs and what was read of their children. */
export interface HandoffRun {
  readonly run: RecordedRun;
  readonly chain: Chain;
  readonly children: readonly Child[];
  /** The run and its children. */
  readonly evidence: readonly { readonly id: string }[];
}

/** The run of a role with its handoffs, or the outcome that is left where it was not read as far as it was waited for. */
export function readHandoff(recorded: AllRecorded, role: string): HandoffRun | Outcome {
  const run = runOf(recorded, role);
  if (run === undefined) return leftUndriven(role);
  if (run.problem !== null) {
    return rests(foundationBrokenBy(run) ?? FOUNDATIONS.runs, undecided(unobservedText(run, AWAITED.get(role)), [run]));
  }
  const chain = readChain(run);
  const others = nodesOfAnother(chain);
  if (others.length > 0) return undecided(anotherText(run, others), [run]);
  const children = recordedAs(recorded, 'child').filter(({ parent, runId }) => parent === role && runId !== run.runId);
  return { run, chain, children, evidence: [run, ...children] };
}

/** The nodes of the workflows that hand off. A host may qualify their names. */
const NODES = ['supervisor', 'dispatch', 'subwf-call', 'delegate'] as const;

/**
 * The nodes that a log without any handoff names, where it names none that hands off: another workflow was run under the
 * name of the fixture, or none.
 */
export function nodesOfAnother({ events, decisions, transitions }: Chain): readonly string[] {
  if (decisions.length > 0 || transitions.length > 0) return [];
  const nodes = [...new Set(events.flatMap((event) => nodeOf(event) ?? []))];
  return nodes.some((node) => NODES.some((name) => node.includes(name))) ? [] : nodes;
}

function anotherText(run: RecordedRun, nodes: readonly string[]): string {
  const place = `${named(run)} names nodes of another workflow, ${shown(nodes.slice(0, 3))}`;
  return `the fixture was not executed: ${place}; seed its definition`;
}

/** What is waited for in runs of these roles, beside their end. */
const AWAITED: ReadonlyMap<string, string> = new Map([
  [
    ROLES.live,
    'an event that names the child that it waits for (childRunId, in dispatch.succeeded or node.dispatched)',
  ],
  [ROLES.suspended, 'interrupt.requested or node.suspended'],
  [ROLES.resumed, 'its end after its question was answered'],
]);

/** The child of a handoff, where it was read. A transition that names the run itself names no child: `judgeChild` says so. */
export function childOf(handoff: Handoff, { run, chain, children }: HandoffRun): Child | undefined {
  const transitions = handoff.transitions.filter(({ childRunId }) => childRunId !== run.runId);
  const runId = childIdOf({ ...handoff, transitions }, chain);
  return children.find((each) => each.runId === runId);
}

/** Where a run names no child but itself: the row about children says so. */
export function namingItself({ run, chain }: HandoffRun): Outcome | undefined {
  if (run.runId === null || !chain.children.includes(run.runId)) return undefined;
  return rests(OWNERS.child, undecided(`${named(run)} names itself as its child`, [run]));
}

/** The status that the snapshot of a child shows, in the wire's word; where it has one of the host's own, the end of its log, or undefined. */
export function statusOf(child: Pick<ChildObservation, 'snapshot' | 'events'> | undefined): string | undefined {
  const status = member(child?.snapshot, 'status');
  if (child === undefined || typeof status !== 'string') return undefined;
  return endSaidBy(status) ?? (isOwnWord(status) ? endOf(eventsOf(child)) : status);
}

/** A variable at a run's end: from its log, else from its snapshot, which may differ; undefined where neither shows it. */
export function valueIn({ snapshot, events }: Shows, name: string): unknown {
  const folded = foldEvents(events);
  const inLog = folded.ok && isValueWritten(events, name) ? folded.state.variables.get(name) : undefined;
  return inLog === undefined ? valueInSnapshot(snapshot, name) : inLog;
}

interface Shows {
  readonly snapshot: Json;
  readonly events: readonly Json[];
}

/** Whether the last event that writes a variable shows what it writes. */
function isValueWritten(events: readonly Json[], name: string): boolean {
  const last = events.map(readRunEvent).findLast((event) => event !== undefined && isWriteOf(event, name));
  return last !== undefined && writtenValue(last) !== undefined;
}

function isWriteOf(event: RunEvent, name: string): boolean {
  const place = placeOf(event);
  return place?.part === 'variables' && place.name === name;
}

function valueInSnapshot(snapshot: Json, name: string): unknown {
  return member(member(snapshot, 'variables'), name);
}

/**
 * The row about snapshots, where the snapshot of a run shows what a variable has to be, and its log another value: one of them is wrong,
 * whatever became of the handoff.
 */
export function ownerOfValue(run: RecordedRun, name: string, wanted: unknown): { readonly restsOn?: string } {
  const isRight = shown(valueInSnapshot(run.snapshot, name)) === shown(wanted);
  return isRight && isAgainstItsLog(run) ? { restsOn: FOUNDATIONS.snapshots } : {};
}
