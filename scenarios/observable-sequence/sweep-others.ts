import { readPart } from '../../src/contract/discovery.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { createSemaphore, type Semaphore } from '../../src/host/semaphore.ts';
import { shareOf } from '../../src/host/share.ts';
import { endOf } from '../../src/protocol/run-status.ts';
import type { AddedWorkflow, ScenarioOptions } from '../../src/runner/scenario.ts';
import { startAnswered } from '../shared/answered-run.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import { fixtureOf, SOURCE_OF } from '../shared/fixture-sources.ts';
import { ASKING, PAST_ANSWERS, replayAnswered } from '../shared/past-question.ts';
import { PUBLIC } from '../shared/public-workflows.ts';
import { isObserved, type RunObservation } from '../shared/run-observation.ts';
import { SHORT, SWEPT, type SweptFixture } from '../shared/swept-fixtures.ts';
import { forkEverywhere, readWhole, replayAgain, type SweepObservation } from './fork-everywhere.ts';

/** A workflow that is not swept, and why. */
interface LeftOut {
  readonly workflowId: string;
  readonly why: string;
}

/** Which workflows are swept beside the fixtures that rows drive themselves. */
interface SweepPlan {
  /** How many workflows the host advertises, those that were added among them, fixtures of this project apart. */
  readonly advertised: number;
  /** Those of them that are swept in any case. */
  readonly always: number;
  readonly others: readonly SweptFixture[];
  readonly leftOut: readonly LeftOut[];
}

/** Fixtures of this project that are not swept diverge by design, or need what only their rows know. */
const OWN = /^conformance-determinism-/u;

/** An id that can be shown as it is. */
const PLAIN = /^[^\p{C}]{1,200}$/u;

/** As many ids of a discovery document are looked at. */
const READ_IDS = 2000;

const ALWAYS: ReadonlySet<string> = new Set(SWEPT.map(({ workflowId }) => workflowId));

/**
 * Plans a sweep of whatever the host advertises in `fixtures`: workflows that were added first, then the public ones, then
 * all others, in the order in which the host names them; `sweep` bounds how many. A host that lists none may have the public
 * ones all the same.
 */
export function planSweep(
  document: unknown,
  { sweep = 'all', workflows = [], forks }: Pick<ScenarioOptions, 'sweep' | 'workflows' | 'forks'>,
): SweepPlan {
  const named = [...new Set(readPart(document, 'fixtures').slice(0, READ_IDS))];
  const listed = named.filter((id) => PLAIN.test(id));
  const given = workflows.map(withInputs);
  const added = new Set(workflows.map(({ workflowId }) => workflowId));
  const isShort = forks < SHORT;
  const isOther = (id: string): boolean => !added.has(id) && !ALWAYS.has(id) && !OWN.test(id);
  const known = new Set(PUBLIC.map(({ workflowId }) => workflowId));
  const hasNone = listed.length === 0;
  const ofPublic = PUBLIC.filter(({ workflowId, like }) =>
    hasNone ? like === undefined : isOther(workflowId) && listed.includes(workflowId),
  );
  const unknown = listed.filter((id) => isOther(id) && !known.has(id)).map((workflowId) => ({ workflowId }));
  const candidates: readonly SweptFixture[] = [...ofPublic, ...unknown];
  const kept = candidates.filter(({ like }) => !isShort || like === undefined);
  const most = sweep === 'all' ? kept.length : Math.min(sweep, kept.length);
  const others = kept.slice(0, most);
  const always = listed.filter((id) => ALWAYS.has(id) && !OWN.test(id) && !added.has(id)).length;
  return {
    advertised: given.length + always + candidates.length + (named.length - listed.length),
    always,
    others: [...given, ...others],
    leftOut: [
      ...kept.slice(most).map(({ workflowId }) => ({ workflowId, why: `--sweep ${String(sweep || 'none')}` })),
      ...candidates.filter((each) => !kept.includes(each)).map(({ workflowId }) => ({ workflowId, why: FEW_FORKS })),
      ...named.filter((id) => !PLAIN.test(id)).map(() => ({ workflowId: 'an id', why: 'it cannot be shown' })),
    ],
  };
}

const FEW_FORKS = `another one is like it, and --forks is below ${SHORT}`;

/** A workflow with inputs of somebody's own; what is known of a public one holds as well. */
function withInputs({ workflowId, given }: AddedWorkflow): SweptFixture {
  const known = [...PUBLIC, ...SWEPT].find((each) => each.workflowId === workflowId) ?? { workflowId };
  return given === undefined ? known : { ...known, given: { ...known.given, inputs: given.inputs } };
}

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
    return { fixture, run: probe.signal.aborted && !isObserved(run) ? undefined : run };
  });
}

/** Forks a run that ended as its workflow has to: everywhere, or at a few places where its log has nothing new. */
async function forkOther(
  { probe, line, forks }: Sweeping,
  { fixture, run }: Started & { readonly run: RunObservation },
  known: ReadonlySet<string>[],
): Promise<readonly SweepObservation[]> {
  if (!isObserved(run)) return [run];
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
    const again = await replayAgain({ probe: share.probe, line, forks: most }, everywhere);
    const driven = [...everywhere, ...again, ...past];
    const isCut = (each: SweepObservation): boolean =>
      probe.signal.aborted && each.type === 'run' && each.fork !== null && !isObserved(each);
    return driven.filter((each) => !isCut(each));
  } finally {
    share.end();
  }
}

/**
 * A replay of all of a run that somebody answered, as its log says, and one of that; none of other runs. One that asks again has
 * as long as any run to go on by itself, and is cancelled then.
 */
async function replayPastAnswers(probe: Probe, source: RunObservation): Promise<readonly RunObservation[]> {
  if (!eventsOf(source).some(({ type }) => type === 'interrupt.resolved')) return [];
  const role = PAST_ANSWERS + fixtureOf(source);
  const first = await replayAnswered(probe, source, role);
  return isObserved(first) ? [first, await replayAnswered(probe, first, `${role}, replayed`)] : [first];
}
