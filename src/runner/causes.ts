import { isLack } from '../contract/remedy.ts';
import type { CheckReport } from '../contract/report.ts';
import type { StandsOn } from './scenario.ts';

/**
 * One defect is red once (architecture, Causes): a failure that belongs to another check is undecided and rests on it
 * where that check failed in the same run. Where it did not fail, the failure stands, and where it was not judged, too, which then
 * is said: nothing is hidden. What is undecided for want of another check says so in the same way. A chain of causes, undecided ones among
 * them, rests on its first; a circle, on that which stands first in the report. What is undecided and names no cause rests on the first of
 * its suspects that leads to a failure, unless it only lacks what the host does not have; where none does, on a row that it stands on and that says what the host lacks, where it does not say that itself.
 */
export function settleCauses(
  checks: readonly CheckReport[],
  suspectsOf: Naming = namesNone,
  standsOn: Naming = namesNone,
): readonly CheckReport[] {
  const owner = owners(checks);
  const lack = lacks(checks, standsOn);
  // A host that knows none of the workflows that it names lacks no single one.
  const isNothingRun = checks.some(({ verdict, diagnosis }) => verdict === 'fail' && diagnosis?.code === NONE_KNOWN);
  const isJudged = (name: string): boolean => checks.some(({ id, requirement }) => id === name || requirement === name);
  return checks.map((check) => {
    const { restsOn, ...standing } = check;
    const root = rootOf(check, owner);
    if (root !== check.id)
      return check.verdict === 'inconclusive' ? { ...check, restsOn: root } : undecided(check, root);
    if (check.verdict !== 'inconclusive')
      return restsOn === undefined || isJudged(restsOn) ? standing : withOwner(standing, restsOn);
    const suspects = isLack(check) && !isNothingRun ? [] : suspectsOf(check);
    const suspect = suspects
      .map((name) => rootOf({ ...standing, restsOn: name }, owner))
      .find((each) => each !== check.id);
    const cause = suspect ?? lack(check);
    return cause === undefined ? standing : { ...standing, restsOn: cause };
  });
}

/** The mistake of a host that refuses runs of all the workflows that it names (run.created). */
const NONE_KNOWN = 'named-and-refused';

/** A failure that stands for want of the row that says it. */
function withOwner(check: CheckReport, owner: string): CheckReport {
  const reason = `it may belong to ${owner}, which was not run: run that one, too`;
  return { ...check, reason: check.reason === undefined ? reason : `${check.reason}; ${reason}` };
}

/** Names checks, or requirements, for one. */
type Naming = (check: CheckReport) => readonly string[];

const namesNone: Naming = () => [];

/**
 * Finds the row that says what the host lacks, for one that is undecided and stands on it: the last of those that stand on each other.
 * Of those that do so in a circle, none is it.
 */
function lacks(checks: readonly CheckReport[], standsOn: Naming): (check: CheckReport) => string | undefined {
  const open = new Map(
    checks
      .filter(({ verdict, restsOn, remedies = [] }) => verdict === 'inconclusive' && !restsOn && remedies.length > 0)
      .map((check) => [check.id, check]),
  );
  return (check) => {
    const passed = [check];
    for (;;) {
      const at = passed.at(-1) ?? check;
      const next = standsOn(at)
        .map((name) => open.get(name))
        .find((each) => each !== undefined && each !== at);
      if (next === undefined) return at === check || isSaidBy(at, check) ? undefined : at.id;
      if (passed.some(({ id }) => id === next.id)) return undefined;
      passed.push(next);
    }
  };
}

/** Whether all that a check says is to be done is what the row says that it would rest on: both are open for the same lack. */
function isSaidBy({ remedies: others = [] }: CheckReport, { remedies = [] }: CheckReport): boolean {
  return remedies.length > 0 && remedies.every(({ step }) => others.some((other) => other.step === step));
}

/**
 * The checks, those that look at everything behind the others: such a failure rests on the first other one that failed by its
 * own cause and a name that goes before it (`remainders`, by check; with a dot at its end, that of a whole row), none that narrows its own down,
 * one that shows the same runs before others; of two that go before each other the later one rests on the earlier. One that knows its
 * places rests only where such failures name the member at each of them: another member's fault is a defect of its own. None rests on
 * what it is `apart` from, nor on one seen in runs (`typesIn`) that have no event of a type in which its own logs differ, or the other way
 * round; where others were seen (`further`), one that rests on none stands in its place. No report shows any of these. What is advice takes no failure away that decides.
 */
export function afterOthers(
  checks: readonly CheckReport[],
  remainders: StandsOn,
  typesIn: (check: CheckReport) => ReadonlySet<string> = seesNone,
): readonly CheckReport[] {
  const ownerOf = (check: CheckReport, index: number): CheckReport | undefined => {
    const { apart = [], differs = [], places = [''] } = check;
    const failed = checks.filter(
      ({ id, verdict, restsOn, level, ...one }, other) =>
        verdict === 'fail' &&
        restsOn === undefined &&
        !`${id}.`.startsWith(`${check.id}.`) &&
        (level === 'MUST' || check.level !== 'MUST') &&
        remainders[check.id]?.some((name) => isNamed(id, name)) === true &&
        !apart.some((name) => isNamed(id, name)) &&
        !isElsewhere(differs, typesIn(checks[other] ?? check)) &&
        !isElsewhere(one.differs ?? [], typesIn(check)) &&
        (other < index || remainders[id]?.some((name) => isNamed(check.id, name)) !== true),
    );
    // One that saw it in the same runs is the nearest.
    const near = failed.toSorted((a, b) => Number(sharesEvidence(b, check)) - Number(sharesEvidence(a, check)));
    const [owner, ...others] = places.map((place) => near.find((each) => names(each, place)));
    return others.includes(undefined) ? undefined : owner;
  };
  return checks.map(({ further = [], ...first }, index) => {
    // What is said of the first alone is not said of the others.
    const { reason: _reason, places: _places, apart: _of, differs: _first, reproduce: _it, ...common } = first;
    const all = [first, ...further.map((more): CheckReport => ({ ...common, ...more }))];
    const isFailure = remainders[first.id] !== undefined && first.verdict === 'fail' && first.restsOn === undefined;
    const owner = isFailure ? ownerOf(first, index) : undefined;
    const own = owner && all.find((each) => ownerOf(each, index) === undefined);
    const { apart: _apart, differs: _differs, ...check } = own ?? first;
    return owner === undefined || own !== undefined ? check : { ...check, restsOn: owner.id };
  });
}

/**
 * The checks, those that fail by what belongs to a row that asks nothing of this host: what it would own they own among them, the check of
 * a whole row before those that look at a part of one, and the others rest there. Advice owns nothing that decides.
 */
export function inherited(checks: readonly CheckReport[]): readonly CheckReport[] {
  const isLeft = (name: string): boolean => {
    const row = checks.filter(({ id, requirement }) => id === name || requirement === name);
    return row.length > 0 && row.every(({ verdict }) => verdict === 'not-applicable');
  };
  const orphans = checks.filter(
    ({ verdict, restsOn }) => verdict === 'fail' && restsOn !== undefined && isLeft(restsOn),
  );
  return checks.map((check) => {
    if (!orphans.includes(check)) return check;
    const alike = orphans.filter(({ restsOn }) => restsOn === check.restsOn);
    const deciding = alike.filter(({ level }) => level === 'MUST');
    const heirs = deciding.length > 0 ? deciding : alike;
    const heir = heirs.find(({ id, requirement }) => id === requirement) ?? heirs[0];
    const { restsOn: _nobody, ...standing } = check;
    return heir === undefined || heir === check ? standing : { ...check, restsOn: heir.id };
  });
}

const seesNone = (): ReadonlySet<string> => new Set();

/** Whether logs hold events, and none of these types. */
function isElsewhere(differs: readonly string[], types: ReadonlySet<string>): boolean {
  return differs.length > 0 && types.size > 0 && !differs.some((type) => types.has(type));
}

function sharesEvidence(one: CheckReport, other: CheckReport): boolean {
  return one.evidence.some((id) => other.evidence.includes(id));
}

/** Whether a check has this name, or stands below one that ends with a dot. */
function isNamed(id: string, name: string): boolean {
  return name.endsWith('.') ? `${id}.`.startsWith(name) : id === name;
}

/**
 * The checks, those of one requirement in which the same mistake has the same name: it is red where it shows first, and the
 * others rest there. A symptom is red in each.
 */
export function oncePerRow(checks: readonly CheckReport[]): readonly CheckReport[] {
  const first = new Map<string, string>();
  return checks.map((each) => {
    const { verdict, restsOn, requirement, level, diagnosis } = each;
    if (diagnosis === undefined) return each;
    const { isSymptom, ...told } = diagnosis;
    const check = { ...each, diagnosis: told };
    if (verdict !== 'fail' || restsOn !== undefined || isSymptom === true) return check;
    const mistake = JSON.stringify([requirement, level, diagnosis.code]);
    const owner = first.get(mistake);
    if (owner !== undefined) return { ...check, restsOn: owner };
    first.set(mistake, check.id);
    return check;
  });
}

/** Whether a failure says the name of the member at a place; it says that of a whole document whatever it says. */
function names({ actual = '' }: CheckReport, place: string): boolean {
  const member = place.split('/').findLast((part) => part !== '*') ?? '';
  return member === '' || actual.split(/[^\w-]+/u).includes(member);
}

/** Finds what others rest on, and its place in the report: what failed, else what is itself undecided for another check's sake. */
type Owners = (name: string) => { readonly check: CheckReport; readonly place: number } | undefined;

function owners(checks: readonly CheckReport[]): Owners {
  const failed = failures(checks);
  const open = new Map(
    checks.flatMap((check) =>
      check.verdict === 'inconclusive' && check.restsOn !== undefined ? [[check.id, check]] : [],
    ),
  );
  const places = new Map(checks.map((check, place) => [check, place]));
  return (name) => {
    const check = failed(name) ?? open.get(name);
    return check && { check, place: places.get(check) ?? Infinity };
  };
}

/**
 * Finds what failed by the name that others rest on: the check of that id, else the first one of the requirement. Undefined
 * where none failed.
 */
export function failures<Failed extends Pick<CheckReport, 'id' | 'requirement' | 'verdict'>>(
  checks: readonly Failed[],
): (name: string) => Failed | undefined {
  const byName = new Map<string, Failed>();
  for (const check of checks) {
    if (check.verdict !== 'fail') continue;
    if (!byName.has(check.requirement)) byName.set(check.requirement, check);
    byName.set(check.id, check);
  }
  return (name) => byName.get(name);
}

/**
 * The id of the failed check that carries the cause; the check's own where no other one does. Of those that each rest on the next, and
 * the last one on the first, that carries it which stands first in the report.
 */
function rootOf(check: CheckReport, ownerOf: Owners): string {
  const passed = [check];
  let [at, root] = [check, check.id];
  for (;;) {
    const owner = at.restsOn === undefined ? undefined : ownerOf(at.restsOn);
    if (owner === undefined || owner.check === at) return root;
    const from = passed.findIndex(({ id }) => id === owner.check.id);
    if (from !== -1) return firstOf(passed.slice(from), ownerOf) ?? check.id;
    passed.push(owner.check);
    if (owner.check.verdict === 'fail') root = owner.check.id;
    at = owner.check;
  }
}

function firstOf(circle: readonly CheckReport[], ownerOf: Owners): string | undefined {
  const failed = circle.filter(({ verdict }) => verdict === 'fail');
  const placeOf = ({ id }: CheckReport): number => ownerOf(id)?.place ?? Infinity;
  return failed.toSorted((a, b) => placeOf(a) - placeOf(b))[0]?.id;
}

function undecided(check: CheckReport, restsOn: string): CheckReport {
  const { expected, actual, places: _places, diagnosis: _diagnosis, reproduce: _reproduce, ...rest } = check;
  const reason = [
    'not seen',
    ...(actual === undefined ? [] : [`: ${actual}`]),
    ...(expected === undefined ? [] : [`; expected: ${expected}`]),
    ...(check.reason === undefined ? [] : [`; ${check.reason}`]),
  ].join('');
  return { ...rest, verdict: 'inconclusive', reason, restsOn };
}
