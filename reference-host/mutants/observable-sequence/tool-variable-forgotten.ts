import { forgetting } from '../shared/recorded-acts.ts';
import type { Mutant } from '../mutant.ts';

export const toolVariableForgotten: Mutant = {
  id: 'tool-variable-forgotten',
  breaks: 'A replay serves a tool without the variable that the call wrote.',
  kills: ['sequence.nondeterministic-tool', 'sequence.side-effects-cached'],
  parts: forgetting('core.tool.http', ['variable.changed']),
};
