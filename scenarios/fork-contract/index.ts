import type { Suite } from '../../src/runner/scenario.ts';
import { fullReplay } from './full-replay.ts';
import { refusals } from './refusals.ts';

/** fork-contract: does the fork endpoint do what it promises, and nothing else? */
export const forkContract: Suite = {
  id: 'fork-contract',
  scenarios: [fullReplay, refusals],
};
