import { fail, isOutcome, pass, type Outcome } from '../../src/contract/outcome.ts';
import { eventsOf, named } from '../shared/compare-runs.ts';
import { errorCodesOf, meet, overSources, RAISED, REFUSAL_CODE, runOn, type Direction, type Met } from './met.ts';
import { undecidedOn, type Situation, type StepName } from './observation.ts';

/** 0041 §B: an answer of the source's kind raises nothing, on a host that raises it where the kinds differ. */
export function judgeFalseAlarm(
  situations: readonly Situation[],
  direction: Direction,
  steps: readonly StepName[],
): Outcome {
  return overSources(situations, direction.original, (situation, source) => {
    const silent = silentControl(meet({ situation, source, direction }, 'changed'));
    return silent === undefined ? steps.map((step) => judgeStep(situation, step)) : [silent];
  });
}

/** Without a replay that raised the alarm, silence says nothing. An alarm that was raised wrongly counts. */
function silentControl(control: Met | Outcome): Outcome | undefined {
  if (isOutcome(control)) return isFailure(control) ? undefined : control;
  if (control.raised.length > 0) return undefined;
  const why = `the host raises no ${RAISED} where the kinds differ, so its silence says nothing`;
  return undecidedOn(control.situation, why, control.evidence);
}

function isFailure(outcome: Outcome): boolean {
  return outcome.kind === 'fail' || (outcome.kind === 'rests' && outcome.otherwise.kind === 'fail');
}

function judgeStep(situation: Situation, step: StepName): Outcome {
  const { facts } = situation;
  const replay = runOn(situation, step);
  if (isOutcome(replay)) return replay;
  const evidence = [replay, facts];
  const raised = eventsOf(replay).find(({ type }) => type === RAISED);
  const code = errorCodesOf(replay).find((each) => each.code === REFUSAL_CODE);
  if (raised !== undefined || code !== undefined) {
    const alarm =
      raised === undefined ? `${REFUSAL_CODE} (${code?.at ?? ''})` : `${RAISED} at sequence ${raised.sequence}`;
    const expected = `no ${RAISED}: both envelopes are of the same kind`;
    return fail({ expected, actual: `${alarm} in ${named(replay)}` }, evidence);
  }
  if (facts.asked[step] === 0) return undecidedOn(situation, `the ${replay.role} did not call the model`, evidence);
  return pass(evidence);
}
