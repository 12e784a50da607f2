import { sampled } from '../sampled.ts';
import { FRAMED } from './framing.ts';
import { ONE_IN, testSurvival } from './judged.ts';

testSurvival(sampled(FRAMED, ONE_IN));
