import type { Recorded } from '../../src/runner/scenario.ts';
import { eventsOf, named } from '../shared/compare-runs.ts';
import { unseen } from '../shared/judge-run.ts';
import type { EnvelopeKind } from './answers.ts';
import { errorCodesOf, meet, outcomeOf, RAISED, REFUSAL_CODE, sourceProblem, type Direction } from './met.ts';
import { situationsOf, wayText, type RefusalObservation, type Situation, type StepName } from './observation.ts';
import type { Outcome } from './outcome.ts';

const OTHER: Readonly<Record<EnvelopeKind, EnvelopeKind>> = { valid: 'refusal', refusal: 'valid' };

/** 0041 §B: an answer of the same kind raises nothing, on a host that raises it where the kinds differ. */
export function judgeFalseAlarm(
  observations: readonly Recorded<RefusalObservation>[],
  kind: EnvelopeKind,
  steps: readonly StepName[],
): readonly Outcome[] {
  return situationsOf(observations).flatMap((situation) => {
    const unusable = sourceProblem(situation, kind) ?? silent(situation, { original: kind, replay: OTHER[kind] });
    return unusable === undefined ? steps.map((step) => judgeStep(situation, step)) : [unusable];
  });
}

/** The twin: without a replay that raised the alarm, silence says nothing. An alarm that was raised wrongly counts. */
function silent(situation: Situation, direction: Direction): Outcome | undefined {
  const met = meet(situation, direction, 'changed');
  if ('kind' in met) return met.kind === 'fail' ? undefined : met;
  if (met.raised.length > 0) return undefined;
  const reason = `${wayText(situation)}: the host raises no ${RAISED} where the kinds differ, so its silence says nothing`;
  return { kind: 'open', reason, evidence: met.evidence };
}

function judgeStep(situation: Situation, step: StepName): Outcome {
  const { facts, run } = situation;
  const replay = run(step);
  if (replay === undefined) {
    return {
      kind: 'open',
      reason: `${wayText(situation)}: ${facts.problem ?? 'no replay was driven'}`,
      evidence: [facts.id],
    };
  }
  const hidden = unseen('', [replay]);
  if (hidden !== undefined) return outcomeOf(hidden, situation);
  const evidence = [replay.id, facts.id];
  const raised = eventsOf(replay).find(({ type }) => type === RAISED);
  const code = errorCodesOf(replay).find((each) => each.code === REFUSAL_CODE);
  if (raised !== undefined || code !== undefined) {
    const what =
      raised === undefined ? `${REFUSAL_CODE} (${code?.at ?? ''})` : `${RAISED} at sequence ${raised.sequence}`;
    return {
      kind: 'fail',
      expected: `no ${RAISED}: both envelopes are of the same kind`,
      actual: `${what} in ${named(replay)}`,
      evidence,
    };
  }
  if (facts.asked[step] === 0) {
    return { kind: 'open', reason: `${wayText(situation)}: the ${replay.role} did not ask the model`, evidence };
  }
  return { kind: 'pass', evidence };
}
