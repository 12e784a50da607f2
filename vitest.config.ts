import { defineConfig } from 'vitest/config';

const EVERY = '{bin,src,scenarios,reference-host,test}/**/*.test.ts';

/** What replaces modules, which must not reach other files. */
const MOCKING = ['reference-host/store/durable-writes.test.ts'];

export default defineConfig({
  test: {
    pool: 'threads',
    maxWorkers: 2,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    projects: [
      // Files of one thread share their modules: no test file leaves anything behind in them, and loading them takes longer than most tests.
      { extends: true, test: { name: 'shared', include: [EVERY], exclude: MOCKING, isolate: false } },
      { extends: true, test: { name: 'apart', include: MOCKING } },
    ],
  },
});
