import { readDiscovery } from '../../src/contract/discovery.ts';
import { determinismReport, feedback } from '../../src/contract/gates.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Exchange, HostHandle, StreamReader } from '../../src/host/client.ts';
import type { Probe } from '../../src/host/probe.ts';
import {
  annotationsPath,
  cancelPath,
  diffPath,
  eventsPath,
  forkPath,
  interruptPath,
  pollPath,
  runPath,
} from '../../src/protocol/paths.ts';
import { sendRequest } from '../shared/requested.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import { startPublic } from '../shared/first-run.ts';
import { startFork, startRun, type ForkBody, type RunObservation } from '../shared/run-observation.ts';
import { unknownLike } from '../shared/unknown-id.ts';
import { reportPath } from './score-report.ts';

/** One request of the second tenant about a run of the first. */
export interface AccessObservation extends Observation {
  readonly type: 'access';
  readonly of: 'source' | 'fork';
  /** What is requested, in words. */
  readonly name: string;
  /** The answer's status; null where there was none. */
  readonly status: number | null;
}

/** The role of the fork. */
export const FORK = 'fork';
/** The role of the run by which the second tenant's credential is seen to work. */
export const OWN = "the second tenant's run";

/** Forks a run, and lets the second tenant ask for all that there is of the source and of the fork. */
export async function driveAccess(
  probe: Probe,
  bodyFor: (source: RunObservation) => ForkBody,
): Promise<readonly Observation[]> {
  const source = await startPublic(probe, 'source');
  const fork = await startFork(probe, source, bodyFor(source), { role: FORK });
  const { otherTenant } = probe;
  if (otherTenant === undefined || source.runId === null || fork.runId === null) return [source, fork];
  const own = await startRun(probe, { workflowId: 'conformance-noop' }, { role: OWN, handle: otherTenant });
  const seen: AccessObservation[] = [];
  for (const { name, send } of requestsFor(probe, own.runId)) {
    for (const [of, runId] of [['source', source.runId] as const, ['fork', fork.runId] as const]) {
      const exchange = await send(otherTenant, runId);
      const status = exchange.kind === 'response' ? exchange.status : null;
      seen.push({ type: 'access', of, name, status, exchanges: [exchange.id] });
    }
  }
  return [source, fork, own, ...seen, ...(await forkAsStranger(otherTenant, fork.runId))];
}

/** A branch from the run's last event. */
export function branchBody(source: RunObservation): ForkBody {
  return { mode: 'branch', fromSeq: eventsOf(source).at(-1)?.sequence ?? 0 };
}

/** One kind of request about a run. */
interface AccessRequest {
  readonly name: string;
  readonly send: (handle: HostHandle, runId: string) => Promise<Exchange>;
}

type PathOf = (runId: string) => string;

/** A GET, or a POST where there is a body. */
function json(name: string, path: PathOf, body?: object): AccessRequest {
  const sent =
    body === undefined ? { method: 'GET' as const } : { method: 'POST' as const, body: JSON.stringify(body) };
  const headers = { accept: 'application/json' };
  return { name, send: (handle, runId) => handle.exchange({ ...sent, path: path(runId), headers }) };
}

function stream(name: string, path: PathOf): AccessRequest {
  const sent = { method: 'GET', headers: { accept: 'text/event-stream' } } as const;
  const first: StreamReader = { head: () => 'stop', text: () => 'done' };
  return { name, send: (handle, runId) => handle.stream({ ...sent, path: path(runId) }, first) };
}

/** The reading that decides whether a run is open to the second tenant at all. */
export const SNAPSHOT = 'the snapshot';

/** All that can be requested of a run; what would change it comes last. */
function requestsFor({ discovery }: Probe, own: string | null): readonly AccessRequest[] {
  const document = readDiscovery(discovery);
  const comparisons = (ownId: string) => [
    json('its comparison with an own run', (run) => diffPath(run, ownId)),
    json('the comparison of an own run with it', (run) => diffPath(ownId, run)),
  ];
  const annotations = [
    json('its annotations', annotationsPath),
    json('an annotation of it', annotationsPath, { signal: { kind: 'label', label: 'seen' } }),
  ];
  return [
    json(SNAPSHOT, runPath),
    json('the log', eventsPath),
    stream('the event stream', eventsPath),
    stream('the debug stream', (run) => `${eventsPath(run)}?streamMode=debug`),
    json('the log by poll', pollPath),
    json('its comparison with itself', (run) => diffPath(run, run)),
    ...(own === null ? [] : comparisons(own)),
    ...(determinismReport(document).open ? [json('its determinism report', (run) => reportPath(discovery, run))] : []),
    ...(feedback(document).open ? annotations : []),
    json('a fork of it', forkPath, { mode: 'replay' }),
    json('an answer to its question', (run) => interruptPath(run, 'ask'), { resumeValue: true }),
    json('its cancellation', cancelPath, {}),
  ];
}

/** The second tenant forks the fork, and runs that there are not. */
function forkAsStranger(handle: HostHandle, runId: string): Promise<readonly Observation[]> {
  return Promise.all(
    [runId, unknownLike(runId, 1), unknownLike(runId, 2)].map((name, index) =>
      sendRequest(handle, forkPath(name), {
        row: index === 0 ? 'invisible' : 'unknown',
        name,
        body: JSON.stringify({ mode: 'replay' }),
      }),
    ),
  );
}
