import { onReplayOf, withPayload } from '../shared/replay-parts.ts';
import type { Mutant } from '../mutant.ts';

export const toolAnswerLost: Mutant = {
  id: 'tool-answer-lost',
  breaks: 'A replay calls no tool and has an empty answer in the place of the recorded one.',
  kills: [
    'replay.no-second-external-call.cached-response',
    'sequence.nondeterministic-tool',
    'once.verification-human.resume',
  ],
  parts: onReplayOf('core.tool.http', ({ events }) => ({
    value: { kind: 'answered', answer: null },
    events: events.map((event) => withPayload(event, { value: null, data: null })),
  })),
};
