import { causes } from '../shared/causes.ts';

const AGREES = ['run.snapshot-agrees'];
const SHAPES = [
  'schema.run-snapshot',
  'schema.run-snapshot.wire',
  'schema.run-event',
  'schema.run-event.wire',
  'schema.run-answer',
  'schema.fork-answer',
  'schema.error-envelope',
  'schema.interrupt',
  'schema.annotation',
  'schema.diff',
];

/** The causes that the judges of this suite alone name. */
export const { diagnoses, wrong } = causes(
  [
    [
      'other-shape',
      'a member is missing, of another type or has a value that cannot stand there: clients that go by the schemas stop here',
      SHAPES,
    ],
    [
      'other-status',
      'an answer came with another status than the wire has for it: clients that go by the status go wrong here',
      ['schema.run-answer', 'schema.interrupt', 'schema.annotation'],
    ],
    [
      'open-to-nobody',
      'what a credential is asked for is done or shown without any: runs are open to everybody who knows the address',
      ['run.error-envelope'],
    ],
    [
      'stored-answer-mark',
      'the header that tells a stored answer from a new one is wrong: a client that repeats a request does not learn whether it made the run now',
      ['run.create-idempotency'],
    ],
    ['named-and-refused', 'the discovery document names workflows of which the host makes no run', ['run.created']],
    ['no-run-id', 'the answer names no runId that can stand in a URL: nobody can ask for the run', ['run.created']],
    ['log-empty', 'a run that has ended shows no event at all', ['run.created']],
    ['log-unreadable', 'the log of a run that was made can be read in no way', ['run.created']],
    [
      'snapshot-other-end',
      'the snapshot says another end than the log: a client that polls it takes the run for something else',
      AGREES,
    ],
    [
      'snapshot-ended-early',
      'the snapshot of a run that waits shows an end: a client that polls it leaves the question unanswered',
      AGREES,
    ],
    [
      'snapshot-empty',
      'there is nothing in the answer that has to be a snapshot: a client that polls it learns nothing',
      AGREES,
    ],
    ['snapshot-behind', 'the snapshot still shows a run that goes on, long after the log has ended', AGREES],
    ['snapshot-other-error', 'the snapshot shows another error than the one with which the log ends', AGREES],
    [
      'snapshot-other-variable',
      'the snapshot shows another value than the last one that the log gave the variable',
      AGREES,
    ],
    [
      'snapshot-added-variable',
      'the snapshot of a fork shows a variable that neither its log nor the snapshot of its source has',
      AGREES,
    ],
    [
      'snapshot-added-channel',
      'the snapshot of a fork shows a channel that neither its log nor the snapshot of its source has',
      AGREES,
    ],
    ['snapshot-other-channel', 'the snapshot shows a channel without anything that the log wrote to it', AGREES],
    ['snapshot-unreadable', 'the snapshot of a run that was made cannot be read', ['run.created']],
    [
      'cancel-untrue',
      'a client that cancels a run is told of another run, or of an end that the run does not come to',
      ['run.cancel'],
    ],
    [
      'mode-half-obeyed',
      'a stream mode that has to be refused or ignored hides events: a client that names it misses them',
      ['run.stream-modes'],
    ],
    [
      'cursor-skips',
      'a reading that goes on after an event leaves out events that follow it: clients lose them, look at how the cursor is compared',
      ['run.cursor'],
    ],
    [
      'cursor-refused',
      'a stream or a poll that is to go on after an event that it gave is refused: clients that were cut off lose the rest',
      ['run.cursor'],
    ],
    [
      'cursor-other-run',
      'a reading that goes on after an event shows events of another run: clients take them for those of their own',
      ['run.cursor'],
    ],
    [
      'cursor-other-id',
      'the messages of a stream have no ids, or those of other events: clients that are cut off, or cut off again, cannot go on from them',
      ['run.cursor'],
    ],
    [
      'cursor-repeats',
      'a reading that goes on after an event shows events again that its client has: look at how the cursor is compared',
      ['run.cursor'],
    ],
  ],
  [
    [
      'key-across-endpoints',
      'a fork was answered with the run that POST /v1/runs made under the same Idempotency-Key',
      ['run.create-idempotency'],
    ],
    ['cancel-untold', 'the answer to a cancellation has no runId or no status', ['run.cancel']],
    ['mode-answered-otherwise', 'a stream mode is neither served nor refused with a 4xx', ['run.stream-modes']],
  ],
);
