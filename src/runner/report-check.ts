import { findRequirement } from '../contract/requirements/index.ts';
import type { CheckReport } from '../contract/report.ts';
import type { Judgement } from '../contract/verdict.ts';
import type { ExchangeRecord } from '../evidence/types.ts';
import type { Evidence } from './evidence-index.ts';
import { curlCommand } from '../evidence/curl.ts';
import { isGone, scenarioCommand } from './reproduce.ts';
import type { Check, Scenario } from './scenario.ts';

/** Evidence ids that a report lists for one check. */
const LISTED_EVIDENCE = 20;

interface Context {
  readonly evidence: Evidence;
  readonly durationMs: number;
  /** All scenarios of the run: a check may fail by what another one of them recorded. */
  readonly scenarios: readonly Scenario[];
}

/** One line of the report: a check with its requirement, its verdict and, where it failed, how to see that again. */
export function reportCheck(scenario: Scenario, check: Check, judgement: Judgement, context: Context): CheckReport {
  const requirement = findRequirement(check.requirement);
  if (requirement === undefined) throw new Error(`${check.id}: no requirement ${check.requirement}`);
  const { expected, actual, places, reason, diagnosis, verdict, restsOn, remedies = [] } = judgement;
  const reproduce = verdict === 'fail' ? reproduction(scenario, judgement, context) : undefined;
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
    ...(places === undefined ? {} : { places }),
    ...(reason === undefined ? {} : { reason }),
    ...(diagnosis === undefined ? {} : { diagnosis }),
    ...(restsOn === undefined ? {} : { restsOn }),
    ...(remedies.length === 0 ? {} : { remedies }),
    evidence: judgement.evidence.slice(0, LISTED_EVIDENCE),
    ...(reproduce === undefined ? {} : { reproduce }),
    durationMs: context.durationMs,
  };
}

/**
 * The command that shows the failure again: its requests, one after the other, where each is all that stands behind a line
 * of evidence and can be pasted, and the host is still there; else this scenario, with the one that recorded it.
 */
function reproduction(
  scenario: Scenario,
  { evidence: [first], steps }: Judgement,
  { evidence, scenarios }: Context,
): string {
  const lines = steps ?? (first === undefined ? [] : [first]);
  const commands = isGone(evidence.run) ? [] : lines.map((line) => requestAgain(line, evidence));
  if (commands.length > 0 && !commands.includes(undefined)) return commands.join(' && ');
  const recordedBy = evidence.observationById.get(first ?? '')?.scenario;
  const others = scenarios.filter(({ id }) => id === recordedBy && id !== scenario.id);
  return scenarioCommand(scenario, evidence.run, others);
}

function requestAgain(line: string, evidence: Evidence): string | undefined {
  const exchange = onlyExchange(line, evidence);
  return exchange === undefined ? undefined : curlCommand(exchange, evidence.run);
}

/** The exchange behind a line of evidence; undefined where that line tells of several, such as a run's whole way. */
function onlyExchange(first: string, evidence: Evidence): ExchangeRecord | undefined {
  const [name, second] = evidence.observationById.get(first)?.observation.exchanges ?? [first];
  return name === undefined || second !== undefined ? undefined : evidence.exchanges.get(name);
}
