import { causes } from '../shared/causes.ts';

/** The causes that the judges of this suite alone name. */
export const { diagnoses, wrong } = causes(
  [
    [
      'return-value-only',
      'the recorded result is there, but not everything that the recorded call did',
      ['sequence.nondeterministic-tool', 'sequence.side-effects-cached', 'sequence.content-addressed-tools'],
    ],
    [
      'another-record',
      'a replay shows what is recorded of another run: look at how a record is found, whose it is',
      ['sequence.content-addressed-tools', 'sequence.nondeterministic-tool', 'sequence.side-effects-cached'],
    ],
    [
      'stream-stands-still',
      'a stream shows what there was when it was opened, and nothing of what comes then: look at who is told of new events',
      ['sequence.transports-agree'],
    ],
  ],
  [
    [
      'readings-differ',
      'two ways of reading a run, or two readings of it, do not show the same events',
      ['sequence.transports-agree'],
    ],
    ['wrong-end', 'a log does not end with its only terminal event', ['sequence.single-terminal-event']],
    ['shared-event-id', 'two events of a fork have one eventId, and no two of its source', ['sequence.prefix-equal']],
  ],
);
