import { FLOOD_BEHAVIOURS } from './floods.ts';
import { testSurvival } from './judged.ts';

testSurvival(FLOOD_BEHAVIOURS);
