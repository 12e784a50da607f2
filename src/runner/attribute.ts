import type { Judgement } from '../contract/verdict.ts';
import { copyPacked, holdsPacked } from '../evidence/pack.ts';
import type { Observation } from '../evidence/types.ts';
import type { Foundation, Recorded } from './scenario.ts';

/** A claim that was found to be broken, and the observations that show it. */
export interface Broken {
  readonly claim: Foundation;
  readonly shown: readonly Recorded<Observation>[];
}

/** What is known of the judgements of a scenario when their causes are looked for. */
interface Attributing {
  /** The claims that were found to be broken. */
  readonly foundations: readonly Broken[];
  /** Those that the scenario's judge reads. */
  readonly observations: readonly Recorded<Observation>[];
  /** The same, with what is left out. */
  readonly beside: readonly Recorded<Observation>[];
  /** Whether no other check that failed is named as the cause yet. */
  readonly isOpen: (judgement: Judgement) => boolean;
  /** Whether a judgement is about the claim itself, or its owner rests on it. */
  readonly isOwn: (judgement: Judgement, foundation: Foundation) => boolean;
  /** The judgements of some checks of the same scenario on observations that are changed. */
  readonly judgeAgain: (
    change: <O extends Recorded<Observation>>(observation: O) => O,
    only: (check: string) => boolean,
  ) => readonly Judgement[];
  /** Whether the time for judging is over: a failure whose cause is not known by then is open. */
  readonly isOver?: (() => boolean) | undefined;
}

/**
 * The judgements of a scenario, each with its cause: a failure that is gone where what breaks a claim is set aside rests on
 * the check that owns the claim, and so does what is only then decided (architecture, Causes). Each claim is
 * set aside by itself, and with those before it: where it takes several, the last one is named. What rests on a claim that leaves
 * something to be seen, and fails by that, is a failure.
 */
export function attributed(judgements: readonly Judgement[], known: Attributing): readonly Judgement[] {
  let found = judgements;
  const isOver = (): boolean => known.isOver?.() === true;
  // What breaks a claim stays: others are open for its sake.
  const isOwner = (each: Judgement): boolean => known.foundations.some(({ claim }) => known.isOwn(each, claim));
  const without = settingAside(known.beside);
  for (const [index, broken] of known.foundations.entries()) {
    const { claim, shown } = broken;
    const isHidden = ({ verdict, restsOn }: Judgement): boolean =>
      claim.showsMore !== undefined && verdict === 'inconclusive' && restsOn === claim.check;
    const isCandidate = (each: Judgement): boolean =>
      (MAY_REST.has(each.verdict) && known.isOpen(each) && !known.isOwn(each, claim)) || isHidden(each);
    const isSetAside = (each: Recorded<Observation>): boolean => without(broken, each) !== each;
    const candidates = found.filter(isCandidate);
    if (candidates.length === 0 || !known.observations.some((each) => isOver() || isSetAside(each))) continue;
    const again = new Set(candidates.map(({ check }) => check));
    const withoutThese = (setAside: readonly Broken[]): ReturnType<typeof judgementsWithout> =>
      judgementsWithout(setAside, { ...known, without, again });
    const alone = withoutThese([broken]);
    const cumulated = index === 0 ? alone : withoutThese(known.foundations.slice(0, index + 1));
    const otherwise = withoutThese([{ claim: { ...claim, without: claim.showsMore ?? unchanged }, shown }]);
    const isGone = (each: Judgement, left: Judgement | undefined): boolean => {
      if (left?.verdict === 'pass') return true;
      if (each.verdict !== 'fail') return false;
      // What is left may be another's failure.
      const isOthers = left !== undefined && !known.isOpen(left);
      return isOthers || (claim.onlyPasses !== true && left?.verdict !== 'fail');
    };
    const rests = (each: Judgement): boolean => isGone(each, alone(each)) || isGone(each, cumulated(each));
    found = found.map((each) => {
      if (!again.has(each.check)) return each;
      const isResting = !isOver() && rests(each);
      if (isOver()) return each.verdict === 'fail' && !isOwner(each) ? open(each) : each;
      if (isResting) return { ...each, restsOn: claim.check };
      const left = isHidden(each) ? [alone, cumulated, otherwise].map((judge) => judge(each)) : [];
      const [failure] = left.every((judgement) => judgement?.verdict === 'fail') ? left : [];
      return failure !== undefined && known.isOpen(failure) ? failure : each;
    });
  }
  return found;
}

/** A failure whose cause was not found in time: it may be that of a claim that is broken. */
function open({ check, actual, evidence }: Judgement): Judgement {
  const reason = 'the time for judging was over before its cause was found';
  return {
    check,
    verdict: 'inconclusive',
    reason: actual === undefined ? reason : `${reason}: ${actual}`,
    evidence,
  };
}

interface JudgingAgain extends Attributing {
  readonly without: SetAside;
  /** The checks that are judged again. */
  readonly again: ReadonlySet<string>;
}

/** How a check is judged where claims are set aside, but for those that it is about. */
function judgementsWithout(
  setAside: readonly Broken[],
  { without, again, ...known }: JudgingAgain,
): (judgement: Judgement) => Judgement | undefined {
  const judged = new Map<string, readonly Judgement[]>();
  return (judgement) => {
    const others = setAside.filter(({ claim }) => !known.isOwn(judgement, claim));
    const key = others.map(({ claim }) => claim.check).join(' ');
    const found =
      judged.get(key) ??
      known.judgeAgain(
        (observation) =>
          known.isOver?.() === true ? observation : others.reduce((left, broken) => without(broken, left), observation),
        (check) => again.has(check),
      );
    judged.set(key, found);
    return found.find(({ check }) => check === judgement.check);
  };
}

const unchanged = (): undefined => undefined;

const MAY_REST: ReadonlySet<Judgement['verdict']> = new Set(['fail', 'inconclusive']);

/** An observation without what breaks a claim; itself where it shows nothing of that. */
type SetAside = <O extends Recorded<Observation>>(broken: Broken, observation: O) => O;

/** Several checks are judged without the same claims: what is left of an observation is worked out once, unless it is large. */
function settingAside(beside: readonly Recorded<Observation>[]): SetAside {
  const left = new Map<Broken, WeakMap<object, object>>();
  return <O extends Recorded<Observation>>(broken: Broken, observation: O): O => {
    const known = left.get(broken) ?? new WeakMap<object, object>();
    left.set(broken, known);
    const found = known.get(observation) as O | undefined;
    if (found !== undefined) return found;
    const change = broken.claim.without?.(observation, broken.shown, beside);
    const changed = change === undefined ? observation : copyPacked(observation, change);
    if (!holdsPacked(observation)) known.set(observation, changed);
    return changed;
  };
}
