import { FIXED_ANSWERS } from './fixed-answers.ts';
import { testSurvival } from './judged.ts';

testSurvival(FIXED_ANSWERS);
