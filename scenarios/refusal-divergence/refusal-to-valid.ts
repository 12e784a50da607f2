import { defineJudgedScenario } from '../../src/runner/define-judged.ts';
import { always, refusalAnswer, validAnswer } from './answers.ts';
import { checksOf, judgeDirection, PHASE_4_REPLAY } from './direction.ts';
import { driveBothWays } from './drive.ts';
import { judgeFalseAlarm } from './false-alarm.ts';
import { overReplays, type Direction } from './met.ts';
import type { RefusalObservation } from './observation.ts';
import { settle } from './outcome.ts';
import { judgeRaised } from './raised.ts';

const id = 'refusal.refusal-to-valid';
const name = 'refusal-to-valid';
const falseAlarmId = 'refusal.no-false-alarm.refusal-to-refusal';
const direction: Direction = { original: 'refusal', replay: 'valid' };

/** RFC 0041 §B, the inverse case: the source was refused, and the model now answers. */
export const refusalToValid = defineJudgedScenario<RefusalObservation>({
  ...PHASE_4_REPLAY,
  id,
  title: 'A replay whose model answers what it refused before says so and fails',
  checks: [
    { id, requirement: id, title: 'The event is emitted and the replay fails with replay_diverged_at_refusal' },
    ...checksOf(name),
    { id: falseAlarmId, requirement: 'refusal.no-false-alarm', title: 'Another refusal raises no alarm' },
  ],
  drive: (probe, options) =>
    driveBothWays(probe, {
      first: always(refusalAnswer(options)),
      steps: [
        { name: 'same', answers: always(refusalAnswer(options)) },
        { name: 'changed', answers: always(validAnswer(true)) },
        { name: 'changed-from-call', answers: always(validAnswer(true)) },
        { name: 'control', answers: always(validAnswer(true)) },
      ],
    }),
  judge: (observations, options) => [
    settle(id, overReplays(observations, direction, judgeRaised)),
    ...judgeDirection(observations, options, { name, direction }),
    settle(falseAlarmId, judgeFalseAlarm(observations, 'refusal', ['same'])),
  ],
});
