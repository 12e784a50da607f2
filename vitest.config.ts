import { defineConfig } from 'vitest/config';

/** What replaces modules, which must not reach other files. */
const MOCKING = ['reference-host/store/durable-writes.test.ts'];

export default defineConfig({
  test: {
    pool: 'threads',
    maxWorkers: 2,
    // Composed variants wait more than they work.
    maxConcurrency: 3,
    // Against hangs alone: what is slow on a busy machine is no failure.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    projects: [
      // Files of one thread share their modules: no test file leaves anything behind in them, and loading them takes longer than most tests.
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{bin,src,scenarios,reference-host}/**/*.test.ts'],
          exclude: MOCKING,
          isolate: false,
        },
      },
      { extends: true, test: { name: 'unit-apart', include: MOCKING } },
      { extends: true, test: { name: 'whole', include: ['test/**/*.test.ts'], isolate: false } },
    ],
  },
});
