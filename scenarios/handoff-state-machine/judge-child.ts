import { isAgainstItsLog, SNAPSHOTS } from '../shared/snapshot-fault.ts';
import { member } from '../../src/contract/discovery.ts';
import type { Judgement } from '../../src/contract/verdict.ts';
import type { Json } from '../../src/evidence/types.ts';
import { type RunEvent, terminalStatus } from '../../src/host/run-event.ts';
import { isUnknownRun } from '../../src/protocol/status.ts';
import { eventsOf, named, shown } from '../shared/compare-runs.ts';
import type { Difference } from '../shared/compared.ts';
import { failing, passing, undecided, type SeenRun } from '../shared/judging.ts';
import { nodeOf } from '../shared/node-of.ts';
import { childOf, handoffText, inPhase, type Handoff } from './chain.ts';
import { childrenOf, childWithId, statusOf, type ChildObservation } from './child-run.ts';
import { wrong } from './diagnoses.ts';
import { toldIn } from './judge-path.ts';
import { answersText, waysMissing } from '../shared/log-answers.ts';
import type { Seen } from './row.ts';
import { CANCELLED, COMPLETED, FAILED, type Phase } from './transition.ts';

interface Dispatched {
  readonly role: string;
  readonly workflowId: string;
  /** The nodes of the parent's definition. */
  readonly nodes: readonly string[];
}

/** rfc-0037 §A.2: the dispatcher creates a child run, which has an id, a snapshot and a log of its own. */
export function judgeChild(check: string, seen: Seen, dispatched: Dispatched): Judgement {
  const told = toldIn(check, seen, dispatched.role);
  if ('verdict' in told) return told;
  const { run, chain } = told;
  const [handoff] = chain.handoffs;
  if (handoff === undefined) return undecided(check, `${named(run)} dispatched no child`, [run]);
  const runId = childOf(handoff, chain);
  if (runId === undefined) {
    return undecided(check, `no event of ${named(run)} names a childRunId: tell it from dispatch.succeeded on`, [run]);
  }
  const child = childWithId(childrenOf(seen, dispatched.role), runId);
  if (child === undefined) return undecided(check, `the child ${runId} was not read`, [run]);
  const evidence = [run, child];
  if (runId === run.runId || (child.answered !== null && isUnknownRun(child.answered))) {
    const actual = runId === run.runId ? 'the id of its parent' : `GET /v1/runs/{childRunId}: ${child.answered ?? ''}`;
    const expected = `a run ${runId}, the child of ${handoffText(handoff)}`;
    // Where no snapshot is served at all, the row about runs says so.
    return failing(check, { expected, actual, diagnosis: wrong('child-is-no-run'), restsOn: 'run.created' }, evidence);
  }
  const unreadable = notToBeRead(child);
  if (unreadable !== undefined) {
    return failing(check, { ...unreadable, diagnosis: wrong('child-is-no-run') }, evidence);
  }
  if (child.problem !== null) {
    return undecided(check, `the child ${runId} was not seen: ${child.problem}`, evidence);
  }
  const mismatch = otherThanTold(child, handoff, dispatched) ?? notItsOwn(run, child, dispatched);
  return mismatch === undefined
    ? passing(check, evidence)
    : failing(check, { ...mismatch, diagnosis: wrong('child-is-no-run') }, evidence);
}

/** A child whose log is nowhere, in a way in which its parent's log is given. */
function notToBeRead({ runId, logs }: ChildObservation): Difference | undefined {
  const [own, parents] = [member(logs, 'own') as Json | undefined, member(logs, 'parents') as Json | undefined];
  const missing = waysMissing(own, parents);
  if (missing.length === 0) return undefined;
  return {
    expected: `the log of the child ${runId} by ${missing.join(', ')}, as its parent's: ${answersText(parents)}`,
    actual: answersText(own),
  };
}

/** Where the child's snapshot contradicts what the parent's log tells. */
function otherThanTold(child: ChildObservation, handoff: Handoff, { workflowId }: Dispatched): Difference | undefined {
  const place = `the snapshot of the child ${child.runId}`;
  const wanted: readonly (readonly [name: string, value: unknown])[] = [
    ['runId', child.runId],
    ['workflowId', workflowId],
    ['status', endTold(handoff) ?? statusOf(child)],
  ];
  for (const [name, value] of wanted) {
    const actual = member(child.snapshot, name);
    if (actual === value) continue;
    const rests = name === 'status' && isAgainstItsLog({ ...child, role: 'child' }) ? { restsOn: SNAPSHOTS } : {};
    return { expected: `${name} ${shown(value)} in ${place}`, actual: shown(actual), ...rests };
  }
  return undefined;
}

const ENDS: readonly (readonly [Phase, string])[] = [
  [COMPLETED, 'completed'],
  [FAILED, 'failed'],
  [CANCELLED, 'cancelled'],
];

/** How the child ended, as its parent's log tells; undefined where it tells nothing, or more than one end. */
function endTold(handoff: Handoff): string | undefined {
  const told = ENDS.filter(([phase]) => inPhase(handoff, phase).length > 0);
  return told.length === 1 ? told[0]?.[1] : undefined;
}

/** Events that stand in the wrong log. */
function notItsOwn(parent: SeenRun, child: ChildObservation, { nodes }: Dispatched): Difference | undefined {
  const own = eventsOf(child);
  const foreign = own.find(({ raw }) => member(raw, 'runId') !== child.runId);
  if (foreign !== undefined) {
    const expected = `runId ${child.runId} in sequence ${foreign.sequence} (${foreign.type}) of the child's log`;
    return { expected, actual: shown(member(foreign.raw, 'runId')) };
  }
  if (!own.some(({ type }) => terminalStatus(type) !== undefined)) {
    return {
      expected: `the end of the child ${child.runId} in its log`,
      actual: `${own.length} events without an end`,
    };
  }
  const itsNodes = new Set(own.flatMap((event) => (isStart(event) ? (nodeOf(event) ?? []) : [])));
  const inside = eventsOf(parent).find((event) => {
    const node = nodeOf(event);
    const carriedOut = isStart(event) && node !== undefined && itsNodes.has(node) && !nodes.includes(node);
    return carriedOut && member(event.raw, 'runId') === parent.runId;
  });
  if (inside === undefined) return undefined;
  const expected = `nodes of the child in its own log only, not in that of ${named(parent)}`;
  return { expected, actual: `sequence ${inside.sequence}, ${inside.type} of node ${nodeOf(inside) ?? ''}` };
}

function isStart({ type }: RunEvent): boolean {
  return type === 'node.started';
}
