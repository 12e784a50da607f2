import type { Mutant } from './mutant.ts';
import { OFFLINE } from './shared/checks.ts';
import { projecting } from './shared/key-parts.ts';

export const keyDefaultsFilled: Mutant = {
  id: 'key-defaults-filled',
  breaks: 'Absent sampling parameters are hashed with the value that they have by default.',
  kills: [...OFFLINE, 'cache-key.omits-absent'],
  parts: projecting((projected) => ({ temperature: 1, topP: 1, ...projected })),
};
