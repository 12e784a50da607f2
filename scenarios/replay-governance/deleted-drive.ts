import type { Observation } from '../../src/evidence/types.ts';
import type { WitnessVisit } from '../../src/evidence/witness.ts';
import type { Probe } from '../../src/host/probe.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import { requestFork } from '../shared/requested-fork.ts';
import { startFork, startRun, type ForkBody, type RunObservation } from '../shared/run-observation.ts';
import { makeCanary } from './canary.ts';
import { createListener, type Listener } from './listen.ts';
import { readEverything } from './read-everything.ts';
import { askSeam } from './seam.ts';

export const PERSONAL_DATA = 'conformance-determinism-personal-data';
export const DELETE = 'data/delete';
export const PATH = '/variables/note';

const TOOL = 'personal';

/** How often the tool was called before and after a fork. */
export interface ToolCallsObservation extends Observation {
  readonly type: 'tool-calls';
  readonly role: string;
  readonly before: number;
  readonly after: number;
}

/** A fork to make, by the sequence numbers of its source. */
interface Wanted {
  readonly role: string;
  readonly body: ForkBody;
}

/**
 * Runs the fixture, makes each fork once, deletes what the tool answered, and makes the forks again. By then the tool
 * answers something else, so that the deleted text can come from nowhere but the host's records.
 */
export async function driveDeletion(
  probe: Probe,
  wanted: (sequences: readonly number[]) => readonly Wanted[],
): Promise<readonly Observation[]> {
  const visit = probe.witness?.visit();
  if (visit === undefined) return [];
  const canary = makeCanary();
  const listener = createListener({ canaries: [canary], marker: canary.text });
  visit.stageEffect(TOOL, { text: canary.text });
  const request = { workflowId: PERSONAL_DATA, inputs: { witnessUrl: visit.url } };
  const source = await startRun(probe, request, { role: 'source', handle: listener.as(BEFORE, probe.host) });
  const { runId } = source;
  if (runId === null || source.problem !== null) return [source];
  const forks = wanted(eventsOf(source).map(({ sequence }) => sequence));
  const controls: RunObservation[] = [];
  for (const { role, body } of forks) controls.push(await startFork(probe, source, body, { role: controlOf(role) }));
  const deleted = await askSeam(probe, DELETE, { runId, path: PATH });
  const before = [source, listener.heard(BEFORE), ...controls, deleted];
  if (deleted.problem !== null) return before;
  await readEverything(listener.as(AFTER, probe.host), runId, []);
  visit.stageEffect(TOOL, { text: 'another answer' });
  const again: Observation[] = [];
  for (const each of forks)
    again.push(...(await forkAgain(probe, { source: { ...source, runId }, visit, listener }, each)));
  return [...before, listener.heard(AFTER), ...again];
}

/** The roles of what was heard of the source. */
export const [BEFORE, AFTER] = ['source before the deletion', 'source after the deletion'] as const;

/** The role of a fork that was made before the deletion. */
export function controlOf(role: string): string {
  return `${role} before the deletion`;
}

interface Deleted {
  readonly source: RunObservation & { readonly runId: string };
  readonly visit: WitnessVisit;
  readonly listener: Listener;
}

async function forkAgain(
  probe: Probe,
  { source, visit, listener }: Deleted,
  { role, body }: Wanted,
): Promise<readonly Observation[]> {
  const host = listener.as(role, probe.host);
  const before = visit.calls().length;
  const { requested: asked, run } = await requestFork({ ...probe, host }, source, body, role);
  if (run.runId !== null) await readEverything(host, run.runId, [source.runId]);
  const calls: ToolCallsObservation = {
    type: 'tool-calls',
    role,
    before,
    after: visit.calls().length,
    exchanges: asked.exchanges,
  };
  return [asked, run, listener.heard(role), calls];
}
