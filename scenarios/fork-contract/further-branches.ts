import type { Probe } from '../../src/host/probe.ts';
import { endOf, endsRun } from '../../src/protocol/run-status.ts';
import { bounds, eventsOf } from '../shared/compare-runs.ts';
import { EVERY_VALUE } from '../shared/every-value.ts';
import { FAILING_FIXTURES, PUBLIC_FIXTURES, startFirst } from '../shared/first-run.ts';
import { replayOf } from '../shared/replays.ts';
import { isObserved, offersMode, type RunObservation, startFork, startRun } from '../shared/run-observation.ts';

/** A run that wrote memories where the host has such a workflow, and its branch from its end. */
export const [REMEMBERING_SOURCE, REMEMBERING_BRANCH] = ['source with memories', 'branch behind its memories'] as const;
/** A replay of that run, and the replay's branch from its end. */
export const [REPLAY, REPLAY_BRANCH] = ['replay to be branched', 'branch of the replay'] as const;
/** A run that failed, and its branch from its end, so that what failed is history. */
export const [FAILED_SOURCE, FAILED_BRANCH] = ['source that failed', 'branch of the failed run'] as const;

/** A run that was given values which hosts lose where they copy them, and its branch from its end. */
export const [LADEN_SOURCE, LADEN_BRANCH] = ['source given every kind of value', 'branch behind these values'] as const;

/** The roles of the forks here, whose sources are others than that of the branches from everywhere. */
export const FURTHER = [REMEMBERING_BRANCH, REPLAY, REPLAY_BRANCH, FAILED_BRANCH, LADEN_BRANCH] as const;

const MEMORY = 'conformance-determinism-memory-write';

/** Workflows that give what they are given, the public one first. */
const GIVING = [
  { workflowId: 'conformance-identity', inputs: { payload: EVERY_VALUE } },
  { workflowId: 'conformance-determinism-identity', inputs: { value: EVERY_VALUE } },
] as const;

/** Branches of a run with recorded facts, of its replay, of a run that failed, and of one that was given every kind of value. */
export async function driveFurther(probe: Probe): Promise<readonly RunObservation[]> {
  return (await Promise.all([driveRemembering(probe), driveFailed(probe), driveLaden(probe)])).flat();
}

/** What stands behind the end, which other rows are about, is no place to branch from. */
export function branchAtEnd(probe: Probe, source: RunObservation, role: string): Promise<RunObservation> {
  const fromSeq = eventsOf(source).find(endsRun)?.sequence ?? bounds(source).last;
  return startFork(probe, source, { mode: 'branch', fromSeq }, { role });
}

async function driveRemembering(probe: Probe): Promise<readonly RunObservation[]> {
  const { run: source } = await startFirst(probe, [MEMORY, ...PUBLIC_FIXTURES], REMEMBERING_SOURCE);
  if (!isObserved(source)) return [source];
  const [branch, ofReplay] = await Promise.all([
    branchAtEnd(probe, source, REMEMBERING_BRANCH),
    driveReplay(probe, source),
  ]);
  return [source, branch, ...ofReplay];
}

async function driveReplay(probe: Probe, source: RunObservation): Promise<readonly RunObservation[]> {
  if (!offersMode(probe.discovery, 'replay')) return [];
  const replay = await replayOf(probe, source, undefined, { role: REPLAY });
  return isObserved(replay) ? [replay, await branchAtEnd(probe, replay, REPLAY_BRANCH)] : [replay];
}

/** The first of the failing workflows that fails here. */
async function driveFailed(probe: Probe): Promise<readonly RunObservation[]> {
  for (const workflowId of FAILING_FIXTURES) {
    const source = await startRun(probe, { workflowId, inputs: {} }, { role: FAILED_SOURCE });
    if (!isObserved(source) || endOf(eventsOf(source)) !== 'failed') continue;
    return [source, await branchAtEnd(probe, source, FAILED_BRANCH)];
  }
  return [];
}

/** None where the host knows neither workflow. */
async function driveLaden(probe: Probe): Promise<readonly RunObservation[]> {
  for (const request of GIVING) {
    const source = await startRun(probe, request, { role: LADEN_SOURCE });
    if (isObserved(source)) return [source, await branchAtEnd(probe, source, LADEN_BRANCH)];
  }
  return [];
}
