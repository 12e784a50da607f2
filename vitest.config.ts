import { setFlagsFromString } from 'node:v8';
import { defineConfig } from 'vitest/config';
import { longestFirst } from './test/longest-first.ts';

/** What replaces modules, which must not reach other files. */
const MOCKING = ['reference-host/store/durable-writes.test.ts'];

/** What meets whole hosts again and again: allowed, partial, dying and broken ones, other people's, mutants, pages in a browser. */
const WIDE = [
  'test/variants.test.ts',
  'test/more-variants.test.ts',
  'test/browser/report.test.ts',
  'test/browser/timeline.test.ts',
  'test/beyond-bounds.test.ts',
  'test/two-defects.test.ts',
  'test/less-to-observe.test.ts',
  'test/lacking-kinds.test.ts',
  'test/rests.test.ts',
  'test/baseline.test.ts',
  'test/unread-answers.test.ts',
  'test/python-hosts.test.ts',
  'test/swept-elsewhere.test.ts',
  'test/liars.test.ts',
  'test/templates.test.ts',
  'test/dead-hosts.test.ts',
  'test/shards.test.ts',
  'test/named-workflows.test.ts',
  'test/named-wrong-keys.test.ts',
  'test/changed-mutants.test.ts',
  'test/handoffs-elsewhere.test.ts',
  'test/unread-snapshots.test.ts',
  'test/regions.test.ts',
  'test/registered-fixtures.test.ts',
  'test/refusal-ways.test.ts',
  'test/crash-lanes.test.ts',
];

/** What takes longest of the others. */
const LONG = [
  'test/described.test.ts',
  'test/evidence.test.ts',
  'scenarios/cache-key-portable/suite.test.ts',
  'test/interrupted.test.ts',
  'test/power-loss/power-loss.test.ts',
  'test/kill-matrix.test.ts',
  'test/serve.test.ts',
  'test/exit-codes.test.ts',
  'test/outputs.test.ts',
  'test/targets.test.ts',
  'test/package.test.ts',
  'test/shown.test.ts',
  'src/host/undici-client.test.ts',
  'test/hostile-hosts.test.ts',
  'test/mutated-evidence.test.ts',
  'reference-host/http/handoff-crash.test.ts',
  'scenarios/at-most-once/drives.test.ts',
];

/** Units that try many places, start processes or wait for limits, 3 to 10 s each: `npm run check` leaves them to `npm test`. */
const LONG_UNITS = [
  'reference-host/http/handoff-crash.test.ts',
  'reference-host/ledger/crash.test.ts',
  'reference-host/ledger/interleavings-store.test.ts',
  'reference-host/ledger/interleavings.test.ts',
  'scenarios/at-most-once/drives.test.ts',
  'scenarios/at-most-once/soundly.test.ts',
  'scenarios/cache-key-portable/suite.test.ts',
  'scenarios/shared/run-observation.test.ts',
  'src/cache-key/diagnose-answers.test.ts',
  'src/cache-key/work.test.ts',
  'src/embed/run-conformance.test.ts',
  'src/host/foreign-host.test.ts',
  'src/host/undici-client.test.ts',
  'src/runner/registration.test.ts',
];

const UNITS = ['{bin,src,scenarios,reference-host}/**/*.test.ts'];
const WHOLE = ['test/**/*.test.ts'];

/** What is asked for: all together is quicker than in parts, as all read the same modules. */
const wanted = / --project[= ](\S+)/.exec(process.argv.join(' '))?.[1];
const PARTS = {
  all: [['all', [...UNITS, ...WHOLE], []]],
  wide: [
    ['wide', WIDE, []],
    ['all', [...UNITS, ...WHOLE], WIDE],
  ],
  units: [
    ['unit', UNITS, []],
    ['whole', WHOLE, []],
  ],
  quick: [['quick', UNITS, LONG_UNITS]],
} as const;
const parts =
  PARTS[wanted === undefined ? 'all' : wanted.endsWith('wide') ? 'wide' : wanted === 'quick' ? 'quick' : 'units'];

/** Files of one thread share their modules: no test file leaves anything behind in them, and loading them takes longer than most tests. */
function project(name: string, include: readonly string[], without: readonly string[]) {
  const exclude = [...MOCKING, ...without];
  return { extends: true as const, test: { name, include: [...include], exclude, isolate: false } };
}

/**
 * What lives briefly has more megabytes than the usual 16, or threads copy what is soon forgotten for a twentieth of their time. Most code of a
 * test runs once: it is compiled at once, and collected by no more threads than there are workers.
 */
const FLAGS = ['--max-semi-space-size=64', '--no-parallel-scavenge', '--always-sparkplug'];
for (const flag of FLAGS) setFlagsFromString(flag);

export default defineConfig({
  test: {
    // By content: whoever runs a few tests again waits for a third of the loading.
    experimental: { fsModuleCache: true },
    pool: 'threads',
    // One more than the usual cores: some wait for processes, for the disk or for a limit.
    maxWorkers: 3,
    sequence: { sequencer: longestFirst([...WIDE, ...LONG]) },
    // Composed variants wait more than they work.
    maxConcurrency: 3,
    // Against hangs alone: what is slow on a busy machine is no failure.
    // The machine's pipeline does not show in what a tested run prints: a slow one would report its progress.
    env: { CI: '' },
    testTimeout: 1_800_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 600_000 } },
    projects: [
      ...parts.map(([name, include, without]) => project(name, include, without)),
      { extends: true, test: { name: 'unit-apart', include: MOCKING } },
    ],
  },
});
