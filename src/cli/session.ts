import { randomInt } from 'node:crypto';
import { present } from '../contract/present.ts';
import { applyBaseline } from '../baseline/apply.ts';
import type { Baseline } from '../baseline/baseline.ts';
import { packageVersion } from '../contract/package-root.ts';
import type { ExitCode, Report } from '../contract/report.ts';
import { createRecorder } from '../evidence/recorder.ts';
import { createRedactor, isOrdinaryWord, type Redactor } from '../evidence/redact.ts';
import type { EvidenceRecord, Json } from '../evidence/types.ts';
import type { Witness } from '../evidence/witness.ts';
import type { CrashHost, CrashHosts } from '../host/crash-host.ts';
import { judgeRun } from '../runner/judge.ts';
import type { JudgeOptions } from '../runner/judge-scenarios.ts';
import { driveRun, type RunOptions } from '../runner/run.ts';
import { selectScenarios } from '../runner/select.ts';
import { shardOf } from '../runner/shard.ts';
import { killsHosts, type Scenario } from '../runner/scenario.ts';
import { credentialsOf, type Target } from '../runner/target.ts';
import { type ListenAddress, volatilePlaces } from './arguments.ts';
import { allNames, readBaselineFile } from './baseline-file.ts';
import { watchFailures } from './enough-failures.ts';
import { checkFiles, isStandardOutput, type NamedFile, namedFiles } from './files.ts';
import { INTERRUPT_CODES, watchForInterrupt } from './interruption.ts';
import type { RunFlags, ScenarioFlags } from './options.ts';
import { judgingTime } from './judging-time.ts';
import { openEvidence, type Output, outputFiles, readOutputs, writeOutputs } from './output.ts';
import { type ProgressView, watchProgress } from './progress.ts';
import { liftBeforePrinting, printError } from './printer.ts';
import { SUITES } from '../../scenarios/index.ts';
import { UsageError } from '../contract/usage-error.ts';
import { required } from './judge-recorded.ts';
import { type RequestedRegistration, readRegistration } from './registration.ts';
import { withWitness } from './witness.ts';
import { readWorkflows, workflowFiles } from './workflows.ts';

/** The scenarios that the flags select; selecting nothing is a usage error. */
export function selectedScenarios(flags: ScenarioFlags): readonly Scenario[] {
  const selected = selectScenarios(SUITES, {
    suites: flags.suite ?? [],
    scenarios: flags.scenario ?? [],
    requirements: flags.requirement ?? [],
    exclude: flags.exclude ?? [],
  });
  if (!selected.ok) throw new UsageError(selected.message);
  const { shard } = flags;
  return shard === undefined ? selected.scenarios : shardOf(selected.scenarios, shard);
}

/** The seed of shards where none is given: all of them ask for the same. */
const SHARDS_SEED = 1;

/** What a run is lent beside its target. */
export interface Lent {
  readonly witness?: Witness | undefined;
  /** The command that starts the target anew, where it is no host of somebody's. */
  readonly command?: 'self-test';
  /** Hears of the verdicts before they are written. */
  readonly onReport?: (checks: Report['checks']) => void;
  /** Hosts that scenarios may kill; they are opened only where one does, and until then nothing runs. */
  readonly openCrashHosts?: (signal: AbortSignal) => Promise<CrashHosts>;
}

/**
 * A whole run from flags to reports: drives the target, judges the evidence, writes the reports, returns the exit
 * code. It opens a witness itself where a scenario needs one and none is lent.
 */
export async function conductRun(target: Target, flags: RunFlags, lent: Lent = {}): Promise<ExitCode> {
  const { outputs, ...prepared } = await prepareRun(target, flags);
  const { scenarios, options, baseline } = prepared;
  const signal = watchForInterrupt();
  const work = (witness: Witness | undefined) =>
    recordRun({ ...prepared, target, flags, lent: { ...lent, witness }, signal });
  const run = await (lent.witness === undefined ? withWitness(flags, scenarios, work) : work(lent.witness));
  const judgedRun = judgeRun(run.records, SUITES, { ...options, isOver: judgingTime() });
  const report = exitedBySignal(baseline === undefined ? judgedRun : applyBaseline(judgedRun, baseline, options));
  lent.onReport?.(report.checks);
  const isTaken = flags.evidence !== undefined && isStandardOutput(flags.evidence);
  return writeOutputs(report, outputs, { ...flags, lost: run.lost, records: run.records, isTaken });
}

/** What a run is made of, once its flags were read. */
export interface PreparedRun {
  readonly scenarios: readonly Scenario[];
  readonly outputs: readonly Output[];
  readonly options: JudgeOptions;
  readonly registration: RequestedRegistration | undefined;
  readonly baseline: Baseline | undefined;
}

/** Reads and checks all that a run's flags name, before anything is sent. Throws UsageError. */
export async function prepareRun({ baseUrl }: Target, flags: RunFlags): Promise<PreparedRun> {
  const scenarios = selectedScenarios(flags);
  const outputs = await readOutputs(flags.reporter);
  checkFiles(filesRead(flags), [...outputFiles(outputs), ...namedFiles({ '--evidence': flags.evidence })]);
  const { shard: _part, ...whole } = flags;
  // What nothing of falls to this shard may be decided by another one.
  const options = judgeOptions(flags, selectedScenarios(whole));
  const registration = readRegistration(flags, baseUrl);
  const baseline = flags.baseline === undefined ? undefined : readBaselineFile(flags.baseline, allNames());
  return { scenarios, outputs, options, registration, baseline };
}

/** The files that a run with these flags reads. */
export function filesRead({ apiKeyFile, typeMap, workflow, baseline, lastFailed }: RunFlags): readonly NamedFile[] {
  return [
    ...namedFiles({ '--baseline': baseline, '--last-failed': lastFailed }),
    ...namedFiles({ '--api-key-file': apiKeyFile, '--type-map': typeMap }),
    ...workflowFiles(workflow).map((path) => ({ option: '--workflow', path })),
  ];
}

/** An interrupted run ends as its signal says, whatever was found before; its evidence, judged later, does not. */
function exitedBySignal(report: Report): Report {
  const { interrupted } = report;
  if (interrupted === undefined || interrupted === 'AbortSignal') return report;
  return { ...report, exitCode: INTERRUPT_CODES[interrupted] };
}

interface Recording extends Omit<PreparedRun, 'outputs'> {
  readonly target: Target;
  readonly flags: RunFlags;
  readonly lent: Lent;
  /** Aborts when the run is interrupted. */
  readonly signal: AbortSignal;
}

interface RecordedRun {
  readonly records: readonly EvidenceRecord[];
  /** What was recorded and could not be written. */
  readonly lost: readonly string[];
}

async function recordRun(recording: Recording): Promise<RecordedRun> {
  const { target, flags, signal, options, baseline } = recording;
  const file = flags.evidence === undefined ? undefined : openEvidence(flags.evidence);
  const progress = flags.quiet === true ? undefined : watched(flags);
  liftBeforePrinting(progress?.lift);
  let crash: CrashHosts | undefined;
  try {
    crash = await openCrashHosts(recording, signal);
    const keys = (crash?.hosts ?? []).map(({ apiKey }) => apiKey).filter((key) => key !== undefined);
    const credentials = [...credentialsOf(target), ...keys];
    if (credentials.some(isOrdinaryWord)) {
      printError('hint: a credential is a short plain word; it is removed from headers only, not from texts\n');
    }
    const recorder = createRecorder(createRedactor(credentials), (record) => file?.write(record));
    const more = { signal, crashHosts: crash?.hosts, redact: recorder.redact };
    const { records } = recorder;
    const watch =
      flags.maxFailures === undefined
        ? undefined
        : watchFailures(flags.maxFailures, { records, options, baseline, maxTimeMs: flags.maxTime });
    const onProgress: RunOptions['onProgress'] = (state) => progress?.show(state);
    const stops = watch === undefined ? {} : { enough: watch.signal, onDriven: watch.onDriven };
    await driveRun({ ...runOptions(recording, more), ...stops, onProgress }, recorder);
    const reason = file?.close();
    const lost = reason === undefined ? [] : [`the evidence: ${flags.evidence}: ${reason}`];
    return { records, lost };
  } finally {
    progress?.close();
    liftBeforePrinting(undefined);
    await crash?.close();
    file?.close();
  }
}

function watched({ maxTime: maxTimeMs }: RunFlags): ProgressView {
  const { CI: pipeline = '' } = process.env;
  const isPipeline = pipeline !== '' && pipeline !== 'false';
  return watchProgress({ stream: process.stderr, suites: SUITES, isPipeline, maxTimeMs });
}

/** Hosts of the harness's own, where they are lent and a scenario may kill them. */
async function openCrashHosts(
  { lent, scenarios, options }: Recording,
  signal: AbortSignal,
): Promise<CrashHosts | undefined> {
  return options.crash !== 'none' && scenarios.some(killsHosts) ? lent.openCrashHosts?.(signal) : undefined;
}

interface More {
  readonly signal: AbortSignal;
  readonly crashHosts: readonly CrashHost[] | undefined;
  readonly redact: Redactor;
}

function runOptions(
  { target, scenarios, options, flags, lent: { witness, command }, registration }: Recording,
  more: More,
): RunOptions {
  const { concurrency, timeout: timeoutMs, maxTime: maxTimeMs, otel = false, restartCommand } = flags;
  const shown = {
    ...options,
    // What a workflow is given stands in the requests.
    workflows: (options.workflows ?? []).map(({ workflowId, given }) =>
      given === undefined ? { workflowId } : { workflowId, file: given.file },
    ),
    suite: flags.suite ?? [],
    ...present({ scenario: flags.scenario, shard: flags.shard && { ...flags.shard } }),
    ...present({ lastFailed: flags.lastFailed === undefined ? undefined : true, maxFailures: flags.maxFailures }),
    concurrency,
    timeout: timeoutMs,
    maxTime: maxTimeMs,
    otel,
    witnessUrl: witness?.baseUrl ?? null,
    ...present({ command }),
    ...forReproduction(flags, target),
    ...present({ restartCommand: restartCommand && more.redact(restartCommand) }),
  };
  return {
    target,
    scenarios,
    options,
    shown,
    tool: { name: 'openwop-conformance', version: packageVersion() },
    concurrency,
    timeoutMs,
    maxTimeMs,
    witness,
    otel,
    crashHosts: more.crashHosts,
    restartCommand,
    registration: registration?.(witness?.baseUrl),
    signal: more.signal,
  };
}

/** What a command that drives a scenario again has to say, where it was said: addresses, and names of variables. */
function forReproduction(
  { apiKeyFile, witnessListen, witnessUrl, register, typeMap }: RunFlags,
  { variables }: Target,
): { readonly [name: string]: Json } {
  const address = present({ listen: witnessListen && authority(witnessListen), url: witnessUrl });
  return {
    ...(Object.keys(address).length === 0 ? {} : { witnessAddress: address }),
    ...present({ apiKeyFile, register, typeMap, credentialVariables: variables && { ...variables } }),
  };
}

function authority({ hostname, port }: ListenAddress): string {
  return `${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`;
}

function judgeOptions(flags: RunFlags, scenarios: readonly Scenario[]): JudgeOptions {
  const workflows = readWorkflows(flags.workflow);
  const require = required(flags, scenarios);
  volatilePlaces(flags.volatile);
  return {
    seed: flags.seed ?? (flags.shard === undefined ? randomInt(2 ** 31 - 1) : SHARDS_SEED),
    vectors: flags.vectors,
    forks: flags.forks,
    sweep: flags.sweep ?? 'all',
    workflows,
    crash: flags.crash,
    recipe: flags.recipe,
    level: flags.level ?? 'must',
    allowInconclusive: flags.allowInconclusive ?? false,
    requirements: flags.requirement ?? [],
    ...present({ exclude: flags.exclude }),
    require,
    volatile: flags.volatile ?? [],
  };
}
