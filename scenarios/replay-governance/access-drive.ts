import { readDiscovery } from '../../src/contract/discovery.ts';
import { determinismReport, feedback } from '../../src/contract/gates.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Exchange, HostHandle } from '../../src/host/client.ts';
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
  /** What is asked for, in words. */
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
  const requests = requestsFor(probe, own.runId);
  const seen: Observation[] = [];
  for (const request of requests) {
    seen.push(await askFor(otherTenant, request, { of: 'source', runId: source.runId }));
    seen.push(await askFor(otherTenant, request, { of: 'fork', runId: fork.runId }));
  }
  return [source, fork, own, ...seen, ...(await askBoth(otherTenant, fork.runId))];
}

/** A branch from the run's last event. */
export function branchBody(source: RunObservation): ForkBody {
  return { mode: 'branch', fromSeq: eventsOf(source).at(-1)?.sequence ?? 0 };
}

/** One kind of request; those that would change a run come last. */
interface AccessRequest {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: (run: string) => string;
  readonly accept?: string;
  readonly body?: object;
}

/** The reading that decides whether a run is open to the second tenant at all. */
export const SNAPSHOT = 'the snapshot';

function requestsFor({ discovery }: Probe, own: string | null): readonly AccessRequest[] {
  const isAnnotated = feedback(readDiscovery(discovery)).open;
  const isReported = determinismReport(readDiscovery(discovery)).open;
  return [
    { name: SNAPSHOT, method: 'GET', path: runPath },
    { name: 'the log', method: 'GET', path: eventsPath },
    { name: 'the event stream', method: 'GET', path: eventsPath, accept: 'text/event-stream' },
    {
      name: 'the debug stream',
      method: 'GET',
      path: (run) => `${eventsPath(run)}?streamMode=debug`,
      accept: 'text/event-stream',
    },
    { name: 'the log by poll', method: 'GET', path: pollPath },
    { name: 'its comparison with itself', method: 'GET', path: (run) => diffPath(run, run) },
    ...(own === null ? [] : comparisons(own)),
    ...(isReported ? [report(discovery)] : []),
    ...(isAnnotated ? [annotations('GET'), annotations('POST')] : []),
    { name: 'a fork of it', method: 'POST', path: forkPath, body: { mode: 'replay' } },
    {
      name: 'an answer to its question',
      method: 'POST',
      path: (run) => interruptPath(run, 'ask'),
      body: { resumeValue: true },
    },
    { name: 'its cancellation', method: 'POST', path: cancelPath, body: {} },
  ];
}

function comparisons(own: string): readonly AccessRequest[] {
  return [
    { name: 'its comparison with an own run', method: 'GET', path: (run) => diffPath(run, own) },
    {
      name: 'the comparison of an own run with it',
      method: 'GET',
      path: (run) => diffPath(own, run),
    },
  ];
}

function report(discovery: unknown): AccessRequest {
  return { name: 'its determinism report', method: 'GET', path: (run) => reportPath(discovery, run) };
}

function annotations(method: 'GET' | 'POST'): AccessRequest {
  const body = { signal: { kind: 'label', label: 'seen' } };
  return method === 'GET'
    ? { name: 'its annotations', method, path: annotationsPath }
    : { name: 'an annotation of it', method, path: annotationsPath, body };
}

async function askFor(
  handle: HostHandle,
  { name, method, path, accept = 'application/json', body }: AccessRequest,
  { of, runId }: { readonly of: AccessObservation['of']; readonly runId: string },
): Promise<AccessObservation> {
  const request = {
    method,
    path: path(runId),
    headers: { accept },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
  const exchange: Exchange =
    accept === 'text/event-stream'
      ? await handle.stream(request, { head: () => 'stop', text: () => 'done' })
      : await handle.exchange(request);
  const status = exchange.kind === 'response' ? exchange.status : null;
  return { type: 'access', of, name, status, exchanges: [exchange.id] };
}

/** The second tenant forks the fork, and runs that there are not. */
function askBoth(handle: HostHandle, runId: string): Promise<readonly Observation[]> {
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
