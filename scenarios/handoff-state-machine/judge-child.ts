import { member } from '../../src/contract/discovery.ts';
import {
  fail,
  type Mismatch,
  type Outcome,
  pass,
  rests,
  undecided,
  undecidedUntil,
} from '../../src/contract/outcome.ts';
import { isRecord, type RunEvent } from '../../src/host/run-event.ts';
import { isOwnWord } from '../../src/protocol/run-status.ts';
import { isUnknownRun } from '../../src/protocol/status.ts';
import { eventsOf, named, shown } from '../shared/compare-runs.ts';
import type { Difference } from '../shared/compared.ts';
import { EVENTS_NAMED, FOUNDATIONS, SNAPSHOTS_NAMED } from '../shared/foundations.ts';
import { answersText, waysMissing } from '../shared/log-answers.ts';
import { isWorkflow } from '../../src/protocol/workflow-id.ts';
import type { RecordedRun } from '../shared/need.ts';
import { nodeOf } from '../shared/read-event.ts';
import { allPass } from '../shared/settle.ts';
import { readSnapshotAgainstLog } from '../shared/snapshot-fault.ts';
import { foundationBrokenBy } from '../shared/unobserved.ts';
import { childIdOf, type Handoff, handoffText, has, inPhase, readChain } from './chain.ts';
import { wrong } from './diagnoses.ts';
import { type HandoffRun, statusOf } from './handoff-run.ts';
import type { ChildObservation } from './observation.ts';
import { OWNERS } from './owners.ts';

/** What a parent's definition says of its handoffs. */
interface Planned {
  /** The workflows of its workers. */
  readonly workers: readonly string[];
  /** The nodes of the parent's definition. */
  readonly nodes: readonly string[];
}

interface Dispatched {
  /** The workflow of the child: one of these, where its handoff does not say which. */
  readonly workflowIds: readonly string[];
  readonly nodes: readonly string[];
}

/** rfc-0037 §A.2: the dispatcher creates a child run, which has an id, a snapshot and a log of its own: of each handoff. */
export function judgeChild(recorded: HandoffRun, { workers, nodes }: Planned): Outcome {
  const { run, chain } = recorded;
  // More of them than were planned are a matter of the path.
  const handoffs = chain.handoffs.slice(0, workers.length);
  if (handoffs.length === 0) return undecided(`${named(run)} dispatched no child`, [run]);
  const outcomes = handoffs.map((handoff) => {
    const { workerId = '' } = handoff;
    const own = workers.filter((each) => isWorkflow(workerId, each));
    return judgeChildOf(recorded, handoff, { workflowIds: own.length === 0 ? workers : own, nodes });
  });
  const missing = workers.length - handoffs.length;
  const open =
    missing > 0 ? [undecided(`${named(run)} shows ${handoffs.length} of ${workers.length} handoffs`, [run])] : [];
  return allPass([...outcomes, ...open]);
}

function judgeChildOf(recorded: HandoffRun, handoff: Handoff, dispatched: Dispatched): Outcome {
  const { run, chain } = recorded;
  const runId = childIdOf(handoff, chain);
  if (runId === undefined) {
    return undecided(`no event of ${named(run)} names a childRunId: give it from dispatch.succeeded on`, [run]);
  }
  if (runId === run.runId) {
    const expected = `the id of a run of its own as childRunId in ${handoffText(handoff)}`;
    return fail({ expected, actual: `${runId}, the id of its parent`, diagnosis: wrong('child-is-no-run') }, [run]);
  }
  const child = recorded.children.find((each) => each.runId === runId);
  if (child === undefined) return undecided(`the child ${runId} was not read`, [run]);
  const mismatch = notThere(child, handoff) ?? notToBeRead(child);
  if (mismatch === undefined && child.problem !== null) {
    const unseen = undecided(`the child ${runId} was not seen: ${child.problem}`, [run, child]);
    const broken = foundationBrokenBy(child);
    return broken === undefined ? unseen : rests(broken, unseen);
  }
  const other =
    mismatch ??
    otherThanReported(run, child, handoff, dispatched) ??
    underNobody(run, child) ??
    notItsOwn(run, child, { ...dispatched, handoff });
  if (other === undefined) return leftOfParent(run, child) ?? pass([run, child]);
  // Where no run of this host can be read, it is nothing about children.
  const restsOn = mismatch === undefined ? undefined : FOUNDATIONS.runs;
  return fail({ diagnosis: wrong('child-is-no-run'), restsOn, ...other }, [run, child]);
}

/** A child that is no run. Where no snapshot is served at all, the row about runs says so. */
function notThere({ runId, answered }: ChildObservation, handoff: Handoff): Difference | undefined {
  if (answered === null || !isUnknownRun(answered)) return undefined;
  return {
    diagnosis: wrong('child-is-no-run'),
    expected: `a run ${runId}, the child of ${handoffText(handoff)}`,
    actual: `GET /v1/runs/{childRunId}: ${answered}`,
    restsOn: FOUNDATIONS.runs,
  };
}

/** A child whose log is nowhere, in a way in which its parent's log is given. */
function notToBeRead({ runId, logs }: ChildObservation): Mismatch | undefined {
  const missing = logs === null ? [] : waysMissing(logs.own, logs.parents);
  if (logs === null || missing.length === 0) return undefined;
  return {
    expected: `the log of the child ${runId} by ${missing.join(', ')}, as its parent's: ${answersText(logs.parents)}`,
    actual: answersText(logs.own),
  };
}

/** Where the child's snapshot contradicts what the parent's log reports. */
function otherThanReported(
  parent: RecordedRun,
  child: ChildObservation,
  handoff: Handoff,
  { workflowIds }: Dispatched,
): Difference | undefined {
  const place = `the snapshot of the child ${child.runId}`;
  if (!isRecord(child.snapshot)) {
    const expected = `200 with a JSON object for ${place}`;
    return {
      diagnosis: wrong('child-is-no-run'),
      expected,
      actual: '200 with a body that is no JSON object',
      restsOn: FOUNDATIONS.runs,
    };
  }
  const [workflowId = ''] = workflowIds;
  const wanted: readonly (readonly [name: string, value: unknown])[] = [
    ['runId', child.runId],
    ['workflowId', workflowId],
    ['status', reportedEnd(handoff) ?? statusOf(child)],
  ];
  const other = wanted.find(([name, value]) => {
    const is = member(child.snapshot, name);
    if (name === 'workflowId') return !workflowIds.some((each) => isWorkflow(is, each));
    return is !== value && !(name === 'status' && isOwnWord(is));
  });
  if (other === undefined) return undefined;
  const [name, value] = other;
  const found = member(child.snapshot, name);
  const mismatch = { expected: `${name} ${shown(value)} in ${place}`, actual: shown(found), diagnosis: OTHERWISE };
  // Which workflow a child is of this row alone knows, unless its parent's snapshot names another one, too.
  const isOwn = name === 'workflowId' && typeof found === 'string' && namesItsWorkflow(parent);
  if (name !== 'status') return isOwn ? mismatch : { ...mismatch, restsOn: SNAPSHOTS_NAMED };
  if ((found ?? null) === null) return { ...mismatch, restsOn: FOUNDATIONS.snapshotShapes };
  const { kind } = readSnapshotAgainstLog({ ...child, role: 'child', workflowId });
  if (kind === 'differs' || kind === 'behind') return { ...mismatch, restsOn: FOUNDATIONS.snapshots };
  // Where both show one end, the parent reports another: the path that it takes says so, where that is known to be wrong.
  return kind === 'agrees' ? { ...mismatch, restsOn: OWNERS.path } : mismatch;
}

const OTHERWISE = wrong('child-shown-otherwise');

function namesItsWorkflow({ snapshot, workflowId }: RecordedRun): boolean {
  return workflowId === undefined || isWorkflow(member(snapshot, 'workflowId'), workflowId);
}

const ENDS = ['completed', 'failed', 'cancelled'] as const;
const CHILD_ENDS = ENDS.map((end) => `child.${end}` as const);

/** How the child ended, as its parent's log reports it; undefined where it reports none, or more than one end. */
function reportedEnd(handoff: Handoff): string | undefined {
  const ends = ENDS.filter((end) => has(handoff, `child.${end}`));
  return ends.length === 1 ? ends[0] : undefined;
}

/** A child whose snapshot names the child itself, or no run, as the run that it was dispatched by; it need not name any. */
function underNobody(
  parent: RecordedRun,
  { runId, snapshot, parentAnswered = null }: ChildObservation,
): Mismatch | undefined {
  const parentRunId = member(snapshot, 'parentRunId');
  const isNone = parentAnswered !== null && isUnknownRun(parentAnswered);
  if (parentRunId !== runId && !isNone) return undefined;
  const expected = `parentRunId ${shown(parent.runId)}, or none, in the snapshot of the child ${runId}`;
  const is = isNone ? `no run: GET /v1/runs/{runId} answers ${parentAnswered}` : 'the child itself';
  return { expected, actual: `${shown(parentRunId)}, ${is}`, diagnosis: OTHERWISE };
}

/** What is left where its snapshot names a run that is neither: no document says that one may stand between. */
function leftOfParent(parent: RecordedRun, child: ChildObservation & { readonly id: string }): Outcome | undefined {
  const { runId, snapshot } = child;
  const parentRunId = member(snapshot, 'parentRunId') ?? parent.runId;
  if (parentRunId === parent.runId) return undefined;
  const why = `the snapshot of the child ${runId} names as its parent ${shown(parentRunId)}, not ${shown(parent.runId)}, whose log hands off to it`;
  return undecidedUntil('name that one in parentRunId, or none', why, [parent, child]);
}

/** Events that stand in the wrong log. */
function notItsOwn(
  parent: RecordedRun,
  child: ChildObservation,
  { nodes, handoff }: Dispatched & { readonly handoff: Handoff },
): Mismatch | undefined {
  const own = eventsOf(child);
  const foreign = foreignIn(child);
  if (foreign !== undefined) {
    const expected = `runId ${child.runId} in sequence ${foreign.sequence} (${foreign.type}) of the child's log`;
    // Where no event of the parent names it either, the row about events says so.
    const isEverywhere = eventsOf(parent).every(({ raw }) => member(raw, 'runId') !== parent.runId);
    return {
      expected,
      actual: shown(member(foreign.raw, 'runId')),
      ...(isEverywhere ? { restsOn: EVENTS_NAMED } : {}),
    };
  }
  if (readChain(child).end === undefined) {
    return {
      expected: `the end of the child ${child.runId} in its log`,
      actual: `${own.length} events without an end`,
    };
  }
  const itsNodes = new Set(own.flatMap((event) => (isStart(event) ? (nodeOf(event) ?? []) : [])));
  const [from, to] = whileItRuns(handoff);
  const inside = eventsOf(parent).find((event) => {
    if (event.sequence < from || event.sequence > to) return false;
    const node = nodeOf(event);
    const carriedOut = isStart(event) && node !== undefined && itsNodes.has(node) && !nodes.includes(node);
    return carriedOut && member(event.raw, 'runId') === parent.runId;
  });
  if (inside === undefined) return undefined;
  const expected = `nodes of the child in its own log only, not in that of ${named(parent)}`;
  return { expected, actual: `sequence ${inside.sequence}, ${inside.type} of node ${nodeOf(inside) ?? ''}` };
}

/**
 * The sequence numbers between which a parent's log shows that its child runs. Before and after that, a node of one name with
 * one of the child's may be what the host carries out in every run, such as its trigger.
 */
function whileItRuns(handoff: Handoff): readonly [from: number, to: number] {
  const [began, ended] = [inPhase(handoff, 'dispatch.began')[0], inPhase(handoff, ...CHILD_ENDS)[0]];
  const { transitions } = handoff;
  const [from, to] = [began ?? transitions[0], ended ?? transitions.at(-1)];
  return [from?.event.sequence ?? Infinity, to?.event.sequence ?? -Infinity];
}

function foreignIn(child: ChildObservation): RunEvent | undefined {
  return eventsOf(child).find(({ raw }) => (member(raw, 'runId') ?? child.runId) !== child.runId);
}

function isStart({ type }: RunEvent): boolean {
  return type === 'node.started';
}
