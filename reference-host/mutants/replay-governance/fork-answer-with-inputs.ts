import type { Mutant } from '../mutant.ts';
import type { Fetch } from '../../parts.ts';
import { forkAnswered } from '../shared/fork-parts.ts';
import { rememberingInputs } from '../shared/run-memory.ts';

export const forkAnswerWithInputs: Mutant = {
  id: 'fork-answer-with-inputs',
  breaks: 'The answer to a fork repeats the inputs of its source as they are.',
  kills: ['privacy.same-redaction.answers'],
  parts: (conformant) => {
    const inputs = new Map<string, unknown>();
    const { forkEndpoint } = forkAnswered((answer, { sourceRunId }) => ({
      ...answer,
      inputs: inputs.get(sourceRunId) ?? {},
    }))(conformant);
    const middleware = (next: Fetch): Fetch => rememberingInputs(next, inputs);
    return { ...(forkEndpoint === undefined ? {} : { forkEndpoint }), middleware };
  },
};
