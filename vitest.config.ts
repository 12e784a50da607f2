import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{src,scenarios,reference-host,test}/**/*.test.ts'],
    pool: 'threads',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
