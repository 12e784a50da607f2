import { defineConfig } from 'vitest/config';

/** All hostile hosts: `npm run test:hostile`. `npm test` has some of them. They wait far more than they work. */
export default defineConfig({
  test: {
    include: ['test/hostile/**/*.hostile.ts'],
    pool: 'threads',
    maxWorkers: 2,
    isolate: false,
    maxConcurrency: 8,
  },
});
