import type { Mutant } from './mutant.ts';
import { OFFLINE } from './shared/checks.ts';
import { projecting, withList } from './shared/key-parts.ts';

export const toolsSortedDownwards: Mutant = {
  id: 'tools-sorted-downwards',
  breaks: 'Tools are sorted by name, the greatest first.',
  kills: [...OFFLINE, 'cache-key.sorts-tools'],
  parts: projecting((projected) => withList(projected, 'tools', (tools) => tools.toReversed())),
};
