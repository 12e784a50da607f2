import type { Mutant } from './mutant.ts';
import { headerInKey } from './shared/key-parts.ts';

export const tracestateInKey: Mutant = {
  id: 'tracestate-in-key',
  breaks: 'The trace state enters the key.',
  kills: ['cache-key.excludes-transport'],
  parts: headerInKey('tracestate'),
};
