import { describe } from 'vitest';
import { LIARS } from '../liars/index.ts';
import { testLiars } from '../liars/judged.ts';

describe('liars', { timeout: 600_000 }, () => {
  testLiars(LIARS);
});
