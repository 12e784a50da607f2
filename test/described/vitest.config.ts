import { defineConfig } from 'vitest/config';

/** Hosts that a suite of tests has to be red for: run by `described.test.ts`. */
export default defineConfig({ test: { include: ['test/described/*.described.ts'] } });
