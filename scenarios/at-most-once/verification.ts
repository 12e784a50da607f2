import { verificationMode } from '../../src/contract/gates.ts';
import { defineScenario, type JudgedCheck } from '../../src/runner/define-scenario.ts';
import type { Scenario } from '../../src/runner/scenario.ts';
import { faultIn } from './observation-shapes.ts';
import { confirm, driveVerification, type Following, putRight, readCounter } from './verification-drive.ts';
import { type Facts, seeVerification } from './verification-facts.ts';
import { judgeParked, judgeResumed, judgeStrict, judgeWarn } from './verification-judges.ts';

/** What sets one mode apart from the others. */
interface Mode {
  readonly mode: 'strict' | 'warn' | 'human';
  readonly where: string;
  readonly following: Following;
  readonly checks: readonly JudgedCheck<Facts>[];
}

function verification({ mode, where, following, checks }: Mode): Scenario {
  const workflowId = `conformance-determinism-verify-${mode}`;
  return defineScenario({
    id: `once.verification-${mode}`,
    suite: 'at-most-once',
    title: `Replays whose verification fails, where ${where}`,
    gate: verificationMode(mode === 'human' ? 'human-in-loop' : mode),
    needs: [
      { kind: 'fork', mode: 'replay', absent: 'inconclusive' },
      { kind: 'witness' },
      { kind: 'fixture', workflowId },
    ],
    patience: () => 60,
    drive: (probe) => driveVerification(probe, workflowId, following),
    faultIn,
    see: seeVerification,
    checks,
  });
}

/** sem §5, strict. */
export const verificationStrict = verification({
  mode: 'strict',
  where: 'that is an error',
  following: { followUp: putRight },
  checks: [
    {
      id: 'once.verification-strict',
      title: 'The run fails for good, and the recorded result is nowhere',
      judge: judgeStrict,
    },
  ],
});

/** sem §5, warn. */
export const verificationWarn = verification({
  mode: 'warn',
  where: 'that is only counted',
  following: { followUp: readCounter, count: readCounter },
  checks: [
    {
      id: 'once.verification-warn',
      title: 'The failure is counted, and the recorded result is injected',
      judge: judgeWarn,
    },
  ],
});

/** sem §5, human-in-loop. */
export const verificationHuman = verification({
  mode: 'human',
  where: 'a person decides',
  following: { followUp: confirm },
  checks: [
    {
      id: 'once.verification-human',
      title: 'The run is parked, and the recorded result is nowhere before a person has confirmed it',
      judge: judgeParked,
    },
    {
      id: 'once.verification-human.resume',
      title: 'The run goes on with the recorded result when a person has confirmed it',
      judge: judgeResumed,
    },
  ],
});
