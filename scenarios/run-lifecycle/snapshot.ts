import { always } from '../../src/contract/gates.ts';
import { member } from '../../src/contract/discovery.ts';
import { copyPacked, keepMember } from '../../src/evidence/pack.ts';
import { pause } from '../../src/host/pause.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/scenario.ts';
import { FAILING_FIXTURES, PUBLIC_FIXTURES, startFirst } from '../shared/first-run.ts';
import { offersMode, startFork, type RunObservation } from '../shared/run-observation.ts';
import { readSnapshotAgainstLog } from '../shared/snapshot-fault.ts';
import { readSnapshot } from '../shared/snapshot.ts';
import { judgeSnapshots } from './judge-snapshots.ts';

/** A run that completes, one that fails, and those that leave values behind: each the first one that the host knows. */
const SOURCES: readonly (readonly [role: string, ...workflowIds: string[]])[] = [
  ['run', ...PUBLIC_FIXTURES],
  ['failing run', ...FAILING_FIXTURES],
  ['run with variables', 'conformance-determinism-variable-write', 'conformance-multi-agent-handoff'],
  ['run with channels', 'conformance-determinism-channel-write', 'conformance-conversation-replay'],
];

async function drive(probe: Probe): Promise<readonly RunObservation[]> {
  const runs = await Promise.all(SOURCES.map(([role, ...workflowIds]) => runAndReplay(probe, role, workflowIds)));
  return Promise.all(runs.flat().map((run) => caughtUp(probe, run)));
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

/** Between two readings of a snapshot that is behind its log, in milliseconds. */
const PAUSE = 500;

/** A snapshot may be built after the log: it is read for one more time-out before it counts as wrong. */
async function caughtUp(probe: Probe, run: RunObservation): Promise<RunObservation> {
  const { runId } = run;
  if (runId === null) return run;
  const deadline = Date.now() + probe.timeoutMs;
  let last = run;
  while (readSnapshotAgainstLog(last).kind === 'behind' && Date.now() < deadline && !probe.signal.aborted) {
    await pause(PAUSE, probe.signal);
    const { snapshot, exchanges } = await readSnapshot(probe, probe.host, { runId, ended: undefined });
    if (member(snapshot, 'status') === undefined) break;
    last = copyPacked(last, { exchanges: [...run.exchanges, ...exchanges] });
    keepMember(last, 'snapshot', snapshot);
  }
  return last;
}

/** Whoever polls the snapshot alone must be shown the run that the log tells of. */
export const snapshot = {
  ...defineScenario<RunObservation>({
    id: 'run.snapshot',
    suite: 'run-lifecycle',
    title: 'The snapshot of a finished run says what its log ends with',
    checks: [
      {
        id: 'run.snapshot-agrees',
        requirement: 'run.snapshot-agrees',
        title: 'Status, error code, variables and channels of a finished run are those that its log ends with',
      },
    ],
    gate: always,
    needs: [],
    exclusive: [],
    drive,
    judge: (observations, _, everything = []) => [judgeSnapshots(observations, everything)],
  }),
  foundation: true,
} as const;
