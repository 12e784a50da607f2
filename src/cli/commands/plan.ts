import { present } from '../../contract/present.ts';
import { packageVersion } from '../../contract/package-root.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { createRecorder } from '../../evidence/recorder.ts';
import { createRedactor } from '../../evidence/redact.ts';
import type { EvidenceRecord, ExchangeRecord, PlanRecord } from '../../evidence/types.ts';
import { escapeTerminal } from '../../report/escape.ts';
import { nextStepLines } from '../../report/closing.ts';
import { nextSteps } from '../../runner/next-steps.ts';
import type { PreflightObservation } from '../../runner/preflight.ts';
import { driveRun } from '../../runner/run.ts';
import type { Scenario } from '../../runner/scenario.ts';
import { credentialsOf } from '../../runner/target.ts';
import { withLastFailed } from '../last-failed.ts';
import type { RunFlags } from '../options.ts';
import { print, printJson } from '../printer.ts';
import { selectedScenarios } from '../session.ts';
import { readTarget } from '../target.ts';
import { withWitness } from '../witness.ts';
import { readWorkflows } from '../workflows.ts';

export interface PlanFlags extends RunFlags {
  readonly json?: true;
}

/**
 * `plan`: asks the host only what decides applicability, for which it may have to make a run there. Returns 0, or 3 when
 * something cannot be decided.
 */
export async function plan(flags: PlanFlags): Promise<number> {
  if (flags.maxFailures !== undefined) throw new UsageError('plan takes no --max-failures: it drives nothing');
  const target = readTarget(flags);
  const recorder = createRecorder(createRedactor(credentialsOf(target)));
  const scenarios = selectedScenarios(await withLastFailed(flags)).map((scenario) => ({
    ...scenario,
    drive: async () => [],
  }));
  await withWitness(flags, scenarios, (witness) =>
    driveRun(
      {
        target,
        scenarios,
        options: {
          seed: flags.seed ?? 0,
          vectors: flags.vectors,
          forks: flags.forks,
          crash: flags.crash,
          recipe: flags.recipe,
          workflows: readWorkflows(flags.workflow),
          ...present({ sweep: flags.sweep }),
          volatile: [],
        },
        shown: {},
        tool: { name: 'openwop-conformance', version: packageVersion() },
        concurrency: flags.concurrency,
        timeoutMs: flags.timeout,
        maxTimeMs: flags.maxTime,
        witness,
        otel: flags.otel ?? false,
        restartCommand: flags.restartCommand,
        signal: new AbortController().signal,
      },
      recorder,
    ),
  );
  const plans = recorder.records.filter((record) => record.kind === 'plan');
  const [hindrance] = recorder.records
    .flatMap((record) => (record.kind === 'observation' ? [record.observation] : []))
    .filter((observation): observation is PreflightObservation => observation.type === 'preflight');
  if (flags.json === true) printJson(plans.map(withoutKind), 2);
  else if (hindrance?.hasDocument === false) print(`${hindrance.code}: ${escapeTerminal(hindrance.message)}\n`);
  else print(`${page(plans)}${next(plans, scenarios)}${cost(recorder.records)}\n`);
  return plans.some((record) => record.status === 'inconclusive') ? 3 : 0;
}

function withoutKind({ scenario, status, reason, remedies }: PlanRecord): Omit<PlanRecord, 'kind'> {
  return { scenario, status, reason, ...present({ remedies }) };
}

/** What to do next, in order of the checks that it lets be driven. */
function next(plans: readonly PlanRecord[], scenarios: readonly Scenario[]): string {
  const checks = plans.flatMap(({ scenario, remedies = [] }) =>
    (scenarios.find(({ id }) => id === scenario)?.checks ?? []).map(({ id }) => ({ id, remedies })),
  );
  return nextStepLines({ nextSteps: nextSteps(checks) }, true)
    .map((line) => `${line}\n`)
    .join('');
}

function page(plans: readonly PlanRecord[]): string {
  const width = Math.max(...plans.map((record) => record.scenario.length));
  return plans
    .map(({ scenario, status, reason }) => `${scenario.padEnd(width)}  ${status}: ${escapeTerminal(reason)}\n`)
    .join('');
}

/** What the answers cost the host. */
function cost(records: readonly EvidenceRecord[]): string {
  const exchanges = records.filter((record) => record.kind === 'exchange');
  const runs = exchanges.filter((exchange) => isMade(exchange, /\/v1\/runs$/u)).length;
  const forks = exchanges.filter((exchange) => isMade(exchange, /:fork$/u)).length;
  return `\nThe host was sent ${exchanges.length} requests: ${runs} made a run there, ${forks} a fork.`;
}

function isMade({ request, answer }: ExchangeRecord, path: RegExp): boolean {
  const isAccepted = answer.kind === 'response' && answer.status >= 200 && answer.status < 300;
  return request.method === 'POST' && isAccepted && path.test(request.url);
}
