import type { HostHandle } from '../../src/host/client.ts';
import type { FollowedRun } from '../../src/host/follow.ts';
import { followRun } from '../../src/host/follow.ts';
import type { Probe } from '../../src/host/probe.ts';
import type { StartedRun } from '../../src/host/runs.ts';

/** How one run went: what its node's events said as one text, or why nothing was seen of it. */
export interface RunSeen {
  readonly ended: boolean;
  readonly problem: string | null;
  /** For each node that was asked about, in the same order, its events' payloads as JSON text. */
  readonly outputs: readonly string[];
  readonly exchanges: readonly string[];
}

/** Follows a run that was started to its end and keeps what its nodes' events said. */
export async function seeRun(
  probe: Probe,
  handle: HostHandle,
  { started, nodeIds }: { readonly started: StartedRun; readonly nodeIds: readonly string[] },
): Promise<RunSeen> {
  const none = { ended: false, outputs: [], exchanges: [started.exchange] };
  if (started.kind === 'refused')
    return { ...none, problem: `the run was refused with ${started.status}; is its workflow seeded?` };
  if (started.kind === 'failed') return { ...none, problem: `the run was not started: ${started.reason}` };
  const followed = await followRun(probe, handle, started.runId);
  const exchanges = [started.exchange, ...followed.exchanges];
  if (followed.kind === 'unfinished') return { ...none, exchanges, problem: followed.reason };
  return { ended: true, problem: null, outputs: nodeIds.map((nodeId) => outputOf(followed, nodeId)), exchanges };
}

const keptCharacters = 4000;

/** Backslashes go, so that JSON inside a string reads like JSON beside it. */
function outputOf(run: Extract<FollowedRun, { kind: 'ended' }>, nodeId: string): string {
  const payloads = run.events
    .filter((event) => event.nodeId === nodeId && event.type !== 'node.started')
    .map(({ payload }) => JSON.stringify(payload) ?? '');
  return payloads.join(' ').replaceAll('\\', '').slice(0, keptCharacters);
}
