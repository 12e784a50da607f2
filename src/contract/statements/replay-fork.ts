import { AUTHORS, DESCRIPTION, INSIDE, OPERATORS, PERMISSION, held, left } from './statement.ts';
import type { Section } from './statement.ts';

/** What replay.md demands of forks, of replays and of what they report. */
export const replayFork: readonly Section[] = [
  {
    section: 'Why',
    statements: [
      held('every transition is persisted with a sequence number', 'sequence.monotonic', 'schema.run-event'),
      held('state at any point follows from the events up to it', 'sequence.state-equal', 'run.snapshot-agrees'),
      held('the log reads the same however it is read', 'sequence.transports-agree', 'run.cursor'),
      held('a run can be forked from any sequence', 'fork.created'),
      left('developers gain time', DESCRIPTION),
    ],
  },
  {
    section: 'Two modes: replay',
    statements: [
      held('events below fromSeq are taken from the source', 'sequence.prefix-equal'),
      held('from fromSeq on current code runs and writes new events', 'sequence.not-a-copy', 'fork.from-seq-anew'),
      held('equal events are a deterministic replay', 'replay.no-false-divergence'),
      held('a difference shows where code changed', 'replay.divergence-is-reported'),
    ],
  },
  {
    section: 'Two modes: branch',
    statements: [
      held('a branch begins with the state at fromSeq', 'fork.branch-applies-overlay', 'fork.branch-inherits-prefix'),
      held('new options are laid over it', 'fork.branch-applies-overlay'),
      held('a branch acts from there on', 'fork.branch-acts'),
      held('a branch has its own id and log', 'fork.branch-is-independent'),
      held('the source stays as it is', 'fork.source-untouched', 'refusal.source-untouched'),
    ],
  },
  {
    section: 'Endpoint',
    statements: [
      held('forking needs a credential with the scope to create runs', 'fork.requires-credentials'),
      held('an Idempotency-Key is recommended and respected', 'fork.idempotency-key'),
      held('fromSeq is a number', 'fork.rejects-bad-from-seq'),
      held('fromSeq is inclusive: what is there is executed anew', 'fork.from-seq-anew'),
      held('0 is a full execution', 'fork.replay-defaults-to-zero', 'fork.created'),
      held('mode is needed, as replay or branch', 'fork.rejects-bad-mode'),
      held('a replay has no overlay, or an empty one', 'fork.replay-refuses-overlay'),
      held('a body that is not of this form is refused', 'fork.rejects-malformed-body'),
    ],
  },
  {
    section: 'Replay-mode defaults',
    statements: [
      held('a replay may leave fromSeq out', 'fork.replay-defaults-to-zero'),
      held('it is 0 then', 'fork.replay-defaults-to-zero'),
      held('the shortest body is a valid full replay', 'fork.replay-defaults-to-zero'),
      held('a branch has to give fromSeq', 'fork.branch-needs-from-seq'),
    ],
  },
  {
    section: 'Response',
    statements: [
      held(
        'the answer gives run, source, fromSeq, mode, status and where events are read',
        'fork.created',
        'schema.fork-answer',
      ),
      held('201 where a run was started', 'fork.created'),
      held('400 for a fromSeq that is out of range', 'fork.rejects-bad-from-seq'),
      held('400 for a replay with an overlay', 'fork.replay-refuses-overlay'),
      held('404 for a source that does not exist', 'fork.unknown-run'),
      held('404 for a source that the caller cannot see', 'fork.invisible-run'),
      held('409 only for a duplicate of a fork in flight, under its key', 'fork.idempotency-key'),
      held('422 for a sequence that the log does not have', 'fork.rejects-absent-sequence'),
      held('other refusals have the standard form', 'fork.error-envelope'),
    ],
  },
  {
    section: 'Determinism: replay',
    statements: [
      held('replay is deterministic', 'sequence.prefix-equal', 'replay.no-false-divergence'),
      held('nodes with effects consult the invocation log', 'replay.no-second-external-call'),
      held(
        'on replay the cached response is returned',
        'replay.no-second-external-call',
        'refusal.cached-response-wins',
      ),
      held('the external system is not called twice', 'replay.no-second-external-call', 'replay.no-second-child'),
      held('a resolved interrupt gives its recorded value, by its key', 'replay.interrupt-short-circuits'),
      held('nobody is prompted again', 'replay.interrupt-short-circuits'),
      held('pinned versions are kept', 'replay.version-pins-kept'),
      held('the branch that was taken is taken again', 'replay.version-pins-kept'),
      held("time by the engine's clock is as recorded", 'replay.logical-clock'),
      left('nodes use that clock, or accept the difference', AUTHORS),
      held('recorded facts are fixed history', 'replay.recorded-facts-verbatim'),
      held('they are emitted again from the log', 'replay.recorded-facts-verbatim'),
      held('their identifiers and times are not made anew', 'replay.recorded-facts-verbatim'),
      left('their payloads hold no content that could diverge', DESCRIPTION),
    ],
  },
  {
    section: 'Determinism: branch',
    statements: [
      left('what a branch does is not deterministic', DESCRIPTION),
      held('below fromSeq it is', 'fork.branch-inherits-prefix'),
    ],
  },
  {
    section: 'Failure surfaces',
    statements: [
      held('a replay that diverges goes on', 'replay.divergence-continues'),
      held('it emits replay.diverged', 'replay.divergence-is-reported'),
      held('the event locates both sides and the point', 'replay.divergence-is-reported'),
      held('the debug stream shows it', 'replay.divergence-in-debug-stream'),
      held('the span says so', 'replay.divergence-span'),
      held(
        'the event blocks nothing: the run ends, or diverges further',
        'replay.divergence-continues',
        'replay.further-divergence',
      ),
    ],
  },
  {
    section: 'Replay-from-event-log internals',
    statements: [
      left('how an engine loads, folds and starts', INSIDE),
      held('a replay looks up effects under its source', 'replay.no-second-external-call'),
      held('a branch makes entries of its own', 'fork.branch-acts'),
    ],
  },
  {
    section: 'Run Timeline View',
    statements: [
      left(
        'a host should have such a view',
        'a view is for people, and the same section makes it optional: only its links can be held',
      ),
      left('payloads, differences of state, jumps and filters', 'what a view shows people has no form on the wire'),
      held('a view that exists links to the replay endpoint', 'timeline.deep-links'),
    ],
  },
  {
    section: 'Use cases',
    statements: [
      held('a failing run fails the same way', 'replay.same-failure'),
      held('replays across a change of code show divergences', 'sequence.not-a-copy', 'replay.divergence-is-reported'),
      held('a branch from an approval may take the opposite answer', 'fork.branch-acts'),
      held('a branch may change its configuration', 'fork.branch-applies-overlay'),
      left('test suites branch known runs', OPERATORS),
    ],
  },
  {
    section: 'References',
    statements: [
      held("a fork's span names source, fromSeq and mode", 'telemetry.replay-span'),
      held("it is linked to the source's span", 'telemetry.replay-span'),
      left('host notes on range queries and recovery', PERMISSION),
    ],
  },
];
