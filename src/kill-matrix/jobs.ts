import { defaultParts, type HostParts } from '../../reference-host/index.ts';
import { MUTANTS } from '../../reference-host/mutants/index.ts';
import type { Mutant } from '../../reference-host/mutants/mutant.ts';
import { always } from '../contract/gates.ts';
import type { CutSet } from '../host/crash.ts';
import { SUITES } from '../../scenarios/index.ts';
import { killsHosts, type Suite } from '../runner/scenario.ts';
import { bareHost } from './bare-host.ts';
import { reachingMutants } from './reaching-mutants.ts';
import { pairProblems, withBoth } from './pairs.ts';
import { runWithParts } from './run-mutant.ts';

/** What a lane is asked to run: a mutant, two in one host, or the conformant host with some mutants beside it. */
export type LaneJob = { readonly scenarios: readonly string[] } & (
  | ({ readonly mutant: string } & Furnished)
  | { readonly pair: readonly [foundation: string, other: string] }
  | ({ readonly beside: readonly string[] } & Furnished)
);

/** Whether the host has our workflows and seams; a bare one has the public ones alone. */
interface Furnished {
  readonly bare?: boolean;
}

/**
 * Does one job: gives the checks that the mutant turned red, what is wrong about the verdicts on a host with both, or the
 * mutants that can make a difference.
 */
export async function doJob(job: LaneJob): Promise<readonly string[]> {
  const suites = withScenarios(SUITES, new Set(job.scenarios));
  if ('beside' in job) {
    const ids = new Set(job.beside);
    return reachingMutants(
      suites,
      MUTANTS.filter(({ id }) => ids.has(id)),
      hostFor(job),
    );
  }
  if ('pair' in job) {
    const [foundation, other] = [mutantOf(job.pair[0]), mutantOf(job.pair[1])];
    const parts = withBoth({ foundation, other }, defaultParts) ?? {};
    const { checks } = await runWithParts(suites, parts, { crash: 'few', timeoutMs: PATIENCE_MS });
    return pairProblems({ foundation, other }, checks);
  }
  const found = mutantOf(job.mutant);
  const parts = hostFor(job)(found.parts(defaultParts));
  const patience = found.waits === true ? {} : { timeoutMs: PATIENCE_MS };
  const { checks } = await runWithParts(suites, parts, { crash: crashesFor(found, suites), ...patience });
  return checks.filter((check) => check.verdict === 'fail').map((check) => check.id);
}

/** How long an answer may take, in milliseconds, of mutants that give them all: what is late on a busy machine is waited for. */
const PATIENCE_MS = 30_000;

function hostFor({ bare = false }: Furnished): (parts: Partial<HostParts>) => Partial<HostParts> {
  return bare ? bareHost : (parts) => parts;
}

function mutantOf(id: string): Mutant {
  const found = MUTANTS.find((mutant) => mutant.id === id);
  if (found === undefined) throw new Error(`no mutant is called ${id}`);
  return found;
}

/** All that a run makes where a crash has to kill the mutant; otherwise a few show whether crashes make a difference. */
function crashesFor({ kills }: Mutant, suites: readonly Suite[]): CutSet {
  const scenarios = suites.flatMap((suite) => suite.scenarios).filter(killsHosts);
  return scenarios.some(({ checks }) => checks.some(({ id }) => kills.includes(id))) ? 'quick' : 'few';
}

/** The suites with these scenarios alone; a foundation that is not among them still judges what these record. */
function withScenarios(suites: readonly Suite[], wanted: ReadonlySet<string>): readonly Suite[] {
  return suites.map((suite) => ({
    ...suite,
    scenarios: suite.scenarios.flatMap((scenario) => {
      if (wanted.has(scenario.id)) return [scenario];
      return scenario.foundation === true ? [{ ...scenario, ...UNDRIVEN }] : [];
    }),
  }));
}

const UNDRIVEN = { gate: always, needs: [], exclusive: [], drive: async () => [] } as const;
