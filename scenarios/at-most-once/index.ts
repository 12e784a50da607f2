import type { Suite } from '../../src/runner/scenario.ts';
import { crashMatrix } from './crash-matrix.ts';
import { crash } from './crash.ts';

/** at-most-once: is a tool called at most once, whenever the host dies? */
export const atMostOnce: Suite = {
  id: 'at-most-once',
  scenarios: [crash],
  crashMatrix,
};
