import { member } from '../contract/discovery.ts';
import { wasCutShort } from '../contract/limits.ts';
import { present } from '../contract/present.ts';
import { type CheckReport, count, type Report, type RequirementReport, type TargetFacts } from '../contract/report.ts';
import { findRequirement } from '../contract/requirements/index.ts';
import type { EvidenceRecord, Observation } from '../evidence/types.ts';
import { afterOthers, inherited, oncePerRow, settleCauses } from './causes.ts';
import { damageIn } from './damage.ts';
import { type Evidence, gatherEvidence, observationsOf, soundObservationsOf } from './evidence-index.ts';
import { type BoundedJudging, judgeScenarios } from './judge-scenarios.ts';
import { nextSteps } from './next-steps.ts';
import { PLAN, type TargetObservation } from './plan.ts';
import type { PreflightObservation } from './preflight.ts';
import type { Foundation, Recorded, Scenario, Suite } from './scenario.ts';
import { excludableNames, excludedChecks } from './select.ts';
import { afterSilence } from './silence.ts';
import { enoughFailed } from './stopped.ts';
import { reportSuites, unmetAmong } from './suite-reports.ts';
import { combine, conclude, decidingAmong } from './verdicts.ts';

/**
 * Judges a run from its evidence alone: live and offline, the same function on the same records. Throws only for
 * evidence without a `run` line.
 */
export function judgeRun(
  records: readonly EvidenceRecord[],
  suites: readonly Suite[],
  options: BoundedJudging,
): Report {
  const evidence = gatherEvidence(
    records,
    suites.flatMap((suite) => suite.scenarios),
  );
  const { run } = evidence;
  const selected = suites.flatMap((suite) => suite.scenarios).filter((scenario) => run.scenarios.includes(scenario.id));
  const foundations = suites.flatMap((suite) => suite.foundations ?? []);
  const excluded = excludedChecks(suites, options.exclude ?? []);
  const judgements = judgeScenarios(selected, evidence, { ...options, foundations, excluded });
  const remainders = Object.assign({}, ...suites.map((suite) => suite.remainders));
  // Which failures stand by themselves is known once causes are settled.
  const settled = settleCauses(
    oncePerRow(afterOthers(settleCauses(inherited(judgements)), remainders, typesSeen(evidence))),
    ...suspecting(suites, evidence, foundations),
  );
  const { checks, ...hostStopped } = afterSilence(evidence, settled);
  const requirements = reportRequirements(checks);
  const verdicts = decidingAmong(checks, options.level);
  const unmet = unmetAmong(options.require ?? [], checks);
  const ended = { ...endOf(evidence), ...stoppedIn(checks, evidence) };
  const isWhole = !wasCutShort(ended) && unmet.length === 0;
  const { verdict, exitCode } = conclude(
    isWhole ? verdicts : [...verdicts, 'inconclusive'],
    options.allowInconclusive && isWhole,
  );
  const leftOut = leftOutOfReplay(selected, checks, evidence);
  return {
    reportVersion: 1,
    tool: run.tool,
    target: { baseUrl: run.target.baseUrl, ...targetFacts(evidence, suites) },
    options: { ...run.options, ...judgedBy(options) },
    verdict,
    exitCode,
    ...ended,
    counts: count(checks.map((check) => check.verdict)),
    suites: reportSuites(checks, options.level, (check) => wasCutShort(ended) && isUndriven(check, evidence)),
    ...preflightIn(evidence),
    ...hostStopped,
    ...(unmet.length === 0 ? {} : { unmet }),
    ...excludedIn(suites, options),
    ...present({ leftOut }),
    nextSteps: nextSteps(checks),
    requirements,
    checks,
    ...crashFacts(evidence, suites),
    startedAt: run.startedAt,
    durationMs: evidence.end?.durationMs ?? 0,
  };
}

/** Finds the types of the events that a check points at, those of whole logs. */
function typesSeen({ observationById }: Evidence): (check: CheckReport) => ReadonlySet<string> {
  const known = new Map<string, readonly string[]>();
  const typesIn = (id: string): readonly string[] => {
    const events = member(observationById.get(id)?.observation, 'events');
    const types = known.get(id) ?? [...new Set(Array.isArray(events) ? events.map(typeOf) : [])];
    known.set(id, types);
    return types;
  };
  return ({ evidence }) => new Set(evidence.flatMap(typesIn));
}

function typeOf(event: unknown): string {
  return String(member(event, 'type'));
}

/** The options that may be others than those of the run: all that reads the report decides by them. */
function judgedBy({ level, allowInconclusive, require = [] }: BoundedJudging): Report['options'] {
  return { level, allowInconclusive, require };
}

/** What was left out on request, and is said with the verdict. */
function excludedIn(suites: readonly Suite[], { exclude = [] }: BoundedJudging): Pick<Report, 'excluded'> {
  if (exclude.length === 0) return {};
  const names = new Set(excludableNames(suites));
  return { excluded: [...new Set(exclude)].filter((name) => names.has(name)) };
}

/** What ended a run before it was over: a signal, that its evidence was cut off, or that its time or room was used up. */
function endOf({ end }: Evidence): Pick<Report, 'interrupted' | 'endsEarly' | 'ranOutOf'> {
  if (end === undefined) return { endsEarly: true };
  return present({ interrupted: end.interrupted, ranOutOf: end.ranOutOf });
}

/** Whether a check is undecided whose scenario was not driven to its end. */
function isUndriven({ verdict, scenario }: CheckReport, { driven }: Evidence): boolean {
  const { outcome, message } = driven.get(scenario) ?? {};
  return verdict === 'inconclusive' && (outcome !== 'completed' || message !== undefined);
}

/** Where a run ended because enough had failed, and what was not reached then. */
function stoppedIn(checks: readonly CheckReport[], { end }: Evidence): Pick<Report, 'stoppedAfter'> {
  if (end?.stoppedAfter === undefined) return {};
  const { stoppedAfter: failures } = end;
  const reason = enoughFailed(failures);
  const left = checks.filter((check) => check.verdict === 'inconclusive' && check.reason === reason).length;
  return { stoppedAfter: { failures, checksNotReached: left } };
}

/**
 * Finds the checks that may own the cause of one that is undecided: rows that it stands on, as what it looks for is theirs to show;
 * then the claims that what its scenario recorded breaks; then those that it takes for granted, where nothing shows that they are broken.
 * Beside that the rows that it stands on, alone.
 */
function suspecting(
  suites: readonly Suite[],
  evidence: Evidence,
  foundations: readonly Foundation[],
): [suspects: Suspecting, rows: Suspecting] {
  const standsOn = new Map(suites.flatMap((suite) => Object.entries(suite.standsOn ?? {})));
  const isFoundation = (name: string): boolean => foundations.some(({ check }) => check === name);
  const namesOf: Suspecting = (check) =>
    wasDriven(check, evidence) ? (standsOn.get(check.id) ?? standsOn.get(check.requirement) ?? []) : [];
  const rowsOf: Suspecting = (check) => namesOf(check).filter((name) => !isFoundation(name));
  const suspects: Suspecting = (check) => {
    if (!wasDriven(check, evidence)) return [];
    const broken = suspectsOf(check, soundObservationsOf(evidence, check.scenario), foundations);
    return [...rowsOf(check), ...broken, ...namesOf(check).filter(isFoundation)];
  };
  return [suspects, rowsOf];
}

type Suspecting = (check: CheckReport) => readonly string[];

/** Whether a check was judged by all that its scenario was to record: one that was not is open for that. */
function wasDriven({ scenario, suite }: CheckReport, evidence: Evidence): boolean {
  const driven = evidence.driven.get(scenario);
  const isWhole = driven?.outcome === 'completed' && driven.message === undefined;
  return isWhole && damageIn(suite, observationsOf(evidence, scenario)) === undefined;
}

/** What to advertise where a host offers no replay at all, and none was found out. */
function leftOutOfReplay(
  selected: readonly Scenario[],
  checks: readonly CheckReport[],
  evidence: Evidence,
): string | undefined {
  const scenarios = selected.filter(({ needs }) => needs.some(({ kind }) => kind === 'fork')).map(({ id }) => id);
  const own = checks.filter(({ scenario }) => scenarios.includes(scenario));
  const isLeftOut = own.length > 0 && own.every(({ verdict }) => verdict !== 'pass' && verdict !== 'fail');
  return isLeftOut && targetOf(evidence)?.offersReplay === false
    ? 'nothing of replay was judged: advertise replay, or multiAgent.executionModel from version 4, to be tested'
    : undefined;
}

function preflightIn(evidence: Evidence): Pick<Report, 'preflight'> {
  const found = planned<PreflightObservation>(evidence, 'preflight');
  return found === undefined ? {} : { preflight: { code: found.code, message: found.message } };
}

function targetOf(evidence: Evidence): TargetObservation | undefined {
  return planned<TargetObservation>(evidence, 'target');
}

/** The first observation of a type that the planner recorded. */
function planned<O extends Observation>(evidence: Evidence, type: O['type']): Recorded<O> | undefined {
  return soundObservationsOf(evidence, PLAN).find((each): each is Recorded<O> => each.type === type);
}

function targetFacts(evidence: Evidence, suites: readonly Suite[]): TargetFacts {
  const target = targetOf(evidence);
  const recipes = suites.map((suite) => suite.recipeObserved?.(suiteObservations(evidence, suite)));
  return {
    implementation: target?.implementation ?? null,
    discoverySha256: target?.discoverySha256 ?? null,
    executionModelVersion: target?.executionModelVersion ?? null,
    recipeAdvertised: target?.recipeAdvertised ?? null,
    recipeObserved: recipes.find((recipe) => typeof recipe === 'string') ?? null,
  };
}

function crashFacts(evidence: Evidence, suites: readonly Suite[]): Pick<Report, 'crashMatrix'> {
  const [crashMatrix] = suites.flatMap((suite) => suite.crashMatrix?.(suiteObservations(evidence, suite)) ?? []);
  return present({ crashMatrix });
}

function suiteObservations(evidence: Evidence, suite: Suite): readonly Recorded<Observation>[] {
  return suite.scenarios.flatMap((scenario) => soundObservationsOf(evidence, scenario.id));
}

function reportRequirements(checks: readonly CheckReport[]): readonly RequirementReport[] {
  return [...new Set(checks.map((check) => check.requirement))].map((id) => {
    const group = checks.filter((check) => check.requirement === id);
    return {
      id,
      level: findRequirement(id)?.level ?? 'MUST',
      verdict: combine(group.map((check) => check.verdict)),
      checks: group.map((check) => check.id),
    };
  });
}

/**
 * The checks that may own the cause of a check that is undecided and names none, the likeliest first: the claims that an
 * observation breaks which the judgement points at, then those that any other one of its scenario breaks.
 */
export function suspectsOf(
  { evidence }: { readonly evidence: readonly string[] },
  observations: readonly Recorded<Observation>[],
  foundations: readonly Foundation[],
): readonly string[] {
  const brokenBy = (recorded: readonly Recorded<Observation>[]): readonly Foundation[] =>
    foundations.filter((foundation) => recorded.some((each) => foundation.isBrokenBy?.(each) === true));
  const meant = brokenBy(observations.filter(({ id }) => evidence.includes(id)));
  return [...new Set([...meant, ...brokenBy(observations)])].map(({ check }) => check);
}
