import { copyPacked, keepMember } from '../../src/evidence/pack.ts';
import { repeatPaced } from '../../src/host/paced.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { FAILING_FIXTURES, PUBLIC_FIXTURES, startFirst } from '../shared/first-run.ts';
import { offersMode, startFork, type RunObservation } from '../shared/run-observation.ts';
import type { RequestedObservation } from '../shared/requested.ts';
import { readSnapshotAgainstLog } from '../shared/snapshot-fault.ts';
import { readSnapshot } from '../shared/snapshot.ts';
import { judgeCancelled } from './judge-cancelled.ts';
import { judgeSnapshots } from './judge-snapshots.ts';
import { VARIABLE_FIXTURES, VARIABLES } from './fixtures.ts';
import type { LateObservation } from './observation.ts';
import { cancelWaiting } from './waiting.ts';

/** A run that completes, one that fails, and those that leave values behind: each the first one that the host knows. */
const SOURCES: readonly (readonly [role: string, ...workflowIds: string[]])[] = [
  ['run', ...PUBLIC_FIXTURES],
  ['failing run', ...FAILING_FIXTURES],
  [VARIABLES, ...VARIABLE_FIXTURES],
  ['run with channels', 'conformance-determinism-channel-write', 'conformance-conversation-replay'],
];

type SnapshotObservation = RunObservation | LateObservation | RequestedObservation;

async function drive(probe: Probe): Promise<readonly SnapshotObservation[]> {
  const runs = await Promise.all([
    ...SOURCES.map(([role, ...workflowIds]) => runAndReplay(probe, role, workflowIds)),
    cancelWaiting(probe),
  ]);
  const settled = await Promise.all(
    runs.flat().map(async (run): Promise<readonly SnapshotObservation[]> => {
      if (run.type !== 'run') return [run];
      const last = await caughtUp(probe, run);
      const isLate = last !== run && readSnapshotAgainstLog(last).kind === 'agrees';
      return isLate ? [last, { type: 'late', role: run.role, exchanges: last.exchanges }] : [last];
    }),
  );
  return settled.flat();
}

async function runAndReplay(
  probe: Probe,
  role: string,
  workflowIds: readonly string[],
): Promise<readonly RunObservation[]> {
  const { run } = await startFirst(probe, workflowIds, role);
  if (run.problem !== null || !offersMode(probe.discovery, 'replay')) return [run];
  return [run, await startFork(probe, run, { mode: 'replay' }, { role: `replay of the ${role}` })];
}

/** How long values may lag behind a status that shows the end, in milliseconds. */
const VALUES = 5_000;

/** A snapshot may be built after the log: it is read for one more time-out before its status counts as wrong. */
async function caughtUp(probe: Probe, run: RunObservation): Promise<RunObservation> {
  const { runId } = run;
  const { kind } = readSnapshotAgainstLog(run);
  if (runId === null || (kind !== 'behind' && kind !== 'differs')) return run;
  const patienceMs = kind === 'behind' ? probe.timeoutMs : Math.min(VALUES, probe.timeoutMs);
  return repeatPaced(
    async () => {
      const { snapshot, exchanges } = await readSnapshot(probe, probe.host, { runId, ended: undefined });
      const read = copyPacked(run, { exchanges: [...run.exchanges, ...exchanges] });
      if (snapshot !== null) keepMember(read, 'snapshot', snapshot);
      return read;
    },
    (read) => readSnapshotAgainstLog(read).kind === 'agrees',
    { patienceMs, signal: probe.signal },
  );
}

/** Whoever polls the snapshot alone must be shown the run that the log tells of. */
export const snapshot = defineScenario<SnapshotObservation>({
  id: 'run.snapshot',
  suite: 'run-lifecycle',
  title: 'The snapshot of a finished run says what its log ends with',
  foundation: true,
  judgesRunIds: true,
  drive,
  checks: [
    {
      id: 'run.snapshot-agrees',
      title: 'Status, error code, variables and channels of a finished run are those that its log ends with',
      judge: judgeSnapshots,
    },
    {
      id: 'run.cancel',
      title: 'The answer to a cancellation names the run, and says how it goes on',
      judge: judgeCancelled,
    },
  ],
});
