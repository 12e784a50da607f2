import { randomInt } from 'node:crypto';
import { baseUrl, credential } from '../cli/arguments.ts';
import { checkFiles } from '../cli/files.ts';
import { lendWitness } from '../cli/witness.ts';
import { judgingTime } from '../cli/judging-time.ts';
import { present } from '../contract/present.ts';
import { packageVersion } from '../contract/package-root.ts';
import type { Report } from '../contract/report.ts';
import { UsageError } from '../contract/usage-error.ts';
import { openEvidenceFile } from '../evidence/ndjson.ts';
import { createRecorder } from '../evidence/recorder.ts';
import { createRedactor } from '../evidence/redact.ts';
import type { Json } from '../evidence/types.ts';
import { openWholeFile } from '../evidence/whole-file.ts';
import type { Witness } from '../evidence/witness.ts';
import { readVolatile } from '../event-log/index.ts';
import { judgeRun } from '../runner/judge.ts';
import type { JudgeOptions } from '../runner/judge-scenarios.ts';
import { driveRun } from '../runner/run.ts';
import type { Scenario } from '../runner/scenario.ts';
import { selectScenarios } from '../runner/select.ts';
import { credentialsOf, type Target } from '../runner/target.ts';
import { SUITES } from '../../scenarios/index.ts';
import { checkOptions } from './check-options.ts';
import type { ConformanceTarget, RunConformanceOptions } from './options.ts';

/**
 * Drives a host and judges it, as `openwop-conformance --base-url` does; hosts are not killed. Nothing is printed, and the process goes on
 * whatever the verdict is: it stands in the report. Rejects with an Error that says what is wrong with the options, where something is.
 */
export async function runConformance(requested: RunConformanceOptions): Promise<Report> {
  checkOptions(requested);
  const target = targetOf(requested.target);
  const scenarios = selected(requested);
  const options = optionsOf(requested);
  const { timeoutMs = 10_000, maxTimeMs = 600_000, concurrency = 8 } = requested;
  const bounds = {
    timeoutMs: whole('timeoutMs', timeoutMs, 1, 600_000),
    maxTimeMs: whole('maxTimeMs', maxTimeMs, 1, 86_400_000),
    concurrency: whole('concurrency', concurrency, 1, 256),
  };
  if (requested.evidence !== undefined) checkEvidence(requested.evidence);
  return lendWitness('witness', requested.witness ?? {}, scenarios, async (witness) => {
    const file =
      requested.evidence === undefined ? undefined : openEvidenceFile(openWholeFile(requested.evidence, OWNER_ONLY));
    try {
      const recorder = createRecorder(createRedactor(credentialsOf(target)), (record) => file?.write(record));
      await driveRun(
        {
          ...bounds,
          target,
          scenarios,
          options,
          shown: shown(requested, { options, bounds, witness }),
          tool: { name: 'openwop-conformance', version: packageVersion() },
          witness,
          signal: requested.signal ?? new AbortController().signal,
          ...present({ onProgress: requested.onProgress }),
        },
        recorder,
      );
      const lost = file?.close();
      const report = judgeRun(recorder.records, SUITES, { ...options, isOver: judgingTime() });
      return lost === undefined
        ? report
        : { ...report, exitCode: 4, lost: [`the evidence: ${requested.evidence}: ${lost}`] };
    } finally {
      file?.close();
    }
  });
}

function targetOf({ second, ...first }: ConformanceTarget): Target {
  return {
    baseUrl: baseUrl('target.baseUrl', first.baseUrl),
    apiKey: key('target.apiKey', first.apiKey),
    fetch: first.fetch,
    tenantBKey: key('target.tenantBKey', first.tenantBKey),
    limitedKey: key('target.limitedKey', first.limitedKey),
    blindKey: key('target.blindKey', first.blindKey),
    baseUrlB: second === undefined ? undefined : baseUrl('target.second.baseUrl', second.baseUrl),
    apiKeyB: key('target.second.apiKey', second?.apiKey),
    fetchB: second?.fetch,
  };
}

function key(name: string, value: string | undefined): string | undefined {
  return value === undefined ? undefined : credential(name, value);
}

function selected({ suites = [], scenarios = [], requirements = [] }: RunConformanceOptions): readonly Scenario[] {
  const found = selectScenarios(SUITES, { suites, scenarios, requirements });
  if (!found.ok) throw new UsageError(found.message);
  return found.scenarios;
}

function optionsOf(requested: RunConformanceOptions): JudgeOptions {
  const { seed = randomInt(2 ** 31 - 1), vectors = 200, forks = 200, sweep = 'all', volatile = [] } = requested;
  const pointers = readVolatile(volatile);
  if (!pointers.ok) throw new UsageError(`volatile ${JSON.stringify(pointers.pointer)} ${pointers.message}`);
  return {
    seed: whole('seed', seed, 0, 2 ** 31 - 1),
    vectors: whole('vectors', vectors, 0, 10_000),
    forks: whole('forks', forks, 1, 10_000),
    sweep: sweep === 'all' ? sweep : whole('sweep', sweep, 0, 10_000),
    crash: 'none',
    recipe: requested.recipe ?? 'rfc-0041',
    level: requested.level ?? 'must',
    allowInconclusive: requested.allowInconclusive ?? false,
    requirements: requested.requirements ?? [],
    volatile,
  };
}

function whole(name: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new UsageError(`${name} is no whole number from ${least} to ${most}`);
}

interface Chosen {
  readonly options: JudgeOptions;
  readonly bounds: { readonly timeoutMs: number; readonly maxTimeMs: number; readonly concurrency: number };
  readonly witness: Witness | undefined;
}

function shown(
  requested: RunConformanceOptions,
  { options, bounds, witness }: Chosen,
): { readonly [name: string]: Json } {
  return {
    ...options,
    workflows: [],
    suite: requested.suites ?? [],
    concurrency: bounds.concurrency,
    timeout: bounds.timeoutMs,
    maxTime: bounds.maxTimeMs,
    otel: false,
    witnessUrl: witness?.baseUrl ?? null,
    ...(requested.target.fetch === undefined ? {} : { command: 'in-process' }),
  };
}

const OWNER_ONLY = 0o600;

/** Refuses, before the first request, what is no file that can be written. */
function checkEvidence(path: string): void {
  if (path === '' || path === '-') throw new UsageError(`evidence: ${JSON.stringify(path)} names no file`);
  checkFiles([], [{ option: 'evidence', path }]);
}
