import { defineJudgedScenario } from '../../src/runner/define-judged.ts';
import { always, refusalAnswer, validAnswer } from './answers.ts';
import { judgeCached } from './cached.ts';
import { checksOf, judgeDirection, PHASE_4_REPLAY } from './direction.ts';
import { driveBothWays } from './drive.ts';
import { judgeFalseAlarm } from './false-alarm.ts';
import { overReplays, type Direction } from './met.ts';
import type { RefusalObservation } from './observation.ts';
import { settle } from './outcome.ts';
import { judgeRaised } from './raised.ts';

const id = 'refusal.valid-to-refusal';
const name = 'valid-to-refusal';
const cachedId = 'refusal.cached-response-wins';
const falseAlarmId = 'refusal.no-false-alarm.valid-to-valid';
const direction: Direction = { original: 'valid', replay: 'refusal' };

/** RFC 0041 §B: the source had a valid envelope, and the model now refuses. */
export const validToRefusal = defineJudgedScenario<RefusalObservation>({
  ...PHASE_4_REPLAY,
  id,
  title: 'A replay whose model refuses what it answered before says so and fails',
  checks: [
    { id, requirement: id, title: 'The event is emitted and the replay fails with replay_diverged_at_refusal' },
    { id: cachedId, requirement: cachedId, title: 'A recorded response is used, whatever the model would say now' },
    ...checksOf(name),
    { id: falseAlarmId, requirement: 'refusal.no-false-alarm', title: 'Another valid envelope raises no alarm' },
  ],
  drive: (probe, options) =>
    driveBothWays(probe, {
      first: [validAnswer(true), refusalAnswer(options), validAnswer(false), validAnswer(false)],
      steps: [
        { name: 'cached' },
        { name: 'fresh' },
        { name: 'same', answers: always(validAnswer(true)) },
        { name: 'other', answers: always(validAnswer(false)) },
        { name: 'changed', answers: always(refusalAnswer(options)) },
        { name: 'changed-from-call', answers: always(refusalAnswer(options)) },
        { name: 'control', answers: always(refusalAnswer(options)) },
      ],
    }),
  judge: (observations, options) => [
    settle(id, overReplays(observations, direction, judgeRaised)),
    settle(cachedId, judgeCached(observations)),
    ...judgeDirection(observations, options, { name, direction }),
    settle(falseAlarmId, judgeFalseAlarm(observations, 'valid', ['same', 'other'])),
  ],
});
