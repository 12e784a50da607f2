export { DIVERGENCE_CLASSES, type DivergenceClass, holdsIdOrTime, meaningOf } from './classify.ts';
export type { LogEvent } from './event.ts';
export { createFold, foldEvents, type LogState, placeOf, writtenValue } from './fold.ts';
export { compareEvents, type DiffResult, diffLogs, type LogDiff } from './diff.ts';
export { type LogBatch, type LogStream, readEvents, readLog, splitLines } from './read.ts';
export { diffSteps, foldSteps, type StateStep } from './steps.ts';
export type { Divergence } from './tally.ts';
export { readVolatile, type VolatilePlaces } from './volatile.ts';
export { diffValues } from './state-diff.ts';
