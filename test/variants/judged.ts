import { defaultParts } from '../../reference-host/index.ts';
import type { CheckReport, Report } from '../../src/contract/report.ts';
import { runWithParts } from '../../src/kill-matrix/run-mutant.ts';
import { SUITES } from '../../scenarios/index.ts';
import { killsHosts, type Scenario, type Suite } from '../../src/runner/scenario.ts';
import { bisect, compose } from './compose.ts';
import { reportWithin } from '../report-within.ts';
import type { Variant } from './variant.ts';

/** Ends what hangs, and the streams of runs that wait for somebody: where a stream is all there is, its rest may come at any time. */
const TIMEOUT_MS = 12_000;

/** Several hosts share this process, on a machine that may be busy: none is to take a worker that is kept for one that is gone. */
const LEASE_MS = 3_000;

/** Checks that never apply to the reference host. */
export const NEVER = [
  'discovery.vendor-recipe-documented',
  'fork.unadvertised-mode',
  'refusal.not-below-version-four',
  'handoff.not-unless-supported',
];

/** The report about a host with this difference, whose second region has it too. */
export function runVariant(suites: readonly Suite[], variant: Variant): Promise<Report> {
  const run = { crash: 'few', leaseMs: LEASE_MS, sameParts: true } as const;
  return reportWithin(
    [TIMEOUT_MS, 5 * TIMEOUT_MS],
    (timeoutMs) => runWithParts(suites, variant.parts(defaultParts), { ...run, timeoutMs }),
    (report) => misjudged(report, variant).every(({ verdict }) => verdict !== 'inconclusive'),
  );
}

/** The checks of a report that are neither passed nor excused by the variant. */
export function misjudged({ checks }: Report, { notApplicable = [] }: Variant): readonly CheckReport[] {
  const excused = new Set([...NEVER, ...notApplicable]);
  return checks.filter(({ id, verdict }) => verdict !== 'pass' && !(verdict === 'not-applicable' && excused.has(id)));
}

/** One line a check, so that a failing test names what was misjudged and why. */
export function lines(checks: readonly CheckReport[]): readonly string[] {
  return checks.map(({ id, verdict, reason, expected, actual }) =>
    [id, verdict, reason ?? `${expected ?? ''} / ${actual ?? ''}`].join(': '),
  );
}

/** What is misjudged about a host with all these differences, and by which of them; no line where nothing is. */
export async function faults(
  members: readonly Variant[],
  suites: readonly Suite[] = SUITES,
): Promise<readonly string[]> {
  const variant = compose(members);
  const wrong = misjudged(await runVariant(suites, variant), variant);
  if (wrong.length === 0) return [];
  const red = new Set(wrong.map(({ scenario }) => scenario));
  const again = withScenarios(suites, ({ id }) => red.has(id));
  const culprits = await bisect(members, async (some) => {
    const part = compose(some);
    return misjudged(await runVariant(again, part), part).length > 0;
  });
  return [`because of ${compose(culprits).id}`, ...lines(wrong)];
}

/** The suites without the scenarios that wait by the clock: for leases of hosts that were killed, or for a stream's rest. */
export const WITHOUT_WAITING = withScenarios(
  SUITES,
  (scenario) => !killsHosts(scenario) && scenario.id !== 'once.verification-human',
);

function withScenarios(suites: readonly Suite[], wanted: (scenario: Scenario) => boolean): readonly Suite[] {
  return suites.map((suite) => ({ ...suite, scenarios: suite.scenarios.filter(wanted) }));
}
