import { describe } from 'vitest';
import { LIARS_ABOUT_IDS } from '../liars/about-ids.ts';
import { LIARS } from '../liars/index.ts';
import { testLiars } from '../liars/judged.ts';

describe('liars about anything else', { timeout: 600_000 }, () => {
  testLiars(LIARS.filter((liar) => !LIARS_ABOUT_IDS.includes(liar)));
});
