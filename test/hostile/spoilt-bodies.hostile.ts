import { sampled } from '../sampled.ts';
import { ONE_IN, testSurvival } from './judged.ts';
import { SPOILT_BODIES } from './spoilt-bodies.ts';

testSurvival(sampled(SPOILT_BODIES, ONE_IN));
