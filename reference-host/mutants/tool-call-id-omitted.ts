import type { Mutant } from './mutant.ts';
import { OFFLINE } from './shared/checks.ts';
import { projecting, without, eachOf } from './shared/key-parts.ts';

export const toolCallIdOmitted: Mutant = {
  id: 'tool-call-id-omitted',
  breaks: 'toolCallId of a message is left out of the key.',
  kills: [...OFFLINE, 'cache-key.includes-recipe-fields'],
  parts: projecting((projected) => eachOf(projected, 'messages', (message) => without(message, 'toolCallId'))),
};
