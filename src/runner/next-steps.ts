import type { Remedy } from '../contract/remedy.ts';
import type { CheckReport, NextStep } from '../contract/report.ts';

/** A check that could not be decided, and all that has to be done before it can. */
type Waiting = Pick<CheckReport, 'id' | 'remedies' | 'restsOn'>;

/**
 * What to do next, from what the checks lack: first what lets most checks be decided for each thing to do, then what does
 * so once that is done. What rests on a failed check is left out: that comes first; what rests on one that lacks something lacks just that.
 */
export function nextSteps(all: readonly Waiting[]): readonly NextStep[] {
  const checks = all.map((check) => standing(check, all));
  const untested = new Map(
    checks.flatMap(({ remedies = [] }) => remedies.map(({ step, untested: what }) => [step, what] as const)),
  );
  let waiting = checks
    .filter(({ restsOn }) => restsOn === undefined)
    .map(({ id, remedies = [] }) => ({ id, left: stepsOf(remedies) }))
    .filter(({ left }) => left.length > 0);
  const steps: NextStep[] = [];
  while (waiting.length > 0) {
    const [best] = together(waiting).toSorted((a, b) => worthOf(b) - worthOf(a) || a.steps.length - b.steps.length);
    if (best === undefined) return steps;
    const [only, second] = best.steps.map((step) => untested.get(step));
    const what = second === undefined ? only : undefined;
    steps.push({ ...best, ...(what === undefined ? {} : { untested: what }) });
    waiting = waiting
      .map(({ id, left }) => ({ id, left: left.filter((step) => !best.steps.includes(step)) }))
      .filter(({ left }) => left.length > 0);
  }
  return steps;
}

/** A check with what that lacks which it rests on, where it is not red. */
function standing(check: Waiting, all: readonly Waiting[]): Waiting {
  const owner = all.find(({ id }) => id === check.restsOn);
  const isLack = owner !== undefined && owner.restsOn === undefined && (owner.remedies ?? []).length > 0;
  return isLack ? { id: check.id, ...(owner.remedies === undefined ? {} : { remedies: owner.remedies }) } : check;
}

/** Each of several things to do once, in an order of their own, so that the same ones are one. */
function stepsOf(remedies: readonly Remedy[]): readonly string[] {
  return [...new Set(remedies.map(({ step }) => step))].toSorted();
}

interface Left {
  readonly id: string;
  readonly left: readonly string[];
}

type Candidate = Pick<NextStep, 'steps' | 'checks'>;

/** What is left to do for some check, with all checks for which just that is left. */
function together(waiting: readonly Left[]): readonly Candidate[] {
  const sets = new Map(waiting.map(({ left }) => [JSON.stringify(left), left]));
  return [...sets.values()].map((steps) => ({
    steps,
    checks: waiting.filter(({ left }) => JSON.stringify(left) === JSON.stringify(steps)).map(({ id }) => id),
  }));
}

function worthOf({ steps, checks }: Candidate): number {
  return checks.length / steps.length;
}
