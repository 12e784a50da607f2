import { expect, it } from 'vitest';
import { runWithParts } from '../../src/kill-matrix/run-mutant.ts';
import type { CheckReport } from '../../src/contract/report.ts';
import type { Scenario, Suite } from '../../src/runner/scenario.ts';
import { DRIVEN } from './driven.ts';
import type { Liar } from './liar.ts';

/** Several liars are met at once: an answer that is late says nothing about a host. */
const PATIENCE_MS = 10_000;

/** What is untrue is untrue of the first of them. */
const AMOUNTS = { vectors: 8, forks: 1 };

/** What a host publishes about itself is there whatever its runs do. */
const DOCUMENTED = 'privacy.deletion-documented';

/** One test for each liar: what is wrong is red, nothing else is, and what cannot be known of it passes nowhere. */
export function testLiars(liars: readonly Liar[], suites: readonly Suite[] = DRIVEN): void {
  it.concurrent.each(liars.map((liar) => [liar.id, liar] as const))('%s', async (_, liar) => {
    const { parts, fails, mayFail = [], mayPass = [], undecided, timeoutMs = PATIENCE_MS, everywhere = false } = liar;
    const isRed = ({ checks }: Scenario): boolean => checks.some(({ id }) => fails.includes(id));
    const among = async (wanted: (scenario: Scenario) => boolean, limit: number): Promise<readonly CheckReport[]> => {
      const some = suites.map((suite) => ({ ...suite, scenarios: suite.scenarios.filter(wanted) }));
      return (
        await runWithParts(some, parts, { crash: 'few', sameParts: everywhere, timeoutMs: limit, amounts: AMOUNTS })
      ).checks;
    };
    // A machine that is busy for the whole of a short limit shows nothing that is wrong.
    const checks =
      timeoutMs === PATIENCE_MS
        ? await among(() => true, PATIENCE_MS)
        : [...(await among(isRed, PATIENCE_MS)), ...(await among((scenario) => !isRed(scenario), timeoutMs))];
    const ids = (verdict: string): readonly string[] =>
      checks.filter((each) => each.verdict === verdict).map(({ id }) => id);
    expect(ids('error')).toEqual([]);
    const judged = new Set(checks.map(({ id }) => id));
    expect(ids('fail').filter((id) => !mayFail.includes(id))).toEqual(fails.filter((id) => judged.has(id)));
    const open = ids('pass').filter((id) => !id.startsWith(DOCUMENTED) && !mayPass.includes(id));
    expect(open.filter((id) => undecided.some((beginning) => id.startsWith(beginning)))).toEqual([]);
  });
}
