import type { Judgement } from '../src/contract/verdict.ts';
import type { Json, Observation } from '../src/evidence/types.ts';
import type { WitnessCall } from '../src/evidence/witness.ts';
import type { Everything, Recorded, Scenario, ScenarioOptions } from '../src/runner/scenario.ts';
import type { ForkFacts, RunObservation } from '../scenarios/shared/run-observation.ts';

/** What one event of a log says: its type, its payload and its node. */
export type Said = readonly [type: string, payload?: Json, nodeId?: string];

/** An event with what it says; its number is its place in the log. */
export function say(type: string, payload: Json = {}, nodeId?: string): Said {
  return nodeId === undefined ? [type, payload] : [type, payload, nodeId];
}

/** The wire form of a log: ids, numbers from 0, each event caused by the one before. */
function eventsOf(runId: string, said: readonly Said[]): readonly Json[] {
  return said.map(([type, payload = {}, nodeId], sequence) => ({
    eventId: `${runId}-${sequence}`,
    runId,
    type,
    sequence,
    payload,
    timestamp: '2026-01-01T00:00:00.000Z',
    ...(nodeId === undefined ? {} : { nodeId }),
    ...(sequence === 0 ? {} : { causationId: `${runId}-${sequence - 1}` }),
  }));
}

/** A run that completed, read to its end: an empty log where none is given. */
export function recordedRun(
  runId: string | null,
  more: Partial<Recorded<RunObservation>> = {},
): Recorded<RunObservation> {
  return {
    id: 'o1',
    type: 'run',
    role: 'source',
    fork: null,
    answered: 201,
    answer: { runId, status: 'pending' },
    runId,
    problem: null,
    events: [],
    snapshot: { runId, status: 'completed', variables: {}, channels: {} },
    exchanges: ['x1'],
    ...more,
  };
}

/** The run of an id whose log says this; a source where no other role is given. */
export function runCalled(
  runId: string,
  said: readonly Said[],
  more: Partial<RunObservation> = {},
): Recorded<RunObservation> {
  return recordedRun(runId, { id: `o-${runId}`, events: eventsOf(runId, said), exchanges: [], ...more });
}

/** A replay of a run, whose log says this. */
export function replayCalled(
  runId: string,
  said: readonly Said[],
  more: Partial<RunObservation> & { readonly from?: number; readonly of?: string } = {},
): Recorded<RunObservation> {
  const { from, of = 'src', ...others } = more;
  const fork = { sourceRunId: of, mode: 'replay', fromSeq: from ?? null, advertised: true };
  return runCalled(runId, said, { role: from === undefined ? 'full replay' : `replay from ${from}`, fork, ...others });
}

/** A run of a workflow of ours and a replay of it, called after it. */
export function withReplay(
  name: string,
  ran: readonly Said[],
  replayed: readonly Said[],
): readonly Recorded<Observation>[] {
  return [
    runCalled(name, ran, { role: `source of conformance-${name}` }),
    replayCalled(`${name}-replay`, replayed, { of: name, role: `replay of ${name}` }),
  ];
}

/** The run of a role whose log says this; its observation is named by the role. */
export function runAs(
  role: string,
  said: readonly Said[],
  more: Partial<RunObservation> = {},
): Recorded<RunObservation> {
  const runId = `run-${role.replaceAll(' ', '-')}`;
  return recordedRun(runId, { id: role, role, events: eventsOf(runId, said), exchanges: [`x-${role}`], ...more });
}

/** That a run was forked from another one in replay mode. */
export function replayOf(source: RunObservation, fromSeq: number): { readonly fork: ForkFacts } {
  return { fork: { sourceRunId: source.runId, mode: 'replay', fromSeq, advertised: true } };
}

/** The same run as one that was not read to its end. */
export function unfinished(run: Recorded<RunObservation>): Recorded<RunObservation> {
  return { ...run, events: [], problem: 'the run has not ended' };
}

/** A run that was not read to its end. */
export function unfinishedRun(
  role: string,
  problem: string,
  more: Partial<RunObservation> = {},
): Recorded<RunObservation> {
  return runAs(role, [], { problem, snapshot: null, ...more });
}

/** The same fork as one that the host refused, although it offers the mode. */
export function refusedRun(run: Recorded<RunObservation>): Recorded<RunObservation> {
  return { ...run, answered: 501, runId: null, events: [], problem: 'the request was answered with 501' };
}

/** A replay of an advertised mode that was refused. */
export function refusedReplay(role: string, source: RunObservation): Recorded<RunObservation> {
  const problem = 'the request was answered with 501';
  return unfinishedRun(role, problem, { ...replayOf(source, 0), answered: 501, runId: null });
}

/** An observation of another type. */
export function observed(id: string, type: string, members: object): Recorded<Observation> {
  return { id, type, exchanges: [], ...members };
}

/** A call that the witness had. */
export function witnessed(more: Partial<WitnessCall> = {}): Json {
  const call: WitnessCall = {
    kind: 'effect',
    name: '',
    method: 'POST',
    idempotencyKey: null,
    body: null,
    answer: null,
  };
  return { ...call, ...more };
}

/** Options for judges that read none. */
export const OPTIONS: ScenarioOptions = {
  seed: 1,
  vectors: 1,
  forks: 6,
  crash: 'quick',
  recipe: 'rfc-0041',
  volatile: [],
};

/** What a scenario says of one of its checks. */
export function judgementIn(
  scenario: Scenario,
  check: string,
  recorded: readonly Recorded<Observation>[],
  options: Partial<ScenarioOptions> = {},
): Judgement {
  const judgement = scenario.judge(recorded, { ...OPTIONS, ...options }).find((each) => each.check === check);
  if (judgement === undefined) throw new Error(`${scenario.id} has no check ${check}`);
  return judgement;
}

/** What a scenario says of one of its checks, as `verdict` or `verdict code`. */
export function verdictOf(
  scenario: Scenario,
  check: string,
  recorded: readonly Recorded<Observation>[],
  everything?: Everything,
): string {
  const judgement = scenario.judge(recorded, OPTIONS, everything).find((each) => each.check === check);
  const code = judgement?.diagnosis?.code;
  return `${judgement?.verdict ?? 'none'}${code === undefined ? '' : ` ${code}`}`;
}
