import { sampled } from '../sampled.ts';
import { FIXED_ANSWERS } from './fixed-answers.ts';
import { ONE_IN, testSurvival } from './judged.ts';

testSurvival(sampled(FIXED_ANSWERS, ONE_IN));
