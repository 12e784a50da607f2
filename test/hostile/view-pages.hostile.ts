import { sampled } from '../sampled.ts';
import { ONE_IN, testSurvival } from './judged.ts';
import { VIEW_BEHAVIOURS } from './view-pages.ts';

testSurvival(sampled(VIEW_BEHAVIOURS, ONE_IN));
