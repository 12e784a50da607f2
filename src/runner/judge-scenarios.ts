import type { CheckReport } from '../contract/report.ts';
import type { Judgement } from '../contract/verdict.ts';
import type { DrivenRecord, Observation, PlanRecord } from '../evidence/types.ts';
import { attributed } from './attribute.ts';
import { failures } from './causes.ts';
import { damageIn, isSound } from './damage.ts';
import { failedJudge, judgementOf } from './define-scenario.ts';
import {
  everythingIn,
  type Evidence,
  observationsOf,
  soundObservationsAt,
  soundObservationsOf,
} from './evidence-index.ts';
import { PLAN } from './plan.ts';
import type { Check, Everything, Foundation, Recorded, Scenario, ScenarioOptions } from './scenario.ts';
import type { DecidingLevel } from '../contract/requirement.ts';
import { type MixedRun, mixedRunIn, onMixedRuns } from './mixed-runs.ts';
import { expiredOf, onExpired } from './expired-runs.ts';
import { reportCheck } from './report-check.ts';
import { onSharedRun, runIdsAgain, withoutShared } from './shared-runs.ts';

/** The options of a run that decide how its evidence is read. */
export interface JudgeOptions extends ScenarioOptions {
  readonly level: DecidingLevel;
  readonly allowInconclusive: boolean;
  /** Judge only the checks of these requirements; all where empty. */
  readonly requirements: readonly string[];
  /** Suites, scenarios, requirements and checks that are not judged. */
  readonly exclude?: readonly string[];
  /** Suites and requirements of which something has to be decided. */
  readonly require?: readonly string[];
}

/** The same with a bound in time. */
export interface BoundedJudging extends JudgeOptions {
  /** Whether the time for judging is over: scenarios that were not judged until then stay inconclusive. */
  readonly isOver?: () => boolean;
}

/** The same with the claims that others stand on. */
export interface Judging extends BoundedJudging {
  readonly foundations: readonly Foundation[];
  /** Checks that are not judged. */
  readonly excluded: ReadonlySet<string>;
}

/**
 * Judges all scenarios, then once more what fails by another check's defect: without what breaks that claim, and from
 * whatever does not rest on it.
 */
export function judgeScenarios(
  scenarios: readonly Scenario[],
  evidence: Evidence,
  options: Judging,
): readonly CheckReport[] {
  const first = scenarios.map((scenario): Judged => {
    const plan = evidence.plans.get(scenario.id);
    const left = undriven(scenario, plan, evidence.driven.get(scenario.id)) ?? unjudged(scenario, options);
    return { scenario, judgements: left ?? judged(scenario, evidence, options), isLeft: left !== undefined };
  });
  const failed = failuresOf(first);
  const known = { evidence, options };
  const once = first.map((each) =>
    each.isLeft
      ? each
      : { ...each, judgements: decided(each.scenario, { ...known, failed, judgements: each.judgements }) },
  );
  // A check that others name as their cause may have been decided by what is left: these have another one then. So have all where
  // one that owns a claim was seen to fail beside another claim that is broken.
  const stillFailed = failuresOf(once);
  const isCauseGone = ({ restsOn }: Judgement): boolean =>
    restsOn !== undefined && failed(restsOn) !== undefined && stillFailed(restsOn) === undefined;
  const isOneMore = options.foundations.some(
    ({ check }) => failed(check) === undefined && stillFailed(check) !== undefined,
  );
  return once.flatMap(({ scenario, judgements, isLeft }, index) => {
    const isSettled = isLeft || (!isOneMore && !judgements.some(isCauseGone));
    const again = { ...known, failed: stillFailed, judgements: first[index]?.judgements ?? judgements };
    return reportScenario(scenario, isSettled ? judgements : decided(scenario, again), {
      ...known,
      failed: stillFailed,
      scenarios,
    });
  });
}

interface Judged {
  readonly scenario: Scenario;
  readonly judgements: readonly Judgement[];
  /** Whether no judge was asked, as it was not driven to its end or no time was left: nobody else has to do with that. */
  readonly isLeft: boolean;
}

/** Finds what failed, by the name of a check or of a requirement. */
function failuresOf(all: readonly Judged[]): (name: string) => FailedCheck | undefined {
  return failures(
    all.flatMap(({ scenario, judgements }) =>
      judgements.map((judgement) => ({
        ...judgement,
        id: judgement.check,
        requirement: requirementIn(scenario, judgement.check),
      })),
    ),
  );
}

type FailedCheck = Pick<CheckReport, 'id' | 'evidence' | 'requirement' | 'verdict' | 'restsOn'>;

function requirementIn({ checks }: Scenario, check: string): string {
  return checks.find(({ id }) => id === check)?.requirement ?? check;
}

function isFailure({ verdict }: Judgement): boolean {
  return verdict === 'fail';
}

interface Reporting {
  readonly evidence: Evidence;
  readonly options: Judging;
  readonly failed: Again['failed'];
  readonly scenarios: readonly Scenario[];
}

function reportScenario(
  scenario: Scenario,
  judgements: readonly Judgement[],
  { evidence, options, failed, scenarios }: Reporting,
): readonly CheckReport[] {
  const driven = evidence.driven.get(scenario.id);
  const wanted = scenario.checks.filter(
    (check) =>
      (options.requirements.length === 0 || options.requirements.includes(check.requirement)) &&
      !options.excluded.has(check.id),
  );
  return wanted.map((check) => {
    const found = judgements.find((judgement) => judgement.check === check.id);
    const own = sound(check, found, evidence);
    // What rests on a failure is open for that.
    const isResting = own.restsOn !== undefined && failed(own.restsOn) !== undefined;
    const judgement = isResting ? own : cutShort(own, driven);
    return reportCheck(scenario, check, judgement, { evidence, scenarios, durationMs: driven?.durationMs ?? 0 });
  });
}

/** What a scenario that was ended early leaves open by itself is so for that, whatever its judge takes it for. */
function cutShort(judgement: Judgement, driven: DrivenRecord | undefined): Judgement {
  if (driven?.outcome !== 'completed' || driven.message === undefined) return judgement;
  const { restsOn: _cause, ...own } = judgement;
  return own.verdict === 'inconclusive' ? { ...own, reason: driven.message } : judgement;
}

/** The verdict that all checks of a scenario share when it was not driven to its end. */
function undriven(
  scenario: Scenario,
  plan: PlanRecord | undefined,
  driven: DrivenRecord | undefined,
): readonly Judgement[] | undefined {
  const all = (verdict: Judgement['verdict'], reason: string, cause = {}): readonly Judgement[] =>
    scenario.checks.map((check) => ({ check: check.id, verdict, reason, ...cause, evidence: [] }));
  if (plan === undefined) return all('inconclusive', 'the evidence ends before this scenario was planned');
  const { status, reason, restsOn, remedies = [] } = plan;
  if (status !== 'applicable') return all(status, reason, { ...(restsOn === undefined ? {} : { restsOn }), remedies });
  if (driven === undefined) return all('inconclusive', 'the evidence ends before this scenario was driven');
  switch (driven.outcome) {
    case 'completed':
      return undefined;
    case 'timed-out':
      return all('inconclusive', driven.message ?? 'timed out');
    case 'error':
      return all('error', driven.message ?? 'the drive failed');
  }
}

/** The verdict of all checks of a scenario for whose judge no time was left. */
function unjudged(scenario: Scenario, { isOver }: BoundedJudging): readonly Judgement[] | undefined {
  if (isOver?.() !== true) return undefined;
  const reason = 'not judged: the time for judging was over';
  return scenario.checks.map(({ id }) => ({ check: id, verdict: 'inconclusive', reason, evidence: [] }));
}

/**
 * The verdicts of a scenario's judge, some observations changed or left out; none of those stands that rest on a run whose id another
 * run has as well.
 */
function judged(scenario: Scenario, evidence: Evidence, options: JudgeOptions, again?: Anew): readonly Judgement[] {
  const damaged = scenario.foundation === true ? damageIn(PLAN, observationsOf(evidence, PLAN)) : undefined;
  if (damaged !== undefined) return scenario.checks.map(({ id }) => judgementOf(id, damaged));
  const recorded = observationsOf(evidence, scenario.id);
  const isAboutIds = scenario.judgesRunIds === true;
  const read = scenario.foundation === true ? everythingIn(evidence) : [];
  const all = isAboutIds ? read : withoutShared(read);
  // What is damaged stays as it is: the judge says so, and nothing else reads it.
  const isWhole = (each: Recorded<Observation>): boolean => isSound(scenario.suite, each);
  const { changed, only } = again ?? {};
  const observed =
    changed === undefined ? recorded : recorded.flatMap((each) => (isWhole(each) ? changed(each) : [each]));
  const everything = changed === undefined ? all : all.flatMap(changed);
  const judge = (isKept: Kept, wanted: Anew['only'] | undefined): readonly Judgement[] =>
    judgedBy(scenario, options, {
      recorded: observed.filter(isKept),
      everything: everything.filter(isKept),
      only: wanted,
    });
  const judgements = onExpired(
    judgedBy(scenario, options, { recorded: observed, everything, only }),
    expiredOf(evidence),
    judge,
  );
  if (isAboutIds) return judgements;
  const shared = runIdsAgain(soundObservationsOf(evidence, PLAN)).find(({ scenarios }) =>
    scenarios.includes(scenario.id),
  );
  if (shared !== undefined) return judgements.map((each) => onSharedRun(each, shared));
  const mixed = mixedRunOf(evidence);
  return mixed?.scenarios.has(scenario.id) === true ? judgements.map((each) => onMixedRuns(each, mixed)) : judgements;
}

function mixedRunOf(evidence: Evidence): MixedRun | undefined {
  if (!mixedRuns.has(evidence)) mixedRuns.set(evidence, mixedRunIn(everythingIn(evidence)));
  return mixedRuns.get(evidence);
}

/** Looked for once. */
const mixedRuns = new WeakMap<Evidence, MixedRun | undefined>();

type Kept = (each: { readonly id: string }) => boolean;

/** An observation as it is judged; none where it is left out. */
type Changed = <O extends Recorded<Observation>>(observation: O) => readonly O[];

/** Some checks, judged by changed observations. */
interface Anew {
  readonly changed: Changed;
  readonly only: (check: string) => boolean;
}

/** What is known when a scenario is judged once more. */
interface Again {
  readonly evidence: Evidence;
  readonly options: Judging;
  readonly judgements: readonly Judgement[];
  /** What failed, by the name of a check or of a requirement. */
  readonly failed: (name: string) => Pick<CheckReport, 'id' | 'evidence' | 'restsOn'> | undefined;
}

/**
 * The judgements of a scenario, each from all that could be made: one that fails by another check's defect is judged once
 * more without the observations that show it, and decided by the others where they suffice.
 */
function decided(scenario: Scenario, known: Again): readonly Judgement[] {
  const { evidence, options, failed } = known;
  const leftOut = new Set<string>();
  let judgements = withCauses(scenario, known, leftOut);
  for (;;) {
    const resting = judgements.filter(
      (each) =>
        isFailure(each) && each.restsOn !== undefined && (failed(each.restsOn)?.id ?? each.check) !== each.check,
    );
    const more = resting.flatMap((each) => each.evidence).filter((id) => !leftOut.has(id));
    if (more.length === 0 || options.isOver?.() === true) return judgements;
    for (const id of more) leftOut.add(id);
    const only = (id: string): boolean => resting.some(({ check }) => check === id);
    const judgedAgain = judged(scenario, evidence, options, { changed: keeping(leftOut), only });
    const again = withCauses(scenario, { ...known, judgements: judgedAgain }, leftOut);
    judgements = judgements.map((each) =>
      resting.includes(each)
        ? decidedOtherwise(
            each,
            again.find(({ check }) => check === each.check),
            soundObservationsAt(evidence, each.evidence).every(wasNotMade),
          )
        : each,
    );
  }
}

/** Judgements from the observations that are not left out, each failure with its cause. */
function withCauses(
  scenario: Scenario,
  { evidence, options, failed, judgements }: Again,
  leftOut: ReadonlySet<string>,
): readonly Judgement[] {
  const isKept = keeping(leftOut);
  const all = soundObservationsOf(evidence, scenario.id);
  const read = scenario.foundation === true ? everythingIn(evidence) : all;
  return attributed(judgements, {
    foundations: options.foundations.flatMap((claim) => {
      const owner = failed(claim.check);
      const isBroken = owner !== undefined && (claim.isAlone !== true || owner.id === claim.check);
      return !isBroken ? [] : [{ claim, shown: soundObservationsAt(evidence, owner.evidence) }];
    }),
    observations: read.flatMap(isKept),
    beside: read,
    isOpen: ({ restsOn, check }) => restsOn === undefined || (failed(restsOn)?.id ?? check) === check,
    isOwn: ({ check }, foundation) => {
      const requirement = requirementIn(scenario, check);
      const restsOn = failed(foundation.check)?.restsOn;
      const isBefore = foundation.behind?.includes(requirement) === true;
      return (
        isBefore || [check, requirement].includes(foundation.check) || [check, requirement].includes(restsOn ?? '')
      );
    },
    isOver: options.isOver,
    judgeAgain: (change, only) =>
      judged(scenario, evidence, options, { changed: (each) => isKept(each).map(change), only }),
  });
}

function keeping(leftOut: ReadonlySet<string>): Changed {
  return (each) => (leftOut.has(each.id) ? [] : [each]);
}

/** Whether an observation shows no more than that something could not be observed. */
function wasNotMade(observation: Recorded<Observation>): boolean {
  return 'problem' in observation && typeof observation.problem === 'string';
}

/**
 * The second judgement where it decides, with a word about what was left out; else the first. It fails by what is left, and passes
 * only where nothing that was observed is left out: whatever its cause is, what speaks against a pass stays.
 */
function decidedOtherwise(first: Judgement, second: Judgement | undefined, leavesNothing: boolean): Judgement {
  if (second?.verdict === 'fail') return second;
  if (second?.verdict !== 'pass' || !leavesNothing) return first;
  const without = `decided without what rests on ${first.restsOn ?? ''}: ${first.actual ?? ''}`;
  return { ...second, reason: second.reason === undefined ? without : `${second.reason}; ${without}` };
}

/** What a judge is given. */
interface Judgeable {
  readonly recorded: readonly Recorded<Observation>[];
  readonly everything: Everything;
  readonly only: Anew['only'] | undefined;
}

function judgedBy(
  scenario: Scenario,
  options: JudgeOptions,
  { recorded, everything, only }: Judgeable,
): readonly Judgement[] {
  try {
    return scenario.judge(recorded, options, everything, only);
  } catch (thrown) {
    return scenario.checks.map(({ id }) => failedJudge(id, thrown));
  }
}

/** Turns what no judge may say into an error: no verdict, or a pass without recorded evidence. */
function sound(check: Check, judgement: Judgement | undefined, evidence: Evidence): Judgement {
  const error = (reason: string): Judgement => ({ check: check.id, verdict: 'error', reason, evidence: [] });
  if (judgement === undefined) return error('the judge gave no verdict for this check');
  const unknown = judgement.evidence.filter((id) => !evidence.ids.has(id));
  if (unknown.length > 0) return error(`the judge named evidence that is not recorded: ${unknown.join(', ')}`);
  if (judgement.verdict === 'pass' && judgement.evidence.length === 0) {
    return error('a pass without recorded evidence');
  }
  return judgement;
}
