import { notVisited } from '../../src/contract/remedy.ts';
import { copyPacked } from '../../src/evidence/pack.ts';
import type { Probe } from '../../src/host/probe.ts';
import type { Semaphore } from '../../src/host/semaphore.ts';
import { startAnswered } from './answered-run.ts';
import { startRun, type RunObservation } from './run-observation.ts';
import type { SweptFixture } from './swept-fixtures.ts';

/** Where a log has more events, fewer are driven. */
const LONG_LOG = 2000;

const UNSUITED = 'the fixture was left out: ';

/** What sources are driven with. */
export interface Sweeping {
  readonly probe: Probe;
  readonly line: Semaphore;
  /** Whether a fixture is left out whose log is long, or where another one holds the same kinds of events; it always is where logs are long. */
  readonly short: boolean;
}

/** The source runs of fixtures, in the table's order. */
export async function startSources(
  { probe, line, short }: Sweeping,
  table: readonly SweptFixture[],
): Promise<readonly RunObservation[]> {
  const runs = new Map<string, RunObservation>();
  const start = async (fixtures: readonly SweptFixture[]): Promise<void> => {
    const started = fixtures.map((fixture) => line(async () => ({ fixture, run: await startSource(probe, fixture) })));
    for (const { fixture, run } of await Promise.all(started)) runs.set(fixture.workflowId, run);
  };
  await start(table.filter(({ like, most }) => like === undefined && most === undefined));
  const stands = (like: string): boolean => runs.get(like)?.problem === null;
  const isShort = short || [...runs.values()].some((run) => run.events.length > LONG_LOG);
  await start(table.filter(({ like }) => like !== undefined && !(isShort && stands(like))));
  await start(table.filter(({ most }) => most !== undefined && !isShort));
  return table.flatMap(({ workflowId }) => runs.get(workflowId) ?? []);
}

/** How the role of a source begins; the workflow's id follows. */
export const SOURCE_OF = 'source of ';
const NAME = /^source of (?:conformance-)?/u;

/** Whether a run was started by `startSources`. */
export function isFixtureSource({ fork, role }: Pick<RunObservation, 'fork' | 'role'>): boolean {
  return fork === null && role.startsWith(`${SOURCE_OF}conformance-`);
}

/** The fixture of a source's role, without the prefix that all share. */
export function fixtureOf({ role }: Pick<RunObservation, 'role'>): string {
  return role.replace(NAME, '');
}

/** Time-outs that a run which has to be answered may take, as any other may. */
const ANSWERED = 3;

/** The source run of a fixture, driven to its end with whatever the fixture needs. */
async function startSource(probe: Probe, fixture: SweptFixture): Promise<RunObservation> {
  const { workflowId, needs, given, answer } = fixture;
  const role = SOURCE_OF + workflowId;
  const request = { workflowId, inputs: {}, ...given };
  if (answer !== undefined) return startAnswered(probe, request, { role, answer, ms: probe.timeoutMs * ANSWERED });
  if (needs === undefined) return startRun(probe, request, { role });
  const visit = probe.witness?.visit();
  if (visit === undefined) return notDriven(role, 'there is no witness for the host to call');
  visit.stageChat([{ kind: 'valid', content: '{"valid":true}' }]);
  const run = await startRun(probe, { workflowId, inputs: { witnessUrl: visit.url } }, { role });
  if (run.problem !== null || visit.calls().length > 0) return run;
  return copyPacked(run, { problem: UNSUITED + notVisited(`the host did not call ${visit.url}`) });
}

function notDriven(role: string, why: string): RunObservation {
  const nothing = { fork: null, answered: null, answer: null, runId: null, events: [], snapshot: null };
  return { type: 'run', role, ...nothing, problem: UNSUITED + why, exchanges: [] };
}
