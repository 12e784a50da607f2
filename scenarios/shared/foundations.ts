/** The checks that others stand on, by what they claim (architecture, Causes): each claim is owned by one. */
export const FOUNDATIONS = {
  /** The discovery document can be read. */
  discovery: 'discovery.reachable',
  /** A run can be made and its log read. */
  runs: 'run.created',
  /** A snapshot agrees with its log. */
  snapshots: 'run.snapshot-agrees',
  /** A snapshot has what every snapshot has. */
  snapshotShapes: 'schema.run-snapshot',
  /** A replay from the start works. */
  replays: 'fork.created',
  /** A replay from every later event works. */
  laterReplays: 'fork.created.every-sequence',
  /** A branch works. */
  branches: 'fork.created.branch',
  /** A refusal comes in the envelope. */
  envelopes: 'fork.error-envelope',
  /** A body that cannot be read is refused. */
  bodies: 'fork.rejects-malformed-body',
  /** Numbers increase in every log. */
  numbers: 'sequence.monotonic',
  /** Every way of reading a log shows the same. */
  readings: 'sequence.transports-agree',
  /** Each event has an id and a type. */
  events: 'schema.run-event',
  /** The history of a fork is its source's. */
  histories: 'sequence.prefix-equal',
  /** The recorded facts in the history of a fork are its source's. */
  facts: 'replay.recorded-facts-verbatim.in-history',
  /** Nothing follows the terminal event. */
  ends: 'sequence.single-terminal-event',
  /** A replay executes, and does not show the log of its source instead. */
  execution: 'sequence.not-a-copy',
  /** A replay shows what its source shows. */
  sameAgain: 'sequence.state-equal.concurrent',
  /** The states of a replay are its source's, whatever the workflow does. */
  sameStates: 'sequence.state-equal',
  /** A replay that shows something else says so. */
  silence: 'replay.divergence-is-reported.every-fixture',
} as const;

/** What every fork does to its source is that row's; what some do, theirs. */
export const SOURCE_UNTOUCHED = 'fork.source-untouched';

/** The row about the state that a branch begins with, which its snapshot shows. */
export const PROJECTED_STATE = 'fork.branch-applies-overlay.projected-state';

/** The row about replays of branches, which live under the overlays of these: whoever replays the run that was branched is named there. */
export const REPLAYED_OVERLAY = 'fork.branch-applies-overlay.replayed';

/** What a replay of a replay does otherwise than a replay does not. */
export const OF_A_REPLAY = 'sequence.replay-of-replay';

/** The row about events, which name the run in whose log they stand. */
export const EVENTS_NAMED = 'schema.run-event.wire';

/** The row about snapshots, which name their run and its workflow. */
export const SNAPSHOTS_NAMED = 'schema.run-snapshot.wire';

/** The row about the keys that the calls of tools have in replays. */
export const KEYS_IN_REPLAYS = 'once.idempotency-key.replay';

/** The row about what is read of the engine's clock. */
export const CLOCK_ROW = 'replay.logical-clock';
