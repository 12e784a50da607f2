import { expect } from 'vitest';
import type { Json } from '../src/evidence/types.ts';
import type { ScenarioOptions } from '../src/runner/scenario.ts';
import type { StepName } from '../scenarios/refusal-divergence/observation.ts';
import { refusalToValid, validToRefusal } from '../scenarios/refusal-divergence/directions.ts';
import type { observed, Runs } from './refusal-runs.ts';

type Run = NonNullable<Runs[StepName]>;
export type Members = Readonly<Record<string, Json>>;

export const OPTIONS: ScenarioOptions = {
  seed: 7,
  vectors: 1,
  forks: 1,
  crash: 'quick',
  recipe: 'rfc-0041',
  volatile: [],
};
export const RAISED = 'replay.divergedAtRefusal';
/** Every reading of a replay with the other kind of envelope. */
export const REPLAYS = ['changed', 'changed-whole', 'changed-from-call'] as const;

/** The verdicts that are no pass, by check, without the direction. */
export function judged(
  observations: ReturnType<typeof observed>,
  original: 'valid' | 'refusal' = 'valid',
): Record<string, string> {
  const scenario = original === 'valid' ? validToRefusal : refusalToValid;
  const judgements = scenario.judge(observations, OPTIONS);
  expect(judgements.map(({ check }) => check)).toEqual(scenario.checks.map(({ id }) => id));
  // Calls of the mock model cannot be counted, so that this row is open on that way alone.
  const others = judgements.filter(
    ({ check, verdict }) => verdict !== 'pass' && !(verdict === 'inconclusive' && check === 'refusal.cached-refusal'),
  );
  return Object.fromEntries(others.map(({ check, verdict }) => [shortName(check), verdict]));
}

function shortName(check: string): string {
  const [, row = '', direction] = check.split('.');
  return direction === undefined && /^(valid|refusal)-to-/.test(row) ? 'raised' : row;
}

/** The runs with some of them changed. */
export function edited(runs: Runs, steps: readonly StepName[], change: (run: Run) => object): Runs {
  const changes = steps.flatMap((step) => {
    const run = runs[step];
    return run === undefined ? [] : [[step, { ...run, ...change(run) }] as const];
  });
  return { ...runs, ...Object.fromEntries(changes) };
}

/** Changes some of the runs. */
export function editing(steps: readonly StepName[], change: (run: Run) => object): (runs: Runs) => Runs {
  return (runs) => edited(runs, steps, change);
}

/** The events of a type replaced; an empty list takes them away. */
export function replacing(type: string, change: (event: Members) => readonly Members[]) {
  return (run: Run): object => ({
    events: run.events
      .map((event) => event as Members)
      .flatMap((event) => (event['type'] === type ? change(event) : [event])),
  });
}

/** The payload of every replay.divergedAtRefusal replaced. */
export function withPayload(members: (payload: Members) => Members) {
  return replacing(RAISED, (event) => [{ ...event, payload: members(event['payload'] as Members) }]);
}

/** A payload without some of its members. */
export function without(payload: Members, ...names: readonly string[]): Members {
  return Object.fromEntries(Object.entries(payload).filter(([name]) => !names.includes(name)));
}

/** Members of the payload of every replay.divergedAtRefusal replaced. */
export function withMembers(members: Members) {
  return withPayload((payload) => ({ ...payload, ...members }));
}

/** The snapshot's members replaced. */
export function withSnapshot(members: Members) {
  return (run: Run): object => ({ snapshot: { ...(run.snapshot as Members), ...members } });
}

/** What another run shows, in the place of a run's own. */
export function like(other: Run | undefined) {
  return (): object => ({ events: other?.events, snapshot: other?.snapshot });
}
