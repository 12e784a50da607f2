import { describe, expect, it } from 'vitest';
import { judgedRun } from './reports.ts';

/** Two defects, the second one in a row that looks at everything: neither takes the other's place. */
describe.concurrent('a host with two defects', () => {
  it.each<{ readonly defects: readonly string[]; readonly suites: readonly string[]; readonly red: readonly string[] }>(
    [
      {
        defects: ['tool-variable-forgotten', 'event-without-timestamp'],
        suites: ['run-lifecycle', 'observable-sequence'],
        red: ['sequence.side-effects-cached', 'schema.run-event.wire'],
      },
      {
        defects: ['history-hides-values', 'seventh-replay-puts-out-something-else'],
        suites: ['observable-sequence'],
        red: ['sequence.prefix-equal', 'sequence.state-equal.concurrent'],
      },
      {
        // The question is one of a workflow that the row about histories did not look at before it failed.
        defects: ['history-hides-values', 'replay-shows-questions-under-other-keys'],
        suites: ['observable-sequence', 'replay-determinism'],
        red: ['sequence.prefix-equal', 'replay.divergence-is-reported.every-fixture'],
      },
      {
        defects: ['prefix-events-swapped', 'tool-log-forgotten'],
        suites: ['observable-sequence'],
        red: ['sequence.prefix-equal', 'sequence.side-effects-cached'],
      },
      {
        defects: ['stream-shows-writes-late', 'tool-variable-forgotten'],
        suites: ['observable-sequence'],
        red: ['sequence.monotonic', 'sequence.side-effects-cached'],
      },
      {
        defects: ['stream-shows-writes-late', 'prefix-output-changed'],
        suites: ['observable-sequence'],
        red: ['sequence.monotonic', 'sequence.prefix-equal'],
      },
      {
        defects: ['handoff-mapping-reversed', 'handoff-transition-with-undeclared-member'],
        suites: ['handoff-state-machine'],
        red: ['handoff.output-mapping', 'handoff.payloads'],
      },
      {
        defects: ['branch-answers-other-from-seq', 'whole-replay-of-failed-run-without-url'],
        suites: ['run-lifecycle', 'fork-contract'],
        red: ['fork.created.branch', 'fork.created.every-sequence'],
      },
    ],
  )('names both: $defects', async ({ defects, suites, red }) => {
    const { report } = await judgedRun({ defects, suites });
    const failed = report.checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
    expect(failed).toEqual(expect.arrayContaining([...red]));
  });
});
