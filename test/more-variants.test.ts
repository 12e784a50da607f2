import { describe } from 'vitest';
import { VARIANTS } from './variants/index.ts';
import { testVariants } from './variants/judged.ts';

describe('allowed variants, the second half', () => {
  testVariants(VARIANTS.slice(VARIANTS.length / 2));
});
