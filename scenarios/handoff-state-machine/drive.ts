import type { Json } from '../../src/evidence/types.ts';
import { readDebugStream } from '../../src/host/log/debug.ts';
import type { Probe } from '../../src/host/probe.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import { type Candidates, firstExecuted } from '../shared/first-executed.ts';
import { startRun, type RunObservation } from '../shared/run-observation.ts';
import { type Chain, childrenIn, readChain } from './chain.ts';
import { readChild } from './child-run.ts';
import type { ChildObservation } from './observation.ts';
import { DECIDED } from './transition.ts';
import { CHAIN_EVENT } from '../shared/children.ts';

type Driven = RunObservation | ChildObservation;

/** Children of one run that are read, at most. */
const CHILDREN = 4;

/** Starts a run that hands off, follows it to its end, and reads the children that it names. */
export async function driveHandoff(probe: Probe, workflowId: string, role: string): Promise<readonly Driven[]> {
  return withChildren(probe, await startWhole(probe, workflowId, role));
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
  if (run.problem !== null) return [run];
  const ids = childrenIn(readChain(run)).slice(0, CHILDREN);
  const [created = '', read = created] = run.exchanges;
  const children = await Promise.all(ids.map((runId) => readChild(probe, runId, run)));
  // An id under which there is no run is nobody's.
  const found = children.filter(({ runId, answered }) => runId !== run.runId && answered === 200);
  for (const { runId } of found) probe.noteChild?.(runId, read);
  return [run, ...children];
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
