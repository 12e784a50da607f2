import type { Json } from '../../src/evidence/types.ts';
import { readDebugStream } from '../../src/host/debug-stream.ts';
import type { Probe } from '../../src/host/probe.ts';
import type { RunRequest } from '../../src/host/runs.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import { startRun, type RunObservation } from '../shared/run-observation.ts';
import { childrenIn, readChain } from './chain.ts';
import { readChild, type ChildObservation } from './child-run.ts';
import { HANDOFF } from './fixtures.ts';
import { CHAIN_EVENT, DECIDED } from './transition.ts';

/** Children of one run that are read, at most. */
const CHILDREN = 4;

/** The role of the run that shows that a host does harvest, beside one that must not. */
export const TWIN = 'twin';

/** Starts a run that hands off, follows it to its end, and reads the children that it names. */
export async function driveHandoff(
  probe: Probe,
  request: RunRequest,
  role: string,
): Promise<readonly (RunObservation | ChildObservation)[]> {
  const run = await startRun(probe, { inputs: {}, ...request }, { role });
  return withChildren(probe, await withHiddenEvents(probe, run));
}

/** A run that was followed to its end, and the children that it names. */
export async function withChildren(
  probe: Probe,
  run: RunObservation,
): Promise<readonly (RunObservation | ChildObservation)[]> {
  if (run.problem !== null) return [run];
  const ids = childrenIn(readChain(run)).slice(0, CHILDREN);
  const [created = '', read = created] = run.exchanges;
  for (const runId of ids) if (runId !== run.runId) probe.noteChild?.(runId, read);
  return [run, ...(await Promise.all(ids.map((runId) => readChild(probe, runId, run))))];
}

/** The public fixture, which is harvested, beside a run that must not be. */
export async function driveTwin(probe: Probe): Promise<readonly RunObservation[]> {
  const run = await startRun(probe, { workflowId: HANDOFF, inputs: {} }, { role: TWIN });
  return [await withHiddenEvents(probe, run)];
}

/** The whole log in the stream mode debug, where the default one shows no decision or no transition: a host may hide them. */
export async function withHiddenEvents<R extends Followed>(probe: Probe, run: R): Promise<R> {
  if (run.runId === null || run.problem !== null || tellsHandoffs(run)) return run;
  const { events, complete, exchanges } = await readDebugStream(probe.host, run.runId);
  const whole = { ...run, events: events.map(({ raw }) => raw as Json), exchanges: [...run.exchanges, ...exchanges] };
  const more = events.length > eventsOf(run).length;
  return complete && more ? whole : { ...run, exchanges: whole.exchanges };
}

type Followed = Pick<RunObservation, 'runId' | 'problem' | 'events' | 'exchanges'>;

function tellsHandoffs(run: Followed): boolean {
  const types = new Set(eventsOf(run).map(({ type }) => type));
  return types.has(DECIDED) && types.has(CHAIN_EVENT);
}
