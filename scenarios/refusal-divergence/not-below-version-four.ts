import { belowVersionFour } from '../../src/contract/gates.ts';
import { defineJudgedScenario } from '../../src/runner/define-judged.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { named } from '../shared/compare-runs.ts';
import { always, refusalAnswer, validAnswer } from './answers.ts';
import { PHASE_4_REPLAY } from './direction.ts';
import { driveBothWays } from './drive.ts';
import { overReplays, RAISED, showsRefusal, type Met } from './met.ts';
import { wayText, type RefusalObservation } from './observation.ts';
import { settle, type Outcome } from './outcome.ts';

const id = 'refusal.not-below-version-four';

/** 0041, Compatibility: hosts below version 4 go on unchanged. Silence counts where the replay really met the refusal. */
function judgeSilence({ situation, replay, raised, evidence }: Met): Outcome {
  const [event] = raised;
  if (event !== undefined) {
    return {
      kind: 'fail',
      expected: `no ${RAISED} from a host below version 4`,
      actual: `one at sequence ${event.sequence} of ${named(replay)}`,
      evidence,
    };
  }
  const met = (situation.facts.asked['changed'] ?? 0) > 0 || showsRefusal(replay, situation.facts.nodeId);
  if (met) return { kind: 'pass', evidence };
  const reason = `${wayText(situation)}: the ${replay.role} does not show that its model was asked`;
  return { kind: 'open', reason, evidence };
}

function judge(observations: readonly Recorded<RefusalObservation>[]): readonly Outcome[] {
  return overReplays(observations, { original: 'valid', replay: 'refusal' }, judgeSilence);
}

/** The event belongs to version 4. */
export const notBelowVersionFour = defineJudgedScenario<RefusalObservation>({
  ...PHASE_4_REPLAY,
  id,
  title: 'A host below version 4 does not emit replay.divergedAtRefusal',
  checks: [{ id, requirement: id, title: 'No replay.divergedAtRefusal where the replay meets a refusal' }],
  gate: belowVersionFour,
  needs: [{ kind: 'fork', mode: 'replay', absent: 'not-applicable' }, { kind: 'witness' }],
  drive: (probe, options) =>
    driveBothWays(probe, {
      first: always(validAnswer(true)),
      steps: [{ name: 'changed', answers: always(refusalAnswer(options)) }],
    }),
  judge: (observations) => [settle(id, judge(observations))],
});
