import type { Probe } from '../../src/host/probe.ts';
import { forkPath } from '../../src/protocol/paths.ts';
import type { ScenarioOptions } from '../../src/runner/scenario.ts';
import { sendRequest } from '../shared/requested.ts';
import { eventsOf, bounds } from '../shared/compare-runs.ts';
import { isUnknown, startPublic } from '../shared/first-run.ts';
import { requestFork, type Source } from '../shared/requested-fork.ts';
import { readAgain, startFork, startRun, type ForkBody, type RunObservation } from '../shared/run-observation.ts';
import { spread } from '../shared/spread.ts';
import { REFUSED_BRANCHES } from './refusal-table.ts';
import type { ForkObservation } from './row.ts';

/** What the source and its branches are given: the overlay must show downstream of the fork point, and only there. */
export const MARKS = {
  input: 'input of the source',
  source: 'configured by the source',
  overlay: 'configured by the overlay',
  tag: 'fork:overlay',
} as const;

const IDENTITY = {
  workflowId: 'conformance-determinism-identity',
  inputs: { value: MARKS.input },
  configurable: { value: MARKS.source },
};
const RANDOM = { workflowId: 'conformance-determinism-random' };
const OVERLAY = { configurable: { value: MARKS.overlay }, tags: [MARKS.tag] };
/** For a workflow that may know no such configurable value. */
const TAGS = { tags: [MARKS.tag] };

type Overlay = NonNullable<ForkBody['runOptionsOverlay']>;

/** The branch whose answer is judged, and which is read again when all others have ended. */
export const FIRST_BRANCH = 'branch';

/** Branches a run of the identity fixture, or of a public workflow, everywhere; and a run of random numbers. */
export async function driveBranches(probe: Probe, options: ScenarioOptions): Promise<readonly ForkObservation[]> {
  const [swept, random] = await Promise.all([driveSource(probe, options), driveRandom(probe)]);
  return [...swept, ...random];
}

async function driveSource(probe: Probe, { forks }: ScenarioOptions): Promise<readonly ForkObservation[]> {
  const identity = await startRun(probe, IDENTITY, { role: 'source' });
  const seeded = !isUnknown(identity);
  const source = seeded ? identity : await startPublic(probe, 'source');
  const { runId } = source;
  if (runId === null || source.problem !== null) return [source];
  const overlay = seeded ? OVERLAY : TAGS;
  const branched = await sweep(probe, { ...source, runId }, { forks, overlay });
  const refused = await Promise.all(
    REFUSED_BRANCHES.map(({ row, name, send }) =>
      sendRequest(probe.host, forkPath(runId), { row, name, ...send(bounds(source)) }),
    ),
  );
  return [source, ...branched, ...refused, await readAgain(probe, source, { role: 'source again' })];
}

/** The first branch starts in the middle and is seen to its end before the others start. */
async function sweep(
  probe: Probe,
  source: Source,
  { forks, overlay }: { readonly forks: number; readonly overlay: Overlay },
): Promise<readonly ForkObservation[]> {
  const sequences = eventsOf(source).map(({ sequence }) => sequence);
  const bodyAt = (fromSeq: number): ForkBody => ({ mode: 'branch', fromSeq, runOptionsOverlay: overlay });
  const chosen = spread(sequences, Math.max(1, forks - 1));
  const middle = sequences[Math.floor(sequences.length / 2)] ?? 0;
  const { requested, run, events } = await requestFork(probe, source, bodyAt(middle), FIRST_BRANCH);
  const branches = await Promise.all(
    chosen
      .filter((sequence) => sequence !== middle)
      .map((sequence) => startFork(probe, source, bodyAt(sequence), { role: `branch from ${sequence}` })),
  );
  const again = await readAgain(probe, run, { role: 'branch again' });
  return [requested, run, events, ...branches, again];
}

/** A value that every execution makes anew: a branch from after it must start with the source's. */
async function driveRandom(probe: Probe): Promise<readonly RunObservation[]> {
  const source = await startRun(probe, RANDOM, { role: 'random source' });
  if (source.problem !== null) return [source];
  const after = eventsOf(source).find(({ nodeId }) => nodeId === 'random-again');
  const fromSeq = after?.sequence ?? bounds(source).last;
  const branch = await startFork(probe, source, { mode: 'branch', fromSeq }, { role: 'random branch' });
  return [source, branch];
}
