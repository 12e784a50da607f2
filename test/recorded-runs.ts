import type { Judgement } from '../src/contract/verdict.ts';
import type { Json, Observation } from '../src/evidence/types.ts';
import type { WitnessCall } from '../src/evidence/witness.ts';
import type { Recorded, Scenario, ScenarioOptions } from '../src/runner/scenario.ts';
import type { RunObservation } from '../scenarios/shared/run-observation.ts';

/** One event of a log that is written by hand: type, payload and node. */
export type Told = readonly [type: string, payload?: Json, nodeId?: string];

/** A run whose log tells what is given, from sequence 0 on, and which was seen to its end. */
export function toldRun(
  runId: string,
  told: readonly Told[],
  more: Partial<RunObservation> = {},
): Recorded<RunObservation> {
  const events = told.map(([type, payload = {}, nodeId], sequence): Json => ({
    eventId: `${runId}-${sequence}`,
    runId,
    type,
    sequence,
    payload,
    timestamp: '2026-01-01T00:00:00.000Z',
    ...(nodeId === undefined ? {} : { nodeId }),
  }));
  return {
    id: `o-${runId}`,
    type: 'run',
    role: 'source',
    fork: null,
    answered: 201,
    answer: null,
    runId,
    problem: null,
    events,
    snapshot: { runId, status: 'completed' },
    exchanges: [],
    ...more,
  };
}

/** A replay of a run, told like it. */
export function toldReplay(
  runId: string,
  told: readonly Told[],
  more: Partial<RunObservation> & { readonly from?: number; readonly of?: string } = {},
): Recorded<RunObservation> {
  const { from, of = 'src', ...others } = more;
  const fork = { sourceRunId: of, mode: 'replay', fromSeq: from ?? null, advertised: true };
  return toldRun(runId, told, { role: from === undefined ? 'full replay' : `replay from ${from}`, fork, ...others });
}

/** The same run as one that could not be seen to its end. */
export function unseenRun(run: Recorded<RunObservation>): Recorded<RunObservation> {
  return { ...run, problem: 'the run has not ended' };
}

/** The same fork as one that the host refused, although it offers the mode. */
export function refusedFork(run: Recorded<RunObservation>): Recorded<RunObservation> {
  return { ...run, answered: 501, runId: null, events: [], problem: 'the request was answered with 501' };
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
  seen: readonly Recorded<Observation>[],
  options: Partial<ScenarioOptions> = {},
): Judgement {
  const judgement = scenario.judge(seen, { ...OPTIONS, ...options }).find((each) => each.check === check);
  if (judgement === undefined) throw new Error(`${scenario.id} has no check ${check}`);
  return judgement;
}

/** What a scenario says of one of its checks, as `verdict` or `verdict code`. */
export function verdictOf(scenario: Scenario, check: string, seen: readonly Recorded<Observation>[]): string {
  const judgement = scenario.judge(seen, OPTIONS).find((each) => each.check === check);
  const code = judgement?.diagnosis?.code;
  return `${judgement?.verdict ?? 'none'}${code === undefined ? '' : ` ${code}`}`;
}
