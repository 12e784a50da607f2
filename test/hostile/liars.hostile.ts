import { describe } from 'vitest';
import { LIARS_ABOUT_IDS } from '../liars/about-ids.ts';
import { LIARS } from '../liars/index.ts';
import { testLiars } from '../liars/judged.ts';
import { sampled } from '../sampled.ts';
import { ONE_IN } from './judged.ts';

describe('liars about anything else', { timeout: 900_000 }, () => {
  const others = LIARS.filter((liar) => !LIARS_ABOUT_IDS.includes(liar));
  testLiars(sampled(others, ONE_IN));
});
