import { applyBaseline } from '../baseline/apply.ts';
import type { Baseline } from '../baseline/baseline.ts';
import { decides } from '../contract/requirement.ts';
import type { CheckReport } from '../contract/report.ts';
import type { EvidenceRecord } from '../evidence/types.ts';
import { judgeRun } from '../runner/judge.ts';
import type { JudgeOptions } from '../runner/judge-scenarios.ts';
import type { Scenario } from '../runner/scenario.ts';
import { excludedChecks } from '../runner/select.ts';
import { EnoughFailed } from '../runner/stopped.ts';
import { judgingBeside } from './judging-time.ts';
import { SUITES } from '../../scenarios/index.ts';

/** What counts the failures of a run that goes on. */
export interface Watched {
  /** What has been recorded until now. */
  readonly records: readonly EvidenceRecord[];
  readonly options: JudgeOptions;
  readonly baseline: Baseline | undefined;
  /** How long the run may take. */
  readonly maxTimeMs: number;
}

/**
 * Judges what was driven, after each scenario, and aborts its signal when so many checks that decide have failed which no
 * baseline knows. All is judged only where the scenario shows a failure by itself.
 */
export function watchFailures(
  most: number,
  { records, options, baseline, maxTimeMs }: Watched,
): { readonly signal: AbortSignal; readonly onDriven: (scenario: Scenario) => void } {
  const controller = new AbortController();
  const driven = new Set<string>();
  const excluded = excludedChecks(SUITES, options.exclude ?? []);
  const inTime = judgingBeside(maxTimeMs);
  const failed = (isWanted: (id: string) => boolean): number => {
    const suites = SUITES.map((suite) => ({ ...suite, scenarios: suite.scenarios.filter(({ id }) => isWanted(id)) }));
    const report = inTime((isOver) => judgeRun(records, suites, { ...options, exclude: [], isOver }));
    if (report === undefined) return 0;
    const { checks } = baseline === undefined ? report : applyBaseline(report, baseline, options);
    return checks.filter((check) => !excluded.has(check.id) && isCounted(check, options)).length;
  };
  return {
    signal: controller.signal,
    onDriven: ({ id }) => {
      driven.add(id);
      if (controller.signal.aborted || failed((each) => each === id) === 0) return;
      if (failed((each) => driven.has(each)) >= most) controller.abort(new EnoughFailed(most));
    },
  };
}

function isCounted({ verdict, level, known }: CheckReport, options: JudgeOptions): boolean {
  return verdict === 'fail' && known === undefined && decides(level, options.level);
}
