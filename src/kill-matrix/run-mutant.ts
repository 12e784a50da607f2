import type { HostParts } from '../../reference-host/index.ts';
import type { Report } from '../contract/report.ts';
import { createRecorder } from '../evidence/recorder.ts';
import { createRedactor } from '../evidence/redact.ts';
import type { EvidenceRecord } from '../evidence/types.ts';
import type { Witness } from '../evidence/witness.ts';
import type { CrashHosts } from '../host/crash-host.ts';
import { judgeRun } from '../runner/judge.ts';
import type { JudgeOptions } from '../runner/judge-scenarios.ts';
import type { CutSet } from '../host/crash.ts';
import { driveRun } from '../runner/run.ts';
import { killsHosts, type Scenario, type Suite } from '../runner/scenario.ts';
import type { Target } from '../runner/target.ts';
import { withWitnessedHosts } from './witnessed-hosts.ts';
import { LEASE_MS, openMortalHosts } from './mortal-hosts.ts';

/** Enough generated requests for every hazard, few enough for a hundred mutants; the seed makes the matrix repeatable. */
export const OPTIONS: JudgeOptions = {
  seed: 20260401,
  vectors: 40,
  forks: 3,
  crash: 'quick',
  recipe: 'rfc-0041',
  volatile: [],
  level: 'must',
  allowInconclusive: false,
  requirements: [],
};

/** How a host is run. */
export interface HostRun {
  readonly crash: CutSet;
  /** How long an answer may take, in milliseconds; 6,000 where nothing is given. */
  readonly timeoutMs?: number;
  /** How long a lease of a host that may be killed lasts, in milliseconds; LEASE_MS where nothing is given. */
  readonly leaseMs?: number;
  /** The second host has the same parts, instead of the conformant ones. */
  readonly sameParts?: boolean;
  /** How much is generated, instead of what every defect takes. */
  readonly amounts?: Pick<JudgeOptions, 'vectors' | 'forks'>;
}

/** Runs all suites against the reference host with some parts replaced. */
export async function runWithParts(
  suites: readonly Suite[],
  parts: Partial<HostParts>,
  { crash, timeoutMs = 6_000, leaseMs = LEASE_MS, sameParts = false, amounts }: HostRun,
): Promise<Report> {
  const options: JudgeOptions = { ...OPTIONS, ...amounts, crash };
  const scenarios = suites.flatMap((suite) => suite.scenarios);
  const drive = (target: Target, witness: Witness | undefined): Promise<readonly EvidenceRecord[]> =>
    withCrashHosts({ parts, leaseMs }, scenarios, async (crashHosts) => {
      // The hosts' credentials are made for this run and the evidence is not kept: there is nothing to hide.
      const recorder = createRecorder(createRedactor([]));
      await driveRun(
        {
          target,
          scenarios,
          witness,
          otel: true,
          crashHosts,
          options,
          shown: { ...options },
          tool: { name: 'openwop-conformance', version: 'mutants' },
          concurrency: 8,
          timeoutMs,
          signal: new AbortController().signal,
        },
        recorder,
      );
      return recorder.records;
    });
  const records = await withWitnessedHosts(parts, scenarios, drive, { sameParts });
  // The recipe that a host was seen to follow is no verdict, and costs as much as all of them.
  const verdictsOnly = suites.map(({ recipeObserved: _recipe, crashMatrix: _crashes, ...suite }) => suite);
  return judgeRun(records, verdictsOnly, options);
}

/** Lends hosts with these parts that may be killed, where one of the scenarios does. */
async function withCrashHosts<T>(
  { parts, leaseMs }: { readonly parts: Partial<HostParts>; readonly leaseMs: number },
  scenarios: readonly Scenario[],
  use: (hosts: CrashHosts['hosts']) => Promise<T>,
): Promise<T> {
  if (!scenarios.some(killsHosts)) return use([]);
  const crash = await openMortalHosts(parts, leaseMs);
  try {
    return await use(crash.hosts);
  } finally {
    await crash.close();
  }
}
