import { defineConfig } from 'vitest/config';

/** All hostile hosts: `npm run test:hostile`. `npm test` has some of them. */
export default defineConfig({
  test: {
    include: ['test/hostile/**/*.hostile.ts'],
    pool: 'threads',
    maxWorkers: 2,
    isolate: false,
    maxConcurrency: 3,
  },
});
