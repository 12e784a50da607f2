import { setMaxListeners } from 'node:events';
import type { Recorder } from '../evidence/recorder.ts';
import { EvidenceFull } from '../evidence/budget.ts';
import { redactJson } from '../evidence/redact.ts';
import type { EvidenceRecord, Json, PlanRecord } from '../evidence/types.ts';
import type { Witness } from '../evidence/witness.ts';
import { DEFAULT_BODY_BYTES, DEFAULT_HEADER_BYTES, DEFAULT_LOG_BYTES, type HostHandle } from '../host/client.ts';
import { createStandstill } from '../host/log/standstill.ts';
import { createWays } from '../host/log/ways.ts';
import { createRunIds } from '../host/run-ids.ts';
import type { RunRequest } from '../host/runs.ts';
import { createHostClient } from '../host/undici-client.ts';
import { createCrashPool } from '../host/crash-bench.ts';
import type { CrashHost } from '../host/crash-host.ts';
import { foreignHost } from '../host/foreign-host.ts';
import { endedBy, ranOutOf, stoppedAfter, stopping, whyStopped } from './stopped.ts';
import { type Approach, preflight, type PreflightObservation } from './preflight.ts';
import { type Discovered, discover, documentOf, shownIn } from './discovered.ts';
import { createProbe, type ProbeSetup } from './probes.ts';
import { observeTarget, PLAN, planScenarios } from './plan.ts';
import { type Registered, registerLacking, type Registration } from './registration.ts';
import { silenceIn } from './silence.ts';
import { schedule } from './schedule.ts';
import { type AddedWorkflow, killsHosts, type Scenario, type ScenarioOptions, usesWitness } from './scenario.ts';
import { inProcess, type Target, variableOf } from './target.ts';

/** What a run is asked to do. */
export interface RunOptions {
  readonly target: Target;
  readonly scenarios: readonly Scenario[];
  readonly options: ScenarioOptions;
  /** All options as they stand in the evidence and in the report. */
  readonly shown: { readonly [name: string]: Json };
  readonly tool: { readonly name: string; readonly version: string };
  readonly concurrency: number;
  readonly timeoutMs: number;
  /** Milliseconds after which nothing more is driven; no bound where absent. */
  readonly maxTimeMs?: number | undefined;
  /** The harness's own endpoints, where they listen. */
  readonly witness?: Witness | undefined;
  /** Whether the host was told to export its spans to the witness. */
  readonly otel?: boolean;
  /** Hosts of the harness's own that scenarios may kill; the target itself where there are none. */
  readonly crashHosts?: readonly CrashHost[] | undefined;
  /** A command for the shell that starts the target again after it was killed. */
  readonly restartCommand?: string | undefined;
  /** Where the fixtures that the host lacks are registered; nowhere where absent. */
  readonly registration?: Registration | undefined;
  /** Aborts the run: what was driven so far is still judged. */
  readonly signal: AbortSignal;
  /** Ends the run, as enough has failed. */
  readonly enough?: AbortSignal | undefined;
  /** Called with a scenario that was driven, when all that was recorded of it is. */
  readonly onDriven?: (scenario: Scenario) => void;
  readonly onProgress?: (progress: Progress) => void;
}

export interface Progress {
  readonly done: number;
  readonly total: number;
  /** The scenario that has just begun, or ended. */
  readonly current: string;
  readonly hasEnded: boolean;
  /** All that are driven in this run. */
  readonly scenarios: readonly string[];
}

/** Enough for a slow host that answers all of a scenario's requests just within the time-out of each. */
const DEFAULT_PATIENCE = 30;
const GRACE_MS = 250;

/** Drives the selected scenarios on the target; everything that is learned goes into the recorder, nothing is judged. */
export async function driveRun(run: RunOptions, recorder: Recorder): Promise<void> {
  const start = performance.now();
  setMaxListeners(0, run.signal);
  const { target, timeoutMs, concurrency } = run;
  recorder.add({
    kind: 'run',
    evidenceVersion: 1,
    tool: run.tool,
    target: {
      baseUrl: recorder.redact(target.baseUrl),
      ...(target.baseUrlB === undefined ? {} : { baseUrlB: recorder.redact(target.baseUrlB) }),
    },
    options: run.shown,
    scenarios: run.scenarios.map((scenario) => scenario.id),
    startedAt: new Date().toISOString(),
  });
  const limits = {
    timeoutMs,
    maxBodyBytes: DEFAULT_BODY_BYTES,
    maxLogBytes: DEFAULT_LOG_BYTES,
    maxHeaderBytes: DEFAULT_HEADER_BYTES,
  };
  const client = createHostClient(limits, recorder, concurrency, inProcess(target));
  const runIds = createRunIds((again) => recorder.observation(PLAN, again));
  const { witness } = run;
  const setup: ProbeSetup = {
    client,
    runIds,
    standstill: createStandstill(),
    ways: createWays(timeoutMs),
    target,
    concurrency,
    timeoutMs,
    witness,
    named: run.options.workflows?.map(asItIsRun),
    crash: crashSetup(run),
  };
  const signals = [run.signal, recorder.full, run.enough].filter((signal) => signal !== undefined);
  const stop = stopping(signals, run.maxTimeMs);
  try {
    await planAndDrive({ ...run, signal: stop.signal }, recorder, setup);
    const silence = await silenceIn(recorder.records, recorder.redact(target.baseUrl), async () =>
      shownIn(await discover(target, client, run.signal)),
    );
    if (silence !== undefined) recorder.observation(PLAN, silence);
  } finally {
    stop.cancel();
    await client.close();
  }
  const interrupted = endedBy(run.signal);
  const [failures, used] = [stoppedAfter(stop.signal), ranOutOf(stop.signal)];
  const why = whyStopped(stop.signal);
  const isCut = recorder.records.some(
    (record) =>
      (record.kind === 'driven' && record.message === why) || (record.kind === 'plan' && record.reason === why),
  );
  recorder.add({
    kind: 'end',
    durationMs: Math.round(performance.now() - start),
    ...(interrupted === undefined ? {} : { interrupted }),
    ...(failures === undefined || !isCut ? {} : { stoppedAfter: failures }),
    ...(used === undefined || !isCut ? {} : { ranOutOf: used }),
    written: { exchange: countOf('exchange', recorder), observation: countOf('observation', recorder) },
  });
}

function countOf(kind: EvidenceRecord['kind'], { records }: Recorder): number {
  return records.filter((record) => record.kind === kind).length;
}

function asItIsRun({ workflowId, given }: AddedWorkflow): RunRequest {
  return given === undefined ? { workflowId } : { workflowId, inputs: given.inputs };
}

function crashSetup({ options, target, crashHosts, restartCommand }: RunOptions): ProbeSetup['crash'] {
  const { crash } = options;
  if (crash === 'none') return undefined;
  const { baseUrl, apiKey } = target;
  const variable = variableOf(target, 'apiKey');
  const hosts = crashHosts ?? [foreignHost({ baseUrl, apiKey, variable, restartCommand })];
  return { pool: createCrashPool(hosts), cuts: crash };
}

async function planAndDrive(run: RunOptions, recorder: Recorder, setup: ProbeSetup): Promise<void> {
  const discovered = await discover(run.target, setup.client, run.signal);
  const shown = shownIn(discovered);
  recorder.observation(PLAN, observeTarget(shown, documentOf(shown)));
  const { host } = createProbe(setup, PLAN, run.signal, discovered);
  const hindrance = await preflight(shown, approachOf(run, host));
  if (hindrance !== undefined) recorder.observation(PLAN, hindrance);
  const registered =
    hindrance === undefined ? await registerFixtures(run, recorder, setup, documentOf(shown)) : undefined;
  try {
    await drivePlanned(run, recorder, { ...setup, fixtures: registered?.fixtures }, { discovered, hindrance });
  } finally {
    await registered?.remove();
  }
}

/** Nothing is registered at a host of which nothing is known. */
async function registerFixtures(
  { registration, scenarios, signal }: RunOptions,
  { redact }: Recorder,
  setup: ProbeSetup,
  document: unknown,
): Promise<Registered | undefined> {
  if (registration === undefined || document === undefined) return undefined;
  return registerLacking(registration, { scenarios, setup, document, redact, signal });
}

async function drivePlanned(
  run: RunOptions,
  recorder: Recorder,
  setup: ProbeSetup,
  { discovered, hindrance }: { readonly discovered: Discovered; readonly hindrance: PreflightObservation | undefined },
): Promise<void> {
  const probe = createProbe(setup, PLAN, run.signal, discovered);
  const plan = await planScenarios(
    run.scenarios,
    { ...probe, discovery: redacted(probe.discovery, recorder) },
    { otel: run.otel === true, crash: run.options.crash, hindrance },
  );
  for (const record of plan) recorder.add(hindrance === undefined ? asStopped(record, run.signal) : record);
  const applicable = run.scenarios.filter((_, index) => plan[index]?.status === 'applicable');
  let done = 0;
  const scenarios = applicable.map(({ id }) => id);
  const report = (current: string, hasEnded: boolean): void =>
    run.onProgress?.({ done, total: applicable.length, current, hasEnded, scenarios });
  const driveAll = (some: readonly Scenario[], concurrency: number): Promise<void> =>
    schedule(
      some.map((scenario) => ({
        exclusive: scenario.exclusive,
        run: async () => {
          report(scenario.id, false);
          await driveScenario(scenario, { run, recorder, setup, discovered });
          run.onDriven?.(scenario);
          done += 1;
          report(scenario.id, true);
        },
      })),
      concurrency,
    );
  // What kills the very host that the others use is driven after them, and alone.
  const isLast = (scenario: Scenario): boolean => run.crashHosts === undefined && killsHosts(scenario);
  await driveAll(
    applicable.filter((scenario) => !isLast(scenario)),
    run.concurrency,
  );
  await driveAll(applicable.filter(isLast), 1);
}

/** A plan that was left open as the run ended is so for that, whatever its unanswered requests were taken for. */
function asStopped(record: PlanRecord, signal: AbortSignal): PlanRecord {
  if (!signal.aborted || record.status !== 'inconclusive') return record;
  const { kind, scenario, status } = record;
  return { kind, scenario, status, reason: whyStopped(signal) };
}

function approachOf({ target, timeoutMs, scenarios }: RunOptions, host: HostHandle): Approach {
  const { baseUrl, apiKey } = target;
  const variable = variableOf(target, 'apiKey');
  const needsRuns = scenarios.some(({ documentOnly }) => documentOnly !== true);
  return { host, baseUrl, timeoutMs, variable, hasCredential: apiKey !== undefined, needsRuns };
}

/** The document as evidence holds it: a reason that quotes a part of it must not quote a part of a credential. */
function redacted(document: unknown, recorder: Recorder): unknown {
  return document === undefined ? undefined : redactJson(document as Json, recorder.redact);
}

interface Driving {
  readonly run: RunOptions;
  readonly recorder: Recorder;
  readonly setup: ProbeSetup;
  readonly discovered: Discovered;
}

async function driveScenario(scenario: Scenario, driving: Driving): Promise<void> {
  const { run, recorder, setup } = driving;
  const start = performance.now();
  const driven = (outcome: 'completed' | 'timed-out' | 'error', message?: string): void =>
    recorder.add({
      kind: 'driven',
      scenario: scenario.id,
      outcome,
      ...(message === undefined ? {} : { message }),
      durationMs: Math.round(performance.now() - start),
    });
  // What only reads the document is judged all the same.
  if (run.signal.aborted && scenario.documentOnly !== true) return driven('timed-out', whyStopped(run.signal));
  const budgetMs = run.timeoutMs * (scenario.patience?.(run.options) ?? DEFAULT_PATIENCE);
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  const stop = (): void => controller.abort();
  const grace = afterAbort(controller.signal);
  const timer = setTimeout(stop, budgetMs);
  run.signal.addEventListener('abort', stop, { once: true });
  try {
    // Whoever does not say that it uses a witness gets none, so that a scenario sees by itself what it sees among others.
    const witness = usesWitness(scenario) ? setup.witness : undefined;
    const probe = createProbe({ ...setup, witness }, scenario.id, controller.signal, driving.discovered);
    const observations = await Promise.race([scenario.drive(probe, run.options), grace.over]);
    if (observations === undefined) {
      const why = run.signal.aborted ? whyStopped(run.signal) : `not finished within ${budgetMs} ms`;
      return driven('timed-out', why);
    }
    for (const observation of observations) recorder.observation(scenario.id, observation);
    // What a drive saw before it was ended counts; what it leaves open is not the host's.
    driven('completed', run.signal.aborted && scenario.documentOnly !== true ? whyStopped(run.signal) : undefined);
  } catch (error) {
    if (error instanceof EvidenceFull) return driven('timed-out', error.message);
    driven('error', error instanceof Error ? (error.stack ?? error.message) : String(error));
  } finally {
    clearTimeout(timer);
    grace.cancel();
    run.signal.removeEventListener('abort', stop);
    stop();
  }
}

/** `over` resolves a moment after the signal aborts, so that a drive which stops by itself still wins. */
function afterAbort(signal: AbortSignal): { readonly over: Promise<undefined>; cancel(): void } {
  const cancelled = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<undefined>((resolve) => {
    const wait = (): void => {
      timer = setTimeout(() => resolve(undefined), GRACE_MS);
    };
    signal.addEventListener('abort', wait, { once: true, signal: cancelled.signal });
  });
  return {
    over,
    cancel: () => {
      cancelled.abort();
      clearTimeout(timer);
    },
  };
}
