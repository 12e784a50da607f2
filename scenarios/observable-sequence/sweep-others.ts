import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { createSemaphore, type Semaphore } from '../../src/host/semaphore.ts';
import { shareOf } from '../../src/host/share.ts';
import { endOf } from '../../src/protocol/run-status.ts';
import type { ScenarioOptions } from '../../src/runner/scenario.ts';
import { startAnswered } from '../shared/answered-run.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import { SOURCE_OF } from '../shared/fixture-sources.ts';
import { ASKING } from '../shared/past-question.ts';
import { isSeen, type RunObservation } from '../shared/run-observation.ts';
import type { SweptFixture } from '../shared/swept-fixtures.ts';
import { forkEverywhere, readWhole, type SweepObservation } from './fork-everywhere.ts';
import { replayPastAnswers } from './past-answers.ts';
import { planSweep, type LeftOut, type SweepPlan } from './sweep-plan.ts';

/** How many of the workflows that a host advertises were swept. */
export interface SweptObservation extends Observation {
  readonly type: 'swept';
  /** How many there are, fixtures of this project apart. */
  readonly advertised: number;
  readonly swept: number;
  readonly leftOut: readonly LeftOut[];
  /** Those that were named to be swept (`--workflow`); absent where none was. */
  readonly named?: readonly string[];
}

/** Time-outs that all of these workflows may take together: a minute where `--timeout` is not given. */
export const SWEEP_TIMEOUTS = 6;

/** Forks of a log with events of a kind that no log before it had, and of one that has nothing new. */
const [NEW_KIND, ALIKE] = [12, 3];

/** Workflows whose answers another row replays. */
const ASKED_ELSEWHERE: ReadonlySet<string> = new Set(ASKING.map(({ workflowId }) => workflowId));

interface Sweeping {
  /** Drives until the time of the sweep is over. */
  readonly probe: Probe;
  readonly line: Semaphore;
  readonly forks: number;
}

/** Runs and forks the workflows of a host beside the fixtures of rows; each that does not do well costs itself only. */
export async function sweepOthers(
  probe: Probe,
  options: Pick<ScenarioOptions, 'sweep' | 'workflows' | 'forks'>,
): Promise<readonly (SweepObservation | SweptObservation)[]> {
  const plan = planSweep(probe.discovery, options);
  const share = shareOf(probe, probe.timeoutMs * SWEEP_TIMEOUTS);
  try {
    const sweeping = { probe: share.probe, line: createSemaphore(probe.concurrency), forks: options.forks };
    const named = options.workflows?.map(({ workflowId }) => workflowId) ?? [];
    return await sweepPlanned(sweeping, plan, named);
  } finally {
    share.end();
  }
}

async function sweepPlanned(sweeping: Sweeping, plan: SweepPlan, named: readonly string[]) {
  const started = await Promise.all(plan.others.map((fixture) => startOther(sweeping, fixture)));
  const late = started.flatMap(({ fixture, run }) => (run === undefined ? [fixture.workflowId] : []));
  const known: ReadonlySet<string>[] = [];
  const ended = started.flatMap(({ fixture, run }) => (run === undefined ? [] : [{ fixture, run }]));
  const driven = await Promise.all(ended.map((each) => forkOther(sweeping, each, known)));
  const leftOut = [...late.map((workflowId) => ({ workflowId, why: 'time' })), ...plan.leftOut];
  const swept = plan.always + plan.others.length - late.length;
  const share = { advertised: plan.advertised, swept, leftOut, ...(named.length === 0 ? {} : { named }) };
  return [...driven.flat(), { type: 'swept', ...share, exchanges: [] } as const];
}

interface Started {
  readonly fixture: SweptFixture;
  /** Undefined where the time was over before it ended. */
  readonly run: RunObservation | undefined;
}

async function startOther({ probe, line }: Sweeping, fixture: SweptFixture): Promise<Started> {
  const { workflowId, given, answer, ends } = fixture;
  const how = { role: SOURCE_OF + workflowId, ms: probe.timeoutMs, answer, cancel: ends === 'cancelled' };
  return line(async () => {
    if (probe.signal.aborted) return { fixture, run: undefined };
    const run = await startAnswered(probe, { workflowId, inputs: {}, ...given }, how);
    return { fixture, run: probe.signal.aborted && !isSeen(run) ? undefined : run };
  });
}

/** Forks a run that ended as its workflow has to: everywhere, or at a few places where its log has nothing new. */
async function forkOther(
  { probe, line, forks }: Sweeping,
  { fixture, run }: Started & { readonly run: RunObservation },
  known: ReadonlySet<string>[],
): Promise<readonly SweepObservation[]> {
  if (!isSeen(run)) return [run];
  if (endOf(eventsOf(run)) !== (fixture.ends === 'failed' ? 'failed' : 'completed')) {
    return [run, ...(await line(() => readWhole(probe, run)))];
  }
  const kinds = new Set(eventsOf(run).map(({ type }) => type));
  const isAlike = known.some((others) => [...kinds].every((kind) => others.has(kind)));
  known.push(kinds);
  // What was waited for in vain here counts nowhere else.
  const share = shareOf(probe, probe.timeoutMs * SWEEP_TIMEOUTS);
  try {
    const most = Math.min(forks, isAlike ? ALIKE : NEW_KIND);
    const [everywhere, past] = await Promise.all([
      forkEverywhere({ probe: share.probe, line, forks: most }, run),
      ASKED_ELSEWHERE.has(fixture.workflowId) ? [] : line(() => replayPastAnswers(share.probe, run)),
    ]);
    const driven = [...everywhere, ...past];
    const isCut = (each: SweepObservation): boolean =>
      probe.signal.aborted && each.type === 'run' && each.fork !== null && !isSeen(each);
    return driven.filter((each) => !isCut(each));
  } finally {
    share.end();
  }
}
