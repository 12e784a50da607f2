import { forgetting } from '../shared/recorded-acts.ts';
import type { Mutant } from '../mutant.ts';

export const toolLogForgotten: Mutant = {
  id: 'tool-log-forgotten',
  breaks: 'A replay serves a tool without the event that the call emitted.',
  kills: ['sequence.side-effects-cached'],
  parts: forgetting('core.tool.http', ['log.appended']),
};
