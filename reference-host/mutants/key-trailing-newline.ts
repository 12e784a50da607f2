import type { Mutant } from './mutant.ts';
import { OFFLINE } from './shared/checks.ts';

export const keyTrailingNewline: Mutant = {
  id: 'key-trailing-newline',
  breaks: 'A line feed is hashed after the canonical text.',
  kills: [...OFFLINE],
  parts: ({ digest }) => ({ digest: (text) => digest(`${text}\n`) }),
};
