import { notVisited } from '../../src/contract/remedy.ts';
import { copyPacked } from '../../src/evidence/pack.ts';
import { answeredWith, answerText, post } from '../../src/host/exchanged.ts';
import type { Probe } from '../../src/host/probe.ts';
import type { Semaphore } from '../../src/host/semaphore.ts';
import { interruptPath } from '../../src/protocol/paths.ts';
import { isSuccess } from '../../src/protocol/status.ts';
import { readAgain, startRun, type RunObservation } from './run-observation.ts';
import { INTERRUPT, type SweptFixture } from './swept-fixtures.ts';

/** Where a log has more events, fewer are driven. */
const LONG_LOG = 2000;

const UNSUITED = 'the fixture was left out: ';

/** What sources are driven with. */
export interface Sweeping {
  readonly probe: Probe;
  readonly line: Semaphore;
  /** Whether a fixture is left out where another one holds the same kinds of events; it always is where logs are long. */
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
  await start(table.filter(({ like }) => like === undefined));
  const stands = (like: string): boolean => runs.get(like)?.problem === null;
  const isShort = short || [...runs.values()].some((run) => run.events.length > LONG_LOG);
  await start(table.filter(({ like }) => like !== undefined && !(isShort && stands(like))));
  return table.flatMap(({ workflowId }) => runs.get(workflowId) ?? []);
}

const ROLE = 'source of ';
const NAME = /^source of (?:conformance-)?/u;

/** Whether a run was started by `startSources`. */
export function isFixtureSource({ fork, role }: Pick<RunObservation, 'fork' | 'role'>): boolean {
  return fork === null && role.startsWith(`${ROLE}conformance-`);
}

/** The fixture of a source's role, without the prefix that all share. */
export function fixtureOf({ role }: Pick<RunObservation, 'role'>): string {
  return role.replace(NAME, '');
}

/** The source run of a fixture, driven to its end with whatever the fixture needs. */
async function startSource(probe: Probe, fixture: SweptFixture): Promise<RunObservation> {
  const { workflowId, needs, given } = fixture;
  const role = ROLE + workflowId;
  if (needs === undefined) return startRun(probe, { workflowId, inputs: {}, ...given }, { role });
  if (needs === 'answer') return startAndResume(probe, workflowId, role);
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

const isAsking = ({ type }: { readonly type: string }): boolean => type === 'interrupt.requested';

/** A run that waits for a person, answered by one. */
async function startAndResume(probe: Probe, workflowId: string, role: string): Promise<RunObservation> {
  const waiting = await startRun(probe, { workflowId, inputs: {} }, { role, until: isAsking });
  const { runId } = waiting;
  if (runId === null || waiting.problem !== null) return waiting;
  const path = interruptPath(runId, INTERRUPT.nodeId);
  const exchange = await post(probe.host, path, { resumeValue: INTERRUPT.resumeValue });
  const exchanges = [...waiting.exchanges, exchange.id];
  if (isSuccess(answeredWith(exchange))) {
    const ended = await readAgain(probe, waiting, { role });
    return copyPacked(ended, { exchanges: [...exchanges, ...ended.exchanges] });
  }
  return copyPacked(waiting, { exchanges, problem: `${UNSUITED}POST ${path} answered ${answerText(exchange)}` });
}
