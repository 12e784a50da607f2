import { copyPacked, keepMember } from '../../src/evidence/pack.ts';
import { repeatPaced } from '../../src/host/paced.ts';
import type { Probe } from '../../src/host/probe.ts';
import { isOwnWord } from '../../src/protocol/run-status.ts';
import { bounds } from '../shared/compare-runs.ts';
import { FAILING_FIXTURES, PUBLIC_FIXTURES, startFirst } from '../shared/first-run.ts';
import type { RequestedObservation } from '../shared/requested.ts';
import { offersMode, type RunObservation, startFork, startRun } from '../shared/run-observation.ts';
import { isAgainstItsLog, readSnapshotAgainstLog } from '../shared/snapshot-fault.ts';
import { readSnapshot, statusIn } from '../shared/snapshot.ts';
import { hidesError } from './hidden-error.ts';
import { oneWordForTwoEnds } from './one-word.ts';
import { cancelWaiting, VARIABLE_FIXTURES, VARIABLES } from './waiting.ts';
import type { LateObservation } from './observation.ts';

/** The role of a run that completes. */
const RUN = 'run';

/** A run that completes, one that fails, and those that leave values behind: each the first one that the host knows. */
const SOURCES: readonly (readonly [role: string, ...workflowIds: string[]])[] = [
  [RUN, ...PUBLIC_FIXTURES],
  ['failing run', ...FAILING_FIXTURES],
  [VARIABLES, ...VARIABLE_FIXTURES],
  ['run with channels', 'conformance-determinism-channel-write', 'conformance-conversation-replay'],
];

export type SnapshotObservation = RunObservation | LateObservation | RequestedObservation;

/** Drives runs of each kind, replays of them, and a run that waits and is cancelled, each read to its end. */
export async function driveSnapshots(probe: Probe): Promise<readonly SnapshotObservation[]> {
  const runs = await Promise.all([
    ...SOURCES.map(([role, ...workflowIds]) => runAndReplay(probe, role, workflowIds)),
    runAlone(probe),
    cancelWaiting(probe),
  ]);
  const settled = await Promise.all(
    runs.flat().map(async (run) => (run.type === 'run' ? observedLate(run, await caughtUp(probe, run)) : [run])),
  );
  const seen = settled.flat();
  // A word of a host's own may be one for a run that goes on: it is given the time of one.
  if (oneWordForTwoEnds(runsOfWords(seen)) === undefined) return seen;
  const again = seen.map(async (run) =>
    run.type === 'run' ? observedLate(run, await pastOwnWord(probe, run)) : [run],
  );
  return (await Promise.all(again)).flat();
}

/** A run as it was read last, and that this was later than before where its snapshot agrees with its log, or shows its error, only then. */
function observedLate(before: RunObservation, last: RunObservation): readonly (RunObservation | LateObservation)[] {
  const isLate = last !== before && agrees(last) && !(agrees(before) && hidesError(last));
  return isLate ? [last, { type: 'late', role: last.role, exchanges: last.exchanges }] : [last];
}

/** The runs whose snapshots agree with their logs: some may do so by a word of the host's own. */
function runsOfWords(seen: readonly SnapshotObservation[]): readonly RunObservation[] {
  return seen.filter((each) => each.type === 'run').filter(agrees);
}

/** The role of a run of a workflow whose runs others dispatch, and that workflow. */
export const [ALONE, HANDOFF_CHILD] = ['run that nobody dispatched', 'conformance-multi-agent-handoff-child'];

/** None where the host does not know it. */
async function runAlone(probe: Probe): Promise<readonly RunObservation[]> {
  const run = await startRun(probe, { workflowId: HANDOFF_CHILD, inputs: {} }, { role: ALONE });
  return run.problem === null ? [run] : [];
}

async function runAndReplay(
  probe: Probe,
  role: string,
  workflowIds: readonly string[],
): Promise<readonly RunObservation[]> {
  const { run } = await startFirst(probe, workflowIds, role);
  const again = agrees(run) ? await readOnce(probe, run) : run;
  const read = isAgainstItsLog(again) ? [run, { ...again, role: `${role}, whose snapshot is read again` }] : [run];
  if (run.problem !== null || !offersMode(probe.discovery, 'replay')) return read;
  const forks = [
    startFork(probe, run, { mode: 'replay' }, { role: `replay of the ${role}` }),
    ...(role === RUN ? laterPoints(run) : []).map((fromSeq) =>
      startFork(probe, run, { mode: 'replay', fromSeq }, { role: `replay of the ${role} from ${fromSeq}` }),
    ),
  ];
  return [...read, ...(await Promise.all(forks))];
}

/** Where a replay has something of its source's log before it, or all of that but its end. */
function laterPoints(run: RunObservation): readonly number[] {
  const { middle, last } = bounds(run);
  return [...new Set([middle, last])];
}

/** How long values may lag behind a status that shows the end, in milliseconds. */
const VALUES = 5_000;

/** A snapshot may be built after the log: it is read for one more time-out before its status counts as wrong. */
async function caughtUp(probe: Probe, run: RunObservation): Promise<RunObservation> {
  const { kind } = readSnapshotAgainstLog(run);
  if (kind !== 'behind' && kind !== 'differs' && !hidesError(run)) return run;
  const patienceMs = kind === 'behind' ? probe.timeoutMs : Math.min(VALUES, probe.timeoutMs);
  return readUntil(probe, run, { patienceMs, isEnough: saysAll });
}

/** Whether a snapshot says what its log ends with, its error as well. */
function saysAll(run: RunObservation): boolean {
  return agrees(run) && !hidesError(run);
}

function agrees(run: RunObservation): boolean {
  return readSnapshotAgainstLog(run).kind === 'agrees';
}

/** A run, read until its snapshot shows another status than a word of the host's own. */
async function pastOwnWord(probe: Probe, run: RunObservation): Promise<RunObservation> {
  if (!isOwnWord(statusIn(run.snapshot)) || !agrees(run)) return run;
  const last = await readUntil(probe, run, { patienceMs: probe.timeoutMs, isEnough: hasNoOwnWord });
  return hasNoOwnWord(last) ? last : run;
}

function hasNoOwnWord(run: RunObservation): boolean {
  return !isOwnWord(statusIn(run.snapshot));
}

/** How long a snapshot is read, and what has to be seen in it. */
interface Until {
  readonly patienceMs: number;
  readonly isEnough: (run: RunObservation) => boolean;
}

async function readUntil(probe: Probe, run: RunObservation, { patienceMs, isEnough }: Until): Promise<RunObservation> {
  return repeatPaced(() => readOnce(probe, run), isEnough, { patienceMs, signal: probe.signal });
}

/** A run with its snapshot as it is now; as it was where none is read. */
async function readOnce(probe: Probe, run: RunObservation): Promise<RunObservation> {
  if (run.runId === null) return run;
  const { snapshot: last, exchanges } = await readSnapshot(probe, probe.host, { runId: run.runId, ended: undefined });
  const read = copyPacked(run, { exchanges: [...run.exchanges, ...exchanges] });
  if (last !== null) keepMember(read, 'snapshot', last);
  return read;
}
