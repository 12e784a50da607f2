import type { Mutant } from './mutant.ts';
import { headerInKey } from './shared/key-parts.ts';

export const traceparentInKey: Mutant = {
  id: 'traceparent-in-key',
  breaks: 'The trace context enters the key.',
  kills: ['cache-key.excludes-transport'],
  parts: headerInKey('traceparent'),
};
