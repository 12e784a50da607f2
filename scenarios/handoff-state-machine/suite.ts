import { member } from '../../src/contract/discovery.ts';
import { executionModel } from '../../src/contract/gates.ts';
import type { Json } from '../../src/evidence/types.ts';
import { answerText, idBeyond, withinBounds } from '../../src/host/exchanged.ts';
import { readDebugStream } from '../../src/host/log/debug.ts';
import { type AwaitedRun, followUntil } from '../../src/host/log/follow.ts';
import type { Until } from '../../src/host/log/stream.ts';
import type { Probe } from '../../src/host/probe.ts';
import { canStandInPath } from '../../src/host/runs.ts';
import { runPath } from '../../src/protocol/paths.ts';
import type { Need } from '../../src/runner/scenario.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import { type Candidates, firstExecuted } from '../shared/first-executed.ts';
import { askForLog, isNowhere, type LogAnswers } from '../shared/log-answers.ts';
import { readChildPastEnd } from '../shared/past-the-end.ts';
import { CHAIN_EVENT } from '../shared/read-event.ts';
import type { ReadingObservation } from '../shared/reading.ts';
import { type RunObservation, startRun } from '../shared/run-observation.ts';
import { readSnapshot } from '../shared/snapshot.ts';
import { type Chain, readChain } from './chain.ts';
import { seeded } from './fixtures.ts';
import { readHandoff, type AllRecorded } from './handoff-run.ts';
import { ROLES, type ChildObservation } from './observation.ts';
import { DECIDED } from './transition.ts';

type Driven = RunObservation | ChildObservation;

/** Children of one run that are read, at most. */
const CHILDREN = 4;

/** Starts a run that hands off, follows it to its end, and reads the children that it names. */
export async function driveHandoff(
  probe: Probe,
  workflowId: string,
  role: string,
): Promise<readonly (Driven | ReadingObservation)[]> {
  const driven = await withChildren(probe, await startWhole(probe, workflowId, role));
  const child = driven.find((each): each is ChildObservation => each.type === 'child' && each.problem === null);
  return child === undefined ? driven : [...driven, ...(await readChildPastEnd(probe, child.runId))];
}

/** The same for the first of several workflows that is executed, and holds what is asked for. */
export async function driveFirst(
  probe: Probe,
  candidates: Candidates,
  { role, holds }: { readonly role: string; readonly holds: (chain: Chain) => boolean },
): Promise<readonly Driven[]> {
  const { run } = await firstExecuted(
    candidates,
    ({ workflowId }) => startWhole(probe, workflowId, role),
    (each) => holds(readChain(each)),
  );
  return withChildren(probe, run);
}

/** Starts a run and follows it to its end, with what the default stream does not show. */
export async function startWhole(probe: Probe, workflowId: string, role: string): Promise<RunObservation> {
  return withHiddenEvents(probe, await startRun(probe, { workflowId, inputs: {} }, { role }));
}

/** A run that was followed to its end, and the children that it names. */
export async function withChildren(probe: Probe, run: RunObservation): Promise<readonly Driven[]> {
  return [run, ...(await readChildren(probe, run))];
}

/** The children that a run names, where it was followed to its end. A run that names itself is none of them. */
export async function readChildren(
  probe: Probe,
  run: Followed & Pick<RunObservation, 'role'>,
): Promise<readonly ChildObservation[]> {
  if (run.problem !== null) return [];
  const named = readChain(run).children.filter((id) => id !== run.runId);
  const ids = named.slice(0, CHILDREN);
  const [created = '', read = created] = run.exchanges;
  const children = await Promise.all(ids.map((runId) => readChild(probe, runId, run)));
  // An id under which there is no run is nobody's.
  const found = children.filter(({ answered }) => answered === 200);
  for (const { runId } of found) probe.noteChild?.(runId, read);
  return children;
}

/** The whole log in the stream mode debug, where the default one shows no decision or no transition: a host may hide them. */
export async function withHiddenEvents<R extends Followed>(probe: Probe, run: R): Promise<R> {
  if (run.runId === null || run.problem !== null || showsHandoffs(run)) return run;
  const { events, complete, exchanges } = await readDebugStream(probe.host, run.runId);
  const whole = { ...run, events: events.map(({ raw }) => raw as Json), exchanges: [...run.exchanges, ...exchanges] };
  const more = events.length > eventsOf(run).length;
  return complete && more ? whole : { ...run, exchanges: whole.exchanges };
}

type Followed = Pick<RunObservation, 'runId' | 'problem' | 'events' | 'exchanges'>;

function showsHandoffs(run: Followed): boolean {
  const types = new Set(eventsOf(run).map(({ type }) => type));
  return types.has(DECIDED) && types.has(CHAIN_EVENT);
}

/** Reads a run that a parent's log names, to its end. */
export async function readChild(
  probe: Probe,
  runId: string,
  of: Pick<RunObservation, 'role' | 'runId'>,
): Promise<ChildObservation> {
  const base = { type: 'child', parent: of.role, runId, events: [], snapshot: null, logs: null } as const;
  if (!canStandInPath(runId)) {
    return { ...base, answered: null, problem: idBeyond(runId) ?? 'its id cannot stand in a URL', exchanges: [] };
  }
  const exchange = withinBounds(await probe.host.exchange({ method: 'GET', path: runPath(runId) }));
  const exchanges = [exchange.id];
  if (exchange.kind === 'failure') return { ...base, answered: null, problem: answerText(exchange), exchanges };
  const answered = exchange.status;
  if (answered !== 200) return { ...base, answered, problem: `it was answered with ${answered}`, exchanges };
  const shown = exchange.json.ok ? (exchange.json.value as Json) : null;
  const { followed, nowhere, ...more } = await followChild(probe, runId, () => false);
  const read = [...exchanges, ...more.exchanges];
  if (followed.kind !== 'ended') {
    const problem = followed.kind === 'unfinished' ? followed.reason : 'the run has not ended';
    const { events = [], snapshot = shown } = followed.kind === 'unfinished' ? (followed.left ?? {}) : {};
    const unread = { ...base, answered, snapshot: snapshot as Json, events: events as readonly Json[], problem };
    if (nowhere === null || of.runId === null) return { ...unread, exchanges: read };
    const parents = await askForLog(probe, of.runId);
    const logs = { own: nowhere, parents: parents.answers };
    return { ...unread, logs, exchanges: [...read, ...parents.exchanges] };
  }
  const settled = await readSnapshot(probe, probe.host, { runId, ended: followed.status });
  const snapshot = settled.snapshot ?? shown;
  const parent = await askForParent(probe, snapshot, [of.runId, runId]);
  return {
    ...base,
    ...parent.observed,
    answered,
    snapshot,
    events: followed.events.map(({ raw }) => raw as Json),
    problem: null,
    exchanges: [...read, ...settled.exchanges, ...parent.exchanges],
  };
}

/** Asks for the run that a snapshot names as its parent, where it is none of those that were read. */
async function askForParent(
  probe: Probe,
  snapshot: Json,
  known: readonly (string | null)[],
): Promise<{ readonly observed: Pick<ChildObservation, 'parentAnswered'>; readonly exchanges: readonly string[] }> {
  const parentRunId = member(snapshot, 'parentRunId');
  if (typeof parentRunId !== 'string' || known.includes(parentRunId) || !canStandInPath(parentRunId)) {
    return { observed: {}, exchanges: [] };
  }
  const exchange = withinBounds(await probe.host.exchange({ method: 'GET', path: runPath(parentRunId) }));
  const parentAnswered = exchange.kind === 'failure' ? null : exchange.status;
  return { observed: { parentAnswered }, exchanges: [exchange.id] };
}

/** How a child was followed. */
interface FollowedChild {
  readonly followed: AwaitedRun;
  /** How its log was answered, where it was given in no way at all; null where it was. */
  readonly nowhere: LogAnswers | null;
  readonly exchanges: readonly string[];
}

/** A part of the wait for a log's end in which it has to be there at all. */
const PATIENCE = 0.1;

/** Follows a child to its end, or to an event that is waited for. One whose log is nowhere is not waited for. */
export async function followChild(probe: Probe, runId: string, until: Until): Promise<FollowedChild> {
  const { host, signal, timeoutMs } = probe;
  const early = await followUntil({ signal, timeoutMs: timeoutMs * PATIENCE }, host, { runId, until });
  if (early.kind !== 'unfinished') return { followed: early, nowhere: null, exchanges: early.exchanges };
  const requested = await askForLog(probe, runId);
  const exchanges = [...early.exchanges, ...requested.exchanges];
  if (isNowhere(requested.answers)) return { followed: early, nowhere: requested.answers, exchanges };
  const followed = await followUntil(probe, host, { runId, until });
  return { followed, nowhere: null, exchanges: [...exchanges, ...followed.exchanges] };
}

/** What all scenarios of this suite have in common. */
export const COMMON = { suite: 'handoff-state-machine', gate: executionModel } as const;

/** What the scenarios have in common that start the first of these workflows and judge its handoffs to the others. */
export function handingOff(workflowIds: readonly [string, ...string[]], role: string = ROLES.handoff) {
  return {
    ...COMMON,
    needs: seeded(...workflowIds),
    drive: (probe: Probe) => driveHandoff(probe, workflowIds[0], role),
    see: (recorded: AllRecorded) => readHandoff(recorded, role),
  };
}

/** The same for the first of several workflows that is executed, and whose log holds what is asked for. */
export function handingOffFirst(
  candidates: Candidates,
  holds: (chain: Chain) => boolean,
  role: string = ROLES.handoff,
) {
  return {
    ...COMMON,
    needs: [{ kind: 'one-of', candidates }] satisfies readonly Need[],
    drive: (probe: Probe) => driveFirst(probe, candidates, { role, holds }),
    see: (recorded: AllRecorded) => readHandoff(recorded, role),
  };
}
