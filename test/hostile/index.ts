import type { Behaviour } from './behaviour.ts';
import { ECHOES } from './echoes.ts';
import { FIXED_ANSWERS } from './fixed-answers.ts';
import { FLOOD_BEHAVIOURS } from './floods.ts';
import { FRAMED } from './framing.ts';
import { SPOILT_BODIES } from './spoilt-bodies.ts';
import { STANDING_LOGS } from './standing-logs.ts';
import { VIEW_BEHAVIOURS } from './view-pages.ts';

/** All behaviours, each with an id of its own. */
export const BEHAVIOURS: readonly Behaviour[] = [
  ...FIXED_ANSWERS,
  ...FRAMED,
  ...SPOILT_BODIES,
  ...STANDING_LOGS,
  ...ECHOES,
  ...FLOOD_BEHAVIOURS,
  ...VIEW_BEHAVIOURS,
];
