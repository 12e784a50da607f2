import { verificationMode } from '../../src/contract/gates.ts';
import type { Judgement } from '../../src/contract/verdict.ts';
import { defineJudgedScenario } from '../../src/runner/define-judged.ts';
import type { Check, Scenario } from '../../src/runner/scenario.ts';
import {
  confirm,
  driveVerification,
  type Following,
  putRight,
  readCounter,
  type VerificationObservation,
} from './verification-drive.ts';
import type { SeenVerification } from './verification-facts.ts';
import { judgeParked, judgeResumed } from './verification-human.ts';
import { judgeStrict } from './verification-strict.ts';
import { judgeWarn } from './verification-warn.ts';

/** What sets one mode apart from the others. */
interface Mode {
  readonly name: 'strict' | 'warn' | 'human-in-loop';
  readonly id: string;
  readonly workflowId: string;
  readonly title: string;
  readonly checks: readonly Check[];
  readonly following: Following;
  readonly judge: (seen: SeenVerification) => readonly Judgement[];
}

function verification({ name, id, workflowId, title, checks, following, judge }: Mode): Scenario {
  return defineJudgedScenario<VerificationObservation>({
    id,
    suite: 'at-most-once',
    title,
    checks,
    gate: verificationMode(name),
    needs: [
      { kind: 'fork', mode: 'replay', absent: 'inconclusive' },
      { kind: 'witness' },
      { kind: 'fixture', workflowId },
    ],
    exclusive: [],
    patience: () => 60,
    drive: (probe) => driveVerification(probe, workflowId, following),
    judge: (observations) => judge(observations),
  });
}

/** sem §5, strict. */
export const verificationStrict = verification({
  name: 'strict',
  id: 'once.verification-strict',
  workflowId: 'conformance-determinism-verify-strict',
  title: 'Replays whose verification fails, where that is an error',
  checks: [
    {
      id: 'once.verification-strict',
      requirement: 'once.verification-strict',
      title: 'The run fails for good, and the recorded result is nowhere',
    },
  ],
  following: { followUp: putRight },
  judge: (seen) => [judgeStrict(seen)],
});

/** sem §5, warn. */
export const verificationWarn = verification({
  name: 'warn',
  id: 'once.verification-warn',
  workflowId: 'conformance-determinism-verify-warn',
  title: 'Replays whose verification fails, where that is only counted',
  checks: [
    {
      id: 'once.verification-warn',
      requirement: 'once.verification-warn',
      title: 'The failure is counted, and the recorded result is injected',
    },
  ],
  following: { followUp: readCounter, count: readCounter },
  judge: (seen) => [judgeWarn(seen)],
});

/** sem §5, human-in-loop. */
export const verificationHuman = verification({
  name: 'human-in-loop',
  id: 'once.verification-human',
  workflowId: 'conformance-determinism-verify-human',
  title: 'Replays whose verification fails, where a person decides',
  checks: [
    {
      id: 'once.verification-human',
      requirement: 'once.verification-human',
      title: 'The run is parked, and the recorded result is nowhere before a person has confirmed it',
    },
    {
      id: 'once.verification-human.resume',
      requirement: 'once.verification-human',
      title: 'The run goes on with the recorded result when a person has confirmed it',
    },
  ],
  following: { followUp: confirm },
  judge: (seen) => [judgeParked(seen), judgeResumed(seen)],
});
