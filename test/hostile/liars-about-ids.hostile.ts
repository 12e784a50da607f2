import { describe } from 'vitest';
import { LIARS_ABOUT_IDS } from '../liars/about-ids.ts';
import { testLiars } from '../liars/judged.ts';
import { sampled } from '../sampled.ts';
import { ONE_IN } from './judged.ts';

describe('liars about ids', { timeout: 900_000 }, () => {
  testLiars(sampled(LIARS_ABOUT_IDS, ONE_IN));
});
