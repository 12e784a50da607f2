import { forgetting } from '../shared/recorded-acts.ts';
import type { Mutant } from '../mutant.ts';

export const toolChannelForgotten: Mutant = {
  id: 'tool-channel-forgotten',
  breaks: 'A replay serves a tool without the channel that the call wrote.',
  kills: ['sequence.side-effects-cached', 'sequence.state-equal'],
  parts: forgetting('core.tool.http', ['channel.written']),
};
