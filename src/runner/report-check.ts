import { findRequirement } from '../contract/requirements/index.ts';
import type { CheckReport } from '../contract/report.ts';
import type { Judgement } from '../contract/verdict.ts';
import type { ExchangeRecord } from '../evidence/types.ts';
import type { Evidence } from './evidence-index.ts';
import { curlCommand, scenarioCommand } from './reproduce.ts';
import type { Check, Scenario } from './scenario.ts';

/** Evidence ids that a report lists for one check. */
const LISTED_EVIDENCE = 20;

/** One line of the report: a check with its requirement, its verdict and, where it failed, how to see that again. */
export function reportCheck(
  scenario: Scenario,
  check: Check,
  judgement: Judgement,
  context: { readonly evidence: Evidence; readonly durationMs: number },
): CheckReport {
  const requirement = findRequirement(check.requirement);
  if (requirement === undefined) throw new Error(`${check.id}: no requirement ${check.requirement}`);
  const { expected, actual, reason, diagnosis, verdict, restsOn } = judgement;
  const reproduce = verdict === 'fail' ? reproduction(scenario, judgement, context.evidence) : undefined;
  return {
    id: check.id,
    suite: scenario.suite,
    scenario: scenario.id,
    requirement: requirement.id,
    level: requirement.level,
    verdict,
    title: check.title,
    ...(expected === undefined ? {} : { expected }),
    ...(actual === undefined ? {} : { actual }),
    ...(reason === undefined ? {} : { reason }),
    ...(diagnosis === undefined ? {} : { diagnosis }),
    ...(restsOn === undefined ? {} : { restsOn }),
    evidence: judgement.evidence.slice(0, LISTED_EVIDENCE),
    ...(reproduce === undefined ? {} : { reproduce }),
    durationMs: context.durationMs,
  };
}

/**
 * The command that shows the failure again: its request where one request is all that stands behind it and it can be
 * pasted, else this scenario.
 */
function reproduction(scenario: Scenario, judgement: Judgement, evidence: Evidence): string {
  const exchange = onlyExchange(judgement.evidence, evidence);
  const command = exchange === undefined ? undefined : curlCommand(exchange);
  return command ?? scenarioCommand(scenario, evidence.run);
}

/** The exchange behind the first of these lines; undefined where that line tells of several, such as a run's whole way. */
function onlyExchange([first]: readonly string[], evidence: Evidence): ExchangeRecord | undefined {
  if (first === undefined) return undefined;
  const [name, second] = evidence.observationById.get(first)?.observation.exchanges ?? [first];
  return name === undefined || second !== undefined ? undefined : evidence.exchanges.get(name);
}
