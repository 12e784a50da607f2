import { sampled } from '../sampled.ts';
import { ONE_IN, testSurvival } from './judged.ts';
import { STANDING_LOGS } from './standing-logs.ts';

testSurvival(sampled(STANDING_LOGS, ONE_IN));
