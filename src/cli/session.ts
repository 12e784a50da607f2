import { randomInt } from 'node:crypto';
import { packageVersion } from '../contract/package-root.ts';
import type { Report } from '../contract/report.ts';
import { openEvidenceFile, type EvidenceFile } from '../evidence/ndjson.ts';
import { readVolatile } from '../event-log/index.ts';
import { createRecorder } from '../evidence/recorder.ts';
import { createRedactor, isOrdinaryWord, type Redactor } from '../evidence/redact.ts';
import type { EvidenceRecord, Json } from '../evidence/types.ts';
import type { Witness } from '../evidence/witness.ts';
import type { CrashHost, CrashHosts } from '../host/crash-host.ts';
import { judgeRun, type JudgeOptions } from '../runner/judge.ts';
import { driveRun, type RunOptions } from '../runner/run.ts';
import { selectScenarios } from '../runner/select.ts';
import { killsHosts, type Scenario } from '../runner/scenario.ts';
import { credentialsOf, type Target } from '../runner/target.ts';
import type { ListenAddress } from './arguments.ts';
import type { RunFlags, ScenarioFlags } from './options.ts';
import { readOutputs, writeOutputs } from './output.ts';
import { createProgressLine } from './progress.ts';
import { printError } from './printer.ts';
import { SUITES } from './suites.ts';
import { UsageError } from './usage-error.ts';
import { withWitness } from './witness.ts';

/** The scenarios that the flags select; selecting nothing is a usage error. */
export function selectedScenarios(flags: ScenarioFlags): readonly Scenario[] {
  const selected = selectScenarios(SUITES, {
    suites: flags.suite ?? [],
    scenarios: flags.scenario ?? [],
    requirements: flags.requirement ?? [],
  });
  if (!selected.ok) throw new UsageError(selected.message);
  return selected.scenarios;
}

/** What a run is lent beside its target. */
export interface Lent {
  readonly witness?: Witness | undefined;
  /** Hosts that scenarios may kill; they are opened only where one does, and until then nothing runs. */
  readonly openCrashHosts?: (signal: AbortSignal) => Promise<CrashHosts>;
}

/**
 * A whole run from flags to reports: drives the target, judges the evidence, writes the reports, returns the report. It
 * opens a witness itself where a scenario needs one and none is lent.
 */
export async function conductRun(target: Target, flags: RunFlags, lent: Lent = {}): Promise<Report> {
  const scenarios = selectedScenarios(flags);
  const outputs = readOutputs(flags.reporter);
  const options = judgeOptions(flags);
  const work = (witness: Witness | undefined) =>
    recordRun({ target, scenarios, options, flags, lent: { ...lent, witness } });
  const records = await (lent.witness === undefined ? withWitness(flags, scenarios, work) : work(lent.witness));
  const report = judgeRun(records, SUITES, options);
  writeOutputs(report, outputs, flags.color);
  return report;
}

interface Recording {
  readonly target: Target;
  readonly scenarios: readonly Scenario[];
  readonly options: JudgeOptions;
  readonly flags: RunFlags;
  readonly lent: Lent;
}

async function recordRun(recording: Recording): Promise<readonly EvidenceRecord[]> {
  const { target, flags } = recording;
  const file = flags.evidence === undefined ? undefined : openEvidence(flags.evidence);
  const progress = createProgressLine(process.stderr);
  const interrupt = new AbortController();
  const stop = (): void => interrupt.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  let crash: CrashHosts | undefined;
  try {
    crash = await openCrashHosts(recording, interrupt.signal);
    const keys = (crash?.hosts ?? []).map(({ apiKey }) => apiKey).filter((key) => key !== undefined);
    const credentials = [...credentialsOf(target), ...keys];
    if (credentials.some(isOrdinaryWord)) {
      printError('hint: a credential is a short plain word; it is removed from headers only, not from texts\n');
    }
    const recorder = createRecorder(createRedactor(credentials), (record) => file?.write(record));
    const more = { signal: interrupt.signal, crashHosts: crash?.hosts, redact: recorder.redact };
    await driveRun({ ...runOptions(recording, more), onProgress: (state) => progress.show(state) }, recorder);
    return recorder.records;
  } finally {
    progress.clear();
    await crash?.close();
    process.off('SIGINT', stop).off('SIGTERM', stop);
    file?.close();
  }
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

function runOptions({ target, scenarios, options, flags, lent: { witness } }: Recording, more: More): RunOptions {
  const { concurrency, timeout: timeoutMs, otel = false, restartCommand } = flags;
  const shown = {
    ...options,
    suite: flags.suite ?? [],
    concurrency,
    timeout: timeoutMs,
    otel,
    witnessUrl: witness?.baseUrl ?? null,
    ...forReproduction(flags, target),
    ...(restartCommand === undefined ? {} : { restartCommand: more.redact(restartCommand) }),
  };
  return {
    target,
    scenarios,
    options,
    shown,
    tool: { name: 'openwop-conformance', version: packageVersion() },
    concurrency,
    timeoutMs,
    witness,
    otel,
    crashHosts: more.crashHosts,
    restartCommand,
    signal: more.signal,
  };
}

/** What a command that drives a scenario again has to say, where it was said: addresses, and names of variables. */
function forReproduction(
  { witnessListen, witnessUrl }: RunFlags,
  { variables }: Target,
): { readonly [name: string]: Json } {
  const listen = witnessListen === undefined ? {} : { listen: authority(witnessListen) };
  const url = witnessUrl === undefined ? {} : { url: witnessUrl };
  return {
    ...(witnessListen === undefined && witnessUrl === undefined ? {} : { witnessAddress: { ...listen, ...url } }),
    ...(variables === undefined ? {} : { credentialVariables: { ...variables } }),
  };
}

function authority({ hostname, port }: ListenAddress): string {
  return `${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`;
}

function judgeOptions(flags: RunFlags): JudgeOptions {
  return {
    seed: flags.seed ?? randomInt(2 ** 31 - 1),
    vectors: flags.vectors,
    forks: flags.forks,
    crash: flags.crash,
    recipe: flags.recipe,
    level: flags.level ?? 'must',
    allowInconclusive: flags.allowInconclusive ?? false,
    requirements: flags.requirement ?? [],
    volatile: declaredVolatile(flags.volatile),
  };
}

/** The pointers of `--volatile` as they were given; one that cannot be declared volatile is a usage error. */
function declaredVolatile(pointers: readonly string[] = []): readonly string[] {
  const read = readVolatile(pointers);
  if (!read.ok) throw new UsageError(`--volatile ${JSON.stringify(read.pointer)} ${read.message}`);
  return pointers;
}

function openEvidence(path: string): EvidenceFile {
  try {
    return openEvidenceFile(path);
  } catch (error) {
    throw new UsageError(`--evidence: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
