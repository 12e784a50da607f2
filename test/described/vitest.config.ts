import { defineConfig } from 'vitest/config';
import { packageFile } from '../../src/contract/package-root.ts';

/** Suites that a host's or a client's author may have, run by `described.test.ts`: some of them are to be red. */
export default defineConfig({
  test: {
    // One thread, and modules that are not transformed anew: loading them takes longer than all of it.
    experimental: { fsModuleCache: true },
    pool: 'threads',
    maxWorkers: 1,
    isolate: false,
    include: ['test/described/*.described.{ts,js}'],
    alias: { 'openwop-conformance/msw': packageFile('src', 'embed', 'msw.ts') },
  },
});
