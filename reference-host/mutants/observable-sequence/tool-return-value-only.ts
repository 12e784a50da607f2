import { forgetting } from '../shared/recorded-acts.ts';
import type { Mutant } from '../mutant.ts';

export const toolReturnValueOnly: Mutant = {
  id: 'tool-return-value-only',
  breaks: 'A replay serves what a tool returned and forgets what the call did to the run.',
  kills: ['sequence.side-effects-cached', 'sequence.state-equal'],
  parts: forgetting('core.tool.http', ['variable.changed', 'channel.written', 'log.appended']),
};
