import type { Suite } from '../../src/runner/scenario.ts';
import { clock } from './clock.ts';
import { divergence } from './divergence.ts';
import { modelCalls, toolCalls } from './external-calls.ts';
import { facts } from './facts.ts';
import { failures } from './failures.ts';
import { foundations } from './foundations.ts';
import { furtherDivergence } from './further-divergence.ts';
import { interrupt } from './interrupt.ts';
import { emptyAnswer, supervisorsQuestion } from './other-answers.ts';
import { severalQuestions } from './several-questions.ts';
import { span } from './span.ts';
import { versionPins } from './version-pins.ts';
import { diagnoses } from './diagnoses.ts';

/** replay-determinism: does a replay do again what the source run did, ask nobody again, and say where it cannot? */
export const replayDeterminism: Suite = {
  id: 'replay-determinism',
  scenarios: [
    toolCalls,
    modelCalls,
    interrupt,
    severalQuestions,
    emptyAnswer,
    supervisorsQuestion,
    versionPins,
    clock,
    facts,
    divergence,
    furtherDivergence,
    span,
    failures,
  ],
  foundations,
  diagnoses,
};
