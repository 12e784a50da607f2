import { defineConfig } from 'vitest/config';
import { longestFirst } from '../longest-first.ts';

/** Liars of a file share a thread, and wait by the clock: they are begun in two threads, the other hosts after them. */
const LONG = ['liars.hostile.ts', 'liars-about-ids.hostile.ts', 'spoilt-bodies.hostile.ts'];

/**
 * All hostile hosts: `npm run test:hostile`; one in TEST_ONE_IN (4 where it is not set) where TEST_EVERY_PLACE is 0, as in CI. `npm test`
 * has a few of them. They wait far more than they work.
 */
export default defineConfig({
  test: {
    include: ['test/hostile/**/*.hostile.ts'],
    pool: 'threads',
    maxWorkers: 2,
    isolate: false,
    silent: 'passed-only',
    maxConcurrency: 8,
    env: { TEST_EVERY_PLACE: process.env['TEST_EVERY_PLACE'] ?? '1' },
    sequence: { sequencer: longestFirst(LONG) },
  },
});
