import { testSurvival } from './judged.ts';
import { SPOILT_BODIES } from './spoilt-bodies.ts';

testSurvival(SPOILT_BODIES);
