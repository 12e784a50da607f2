import { sampled } from '../sampled.ts';
import { FLOOD_BEHAVIOURS } from './floods.ts';
import { ONE_IN, testSurvival } from './judged.ts';

testSurvival(sampled(FLOOD_BEHAVIOURS, ONE_IN));
