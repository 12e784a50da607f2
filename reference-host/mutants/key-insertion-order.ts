import type { Mutant } from './mutant.ts';
import { OFFLINE } from './shared/checks.ts';
import { projecting, writing, taken } from './shared/key-parts.ts';

const DECLARED = ['provider', 'model', 'messages', 'tools', 'temperature', 'topP', 'topK', 'responseFormat'];

export const keyInsertionOrder: Mutant = {
  id: 'key-insertion-order',
  breaks: 'Object names are hashed in the order in which the host wrote them down.',
  kills: [...OFFLINE, 'cache-key.jcs-key-order', 'cache-key.canonical-tool-schema'],
  parts: (conformant) => ({
    ...projecting((projected) => ({ ...taken(projected, DECLARED) }))(conformant),
    ...writing({ names: (names) => names })(conformant),
  }),
};
