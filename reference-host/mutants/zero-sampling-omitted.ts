import type { Mutant } from './mutant.ts';
import { OFFLINE } from './shared/checks.ts';
import { projecting } from './shared/key-parts.ts';

export const zeroSamplingOmitted: Mutant = {
  id: 'zero-sampling-omitted',
  breaks: 'A sampling parameter of 0 counts as absent.',
  kills: [...OFFLINE],
  parts: projecting((projected) => Object.fromEntries(Object.entries(projected).filter(([, value]) => value !== 0))),
};
