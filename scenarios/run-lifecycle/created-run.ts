import { eventsPath, pollPath, runPath } from '../../src/protocol/paths.ts';
import { isServerError } from '../../src/protocol/status.ts';
import type { Diagnosis } from '../../src/contract/verdict.ts';
import { sharedCause } from '../shared/diagnoses.ts';
import { type Requested, statusOf } from '../shared/requested.ts';
import type { RunObservation } from '../shared/run-observation.ts';

export function causeOfRefusal(requested: Requested): Diagnosis {
  return sharedCause(isServerError(statusOf(requested)) ? 'server-error' : 'other-refusal');
}

/** A run that was seen to its end. */
export type CreatedRun = RunObservation & { readonly runId: string };

export const AS_JSON = { accept: 'application/json' } as const;

/** The readings of a run that are whole at once, by name. */
export function readingsOf(runId: string): Readonly<Record<string, string>> {
  return { 'the snapshot': runPath(runId), 'the log': eventsPath(runId), 'the poll': pollPath(runId) };
}
