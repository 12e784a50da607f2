import { rests, type Outcome } from '../../src/contract/outcome.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { PHASE_4_REPLAY, TO_REFUSAL, TO_VALID } from './directions.ts';
import { driveKinds } from './drive.ts';
import { failureAsOfOneCall } from './as-one-call.ts';
import { judgeRaised } from './judge-event.ts';
import { judgePayload } from './judge-payload.ts';
import { contractOf, kindsOf, overReplays, rowOf, type Direction, type Met } from './met.ts';
import { always, EVERY_KIND, plantedSecret, refusalAnswer, validAnswer, type EnvelopeKind } from './model.ts';
import { situationsOf } from './observation.ts';

/** 0041 §B for nodes that call a model otherwise than for a structured output; `title` says what such a replay meets. */
function ofKinds(direction: Direction, title: string) {
  const row = contractOf(direction);
  const judge = (met: Met, seed: number): Outcome => {
    const raised = judgeRaised(met);
    if (raised.kind === 'fail') return rests(row, raised);
    if (raised.kind !== 'pass') return raised;
    const payload = judgePayload(met);
    if (payload.kind === 'fail') return rests(rowOf('payload', direction), payload);
    return failureAsOfOneCall(met, plantedSecret({ seed })) ?? raised;
  };
  return defineScenario({
    ...PHASE_4_REPLAY,
    id: kindsOf(direction),
    title,
    needs: [...PHASE_4_REPLAY.needs.slice(0, 1), { kind: 'fixture', workflowId: EVERY_KIND }],
    exclusive: ['mock-ai:llm-nodes'],
    drive: (probe, options) => {
      const answers = (kind: EnvelopeKind) => always(kind === 'valid' ? validAnswer(true) : refusalAnswer(options));
      return driveKinds(probe, {
        first: answers(direction.original),
        steps: [
          { name: 'changed', answers: answers(direction.replay) },
          { name: 'control', answers: answers(direction.replay) },
        ],
      });
    },
    see: situationsOf,
    checks: [
      {
        id: kindsOf(direction),
        title: 'So it does after a chat and after a tool-calling node',
        judge: (situations, { options }) => overReplays(situations, direction, (met) => judge(met, options.seed)),
      },
    ],
  });
}

/** Nodes that answered, and refuse now. */
export const kindsToRefusal = ofKinds(
  TO_REFUSAL,
  'A replay whose chat or tool-calling node is refused says so and fails',
);

/** The inverse case. */
export const kindsToValid = ofKinds(
  TO_VALID,
  'A replay whose chat or tool-calling node is answered after a refusal says so and fails',
);
