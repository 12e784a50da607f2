import { testSurvival } from './judged.ts';
import { VIEW_BEHAVIOURS } from './view-pages.ts';

testSurvival(VIEW_BEHAVIOURS);
