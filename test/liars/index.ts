import { LIARS_ABOUT_IDS } from './about-ids.ts';
import { LIARS_ABOUT_LOGS } from './about-logs.ts';
import { LIARS_ABOUT_TEXTS } from './about-texts.ts';
import { LIARS_THAT_DO_NOTHING } from './does-nothing.ts';
import { ECHOES } from './echoes.ts';
import type { Liar } from './liar.ts';

/** All liars. */
export const LIARS: readonly Liar[] = [
  ...LIARS_ABOUT_IDS,
  ...LIARS_ABOUT_LOGS,
  ...LIARS_ABOUT_TEXTS,
  ...ECHOES,
  ...LIARS_THAT_DO_NOTHING,
];
