import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import type { Candidate, ScenarioOptions } from '../../src/runner/scenario.ts';
import { bounds, eventsOf } from '../shared/compare-runs.ts';
import { type Candidates, firstExecuted } from '../shared/first-executed.ts';
import { isPassedOver, startPublic } from '../shared/first-run.ts';
import { requestFork, type Source } from '../shared/requested-fork.ts';
import {
  type ForkBody,
  isObserved,
  readAgain,
  type RunObservation,
  startFork,
  startRun,
} from '../shared/run-observation.ts';
import { childrenNamedIn } from '../shared/read-event.ts';
import { spread } from '../shared/spread.ts';
import { branchTwice, requestRefused } from './branch-requests.ts';
import { driveChild } from './branch-child.ts';
import { driveFurther } from './further-branches.ts';
import { readAfter, readBefore } from '../shared/past-the-end.ts';

/** What the source and its branches are given: the overlay must show downstream of the fork point, and only there. */
export const MARKS = {
  input: 'input of the source',
  source: 'configured by the source',
  overlay: 'configured by the overlay',
  tag: 'fork:overlay',
} as const;

/** The node of the identity fixture that shows the options of its run, and the one that takes its input. */
export const [SHOWS, TAKES] = ['configured', 'input'] as const;

const IDENTITY = {
  workflowId: 'conformance-determinism-identity',
  inputs: { value: MARKS.input },
  configurable: { value: MARKS.source },
};
const RANDOM = { workflowId: 'conformance-determinism-random' };
const HANDING = 'conformance-multi-agent-handoff';
/** Public workflows whose runs write a variable or a channel into their logs, which nothing takes away again. */
export const WRITING: Candidates = [{ workflowId: HANDING }, { workflowId: 'conformance-conversation-replay' }];
/** A workflow that writes a variable again behind the node that reads it. */
const OVERWRITING = { workflowId: 'conformance-determinism-variable-write' };
/** Its node that reads, and the variables that hold what it read, and what is written behind it. */
export const READS = { nodeId: 'read', read: 'before', written: 'counter' } as const;
/** A public workflow that gives what it is given. */
export const GIVING = { workflowId: 'conformance-identity', inputs: { payload: { value: MARKS.input } } };
/** Its node. */
export const GIVES = 'echo';
/** What has to show stands behind something else: whoever takes the first member alone has not taken it. */
const OVERLAY = { tags: [MARKS.tag], configurable: { value: MARKS.overlay } };
/** For a workflow that may know no such configurable value. */
const TAGS = { tags: [MARKS.tag] };

/** The branch whose answer is judged, and which is read again when all others have ended. */
export const FIRST_BRANCH = 'branch';
export const BRANCH_AGAIN = 'branch again';
/** A run of random numbers, and its branch. */
export const [RANDOM_SOURCE, RANDOM_BRANCH] = ['random source', 'random branch'] as const;
/** A run of a public workflow that wrote something, and its branch from its end. */
export const [WRITTEN_SOURCE, WRITTEN_BRANCH] = ['source with a state', 'branch with its state'] as const;
/** A run of a public workflow that was given something, and its branch from before the node that gives it back. */
export const [GIVEN_SOURCE, GIVEN_BRANCH] = ['source with an input', 'branch with its input'] as const;

/** A run that writes a variable again after it was read, and its branch from before it is read. */
export const [OVERWRITTEN_SOURCE, OVERWRITTEN_BRANCH] = ['source that writes again', 'branch before that'] as const;

/** A run that dispatched a child, and its branch from before that. */
export const [HANDING_SOURCE, HANDING_BRANCH] = ['source with a child', 'branch with a child'] as const;

/**
 * Branches a run of the identity fixture, or of a public workflow, everywhere; a run of random numbers; and one that dispatches a
 * child; one that wrote memories and its replay; one that failed.
 */
export async function driveBranches(probe: Probe, options: ScenarioOptions): Promise<readonly Observation[]> {
  return (
    await Promise.all([
      driveSource(probe, options),
      driveRandom(probe),
      driveOverwritten(probe),
      driveHanding(probe),
      driveFurther(probe),
    ])
  ).flat();
}

async function driveHanding(probe: Probe): Promise<readonly Observation[]> {
  const source = await startRun(probe, { workflowId: HANDING, inputs: {} }, { role: HANDING_SOURCE });
  if (!isObserved(source) || childrenNamedIn(eventsOf(source)).length === 0) return [];
  const body = { mode: 'branch', fromSeq: bounds(source).first } as const;
  const branch = await startFork(probe, source, body, { role: HANDING_BRANCH });
  return [source, branch, ...(await driveChild(probe, branch))];
}

async function driveSource(probe: Probe, { forks }: ScenarioOptions): Promise<readonly Observation[]> {
  const identity = await startRun(probe, IDENTITY, { role: 'source' });
  const seeded = !isPassedOver(identity);
  const source = seeded ? identity : await startPublic(probe, 'source');
  if (!isObserved(source)) return [source];
  const before = await readBefore(probe, source);
  const branched = await sweep(probe, source, { forks, runOptionsOverlay: seeded ? OVERLAY : TAGS });
  const others = await Promise.all([requestRefused(probe, source), branchTwice(probe, source)]);
  return [source, ...before, ...branched, ...others.flat(), ...(await readAfter(probe, source))];
}

/** The first branch starts in the middle and is seen to its end before the others start. */
async function sweep(
  probe: Probe,
  source: Source,
  { forks, runOptionsOverlay }: Pick<ScenarioOptions, 'forks'> & Required<Pick<ForkBody, 'runOptionsOverlay'>>,
): Promise<readonly Observation[]> {
  const sequences = eventsOf(source).map(({ sequence }) => sequence);
  const bodyAt = (fromSeq: number): ForkBody => ({ mode: 'branch', fromSeq, runOptionsOverlay });
  const { middle } = bounds(source);
  const { requested, run, events } = await requestFork(probe, source, bodyAt(middle), FIRST_BRANCH);
  // The last places at which the overlay has to show, and the input that it leaves as it was, beside those that lie about the log.
  const shown = [SHOWS, TAKES].flatMap(
    (name) => eventsOf(source).find(({ nodeId }) => nodeId === name)?.sequence ?? [],
  );
  const others = spread(sequences, Math.max(1, forks - 1));
  const branches = await Promise.all(
    [...new Set([...others, ...shown])]
      .filter((sequence) => sequence !== middle)
      .map((sequence) => startFork(probe, source, bodyAt(sequence), { role: `branch from ${sequence}` })),
  );
  return [requested, run, events, ...branches, await readAgain(probe, run, { role: BRANCH_AGAIN })];
}

/** A branch from the end of a run does nothing but end: what it shows is the state that it started with. */
async function driveWritten(probe: Probe): Promise<readonly RunObservation[]> {
  const start = ({ workflowId }: Candidate): Promise<RunObservation> =>
    startRun(probe, { workflowId, inputs: {} }, { role: WRITTEN_SOURCE });
  const { run: source } = await firstExecuted(WRITING, start, writes);
  if (!isObserved(source) || !writes(source)) return [source];
  const fromSeq = bounds(source).last;
  return [source, await startFork(probe, source, { mode: 'branch', fromSeq }, { role: WRITTEN_BRANCH })];
}

async function driveOverwritten(probe: Probe): Promise<readonly RunObservation[]> {
  const source = await startRun(probe, OVERWRITING, { role: OVERWRITTEN_SOURCE });
  const fromSeq = eventsOf(source).find(({ nodeId }) => nodeId === READS.nodeId)?.sequence;
  if (!isObserved(source) || fromSeq === undefined) return [];
  return [source, await startFork(probe, source, { mode: 'branch', fromSeq }, { role: OVERWRITTEN_BRANCH })];
}

async function driveGiven(probe: Probe): Promise<readonly RunObservation[]> {
  const source = await startRun(probe, GIVING, { role: GIVEN_SOURCE });
  const fromSeq = eventsOf(source).find(({ nodeId }) => nodeId === GIVES)?.sequence;
  if (!isObserved(source) || fromSeq === undefined) return [source];
  return [source, await startFork(probe, source, { mode: 'branch', fromSeq }, { role: GIVEN_BRANCH })];
}

function writes(run: RunObservation): boolean {
  return eventsOf(run).some(({ type }) => type === 'variable.changed' || type === 'channel.written');
}

/** A value that every execution makes anew: a branch from after it must start with the source's. */
async function driveRandom(probe: Probe): Promise<readonly RunObservation[]> {
  const source = await startRun(probe, RANDOM, { role: RANDOM_SOURCE });
  if (isPassedOver(source)) return [source, ...(await Promise.all([driveWritten(probe), driveGiven(probe)])).flat()];
  if (source.problem !== null) return [source];
  const after = eventsOf(source).find(({ nodeId }) => nodeId === 'random-again');
  const fromSeq = after?.sequence ?? bounds(source).last;
  return [source, await startFork(probe, source, { mode: 'branch', fromSeq }, { role: RANDOM_BRANCH })];
}
