import { describe } from 'vitest';
import { LIARS_ABOUT_IDS } from '../liars/about-ids.ts';
import { testLiars } from '../liars/judged.ts';

describe('liars about ids', { timeout: 600_000 }, () => {
  testLiars(LIARS_ABOUT_IDS);
});
