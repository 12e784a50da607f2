import { causes } from './causes.ts';

const AGREES = ['run.snapshot-agrees'];

/** The causes that a snapshot beside its log has. */
export const { diagnoses: snapshotDiagnoses, wrong: snapshotCause } = causes([
  [
    'snapshot-other-end',
    'the snapshot says another end than the log: a client that polls it takes the run for something else',
    AGREES,
  ],
  ['snapshot-behind', 'the snapshot still shows a run that goes on, long after the log has ended', AGREES],
  ['snapshot-other-error', 'the snapshot shows another error than the one with which the log ends', AGREES],
  [
    'snapshot-other-variable',
    'the snapshot shows another value than the last one that the log gave the variable',
    AGREES,
  ],
  ['snapshot-other-channel', 'the snapshot shows a channel without what the log wrote to it last', AGREES],
]);
