import { fail, isOutcome, pass, type Outcome } from '../../src/contract/outcome.ts';
import { eventsOf, named } from '../shared/compare-runs.ts';
import { leftWithout } from '../shared/need.ts';
import { settle } from '../shared/settle.ts';
import { errorCodesOf, meet, RAISED, REFUSAL_CODE, sourceProblem, type Direction } from './met.ts';
import { on, undecidedOn, type Situation, type StepName } from './observation.ts';

/** 0041 §B: an answer of the source's kind raises nothing, on a host that raises it where the kinds differ. */
export function judgeFalseAlarm(
  situations: readonly Situation[],
  direction: Direction,
  steps: readonly StepName[],
): Outcome {
  return settle(
    situations.flatMap((situation) => {
      const unusable = sourceProblem(situation, direction.original) ?? silent(situation, direction);
      return unusable === undefined ? steps.map((step) => judgeStep(situation, step)) : [unusable];
    }),
  );
}

/** The control: without a replay that raised the alarm, silence says nothing. An alarm that was raised wrongly counts. */
function silent(situation: Situation, direction: Direction): Outcome | undefined {
  const met = meet(situation, direction, 'changed');
  if (isOutcome(met)) return isFailure(met) ? undefined : met;
  if (met.raised.length > 0) return undefined;
  const why = `the host raises no ${RAISED} where the kinds differ, so its silence says nothing`;
  return undecidedOn(situation, why, met.evidence);
}

function isFailure(outcome: Outcome): boolean {
  return outcome.kind === 'fail' || (outcome.kind === 'rests' && outcome.otherwise.kind === 'fail');
}

function judgeStep(situation: Situation, step: StepName): Outcome {
  const { facts, run } = situation;
  const replay = run(step);
  if (replay === undefined) return undecidedOn(situation, facts.problem ?? 'no replay was driven');
  const left = leftWithout([replay]);
  if (left !== undefined) return on(situation, left);
  const evidence = [replay, facts];
  const raised = eventsOf(replay).find(({ type }) => type === RAISED);
  const code = errorCodesOf(replay).find((each) => each.code === REFUSAL_CODE);
  if (raised !== undefined || code !== undefined) {
    const alarm =
      raised === undefined ? `${REFUSAL_CODE} (${code?.at ?? ''})` : `${RAISED} at sequence ${raised.sequence}`;
    const expected = `no ${RAISED}: both envelopes are of the same kind`;
    return fail({ expected, actual: `${alarm} in ${named(replay)}` }, evidence);
  }
  if (facts.asked[step] === 0) return undecidedOn(situation, `the ${replay.role} did not ask the model`, evidence);
  return pass(evidence);
}
