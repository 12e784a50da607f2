import type { Observation } from '../../src/evidence/types.ts';
import type { HostHandle } from '../../src/host/client.ts';
import type { Probe } from '../../src/host/probe.ts';
import { cancelPath, diffPath, eventsPath, pollPath, runPath } from '../../src/protocol/paths.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { startPublic } from '../shared/first-run.ts';
import { replays } from '../shared/replays.ts';
import { requestedBy, sendRequest, type RequestedObservation } from '../shared/requested.ts';
import { startFork } from '../shared/run-observation.ts';
import { unknownLike } from '../shared/unknown-id.ts';
import { judgeInvisibleReading, rowsOf } from './judge-invisible-reading.ts';

/** A kind of request about a run; `against` is another run of the same owner. */
interface Kind {
  readonly kind: string;
  readonly title: string;
  readonly path: (runId: string, against: string) => string;
  readonly method: 'GET' | 'POST';
}

/** In the order in which they are requested; the owner's cancel comes last of all. */
const KINDS: readonly Kind[] = [
  { kind: 'run', title: 'the snapshot', method: 'GET', path: runPath },
  { kind: 'events', title: 'the events', method: 'GET', path: eventsPath },
  { kind: 'poll', title: 'a poll of the events', method: 'GET', path: pollPath },
  { kind: 'diff', title: 'a comparison with its replay', method: 'GET', path: diffPath },
  { kind: 'cancel', title: 'cancelling', method: 'POST', path: cancelPath },
];

/** One run that is requested, and the run beside it. */
interface About {
  readonly row: string;
  readonly runId: string;
  readonly against: string;
}

/** A stream is left as soon as it is one: whether it is served is what counts. */
async function requestAbout(handle: HostHandle, of: Kind, about: About): Promise<RequestedObservation> {
  const { kind, method } = of;
  const { row, runId, against } = about;
  const path = of.path(runId, against);
  const sent = { row, name: runId, method };
  if (kind !== 'events') return sendRequest(handle, path, { ...sent, ...(method === 'POST' && { body: '{}' }) });
  const headers = { accept: 'application/json, text/event-stream;q=0.9' };
  const exchange = await handle.stream(
    { method: 'GET', path, headers },
    {
      head: (_, answered) => (/^text\/event-stream\b/iu.test(answered['content-type'] ?? '') ? 'stop' : 'read'),
      text: () => 'more',
    },
  );
  // Only whole exchanges come again after a 429.
  if (exchange.kind === 'response' && exchange.status === 429) return sendRequest(handle, path, { ...sent, headers });
  return requestedBy(exchange, { row, name: runId, request: '' });
}

async function drive(probe: Probe): Promise<readonly Observation[]> {
  const source = await startPublic(probe, 'source');
  const fork = await startFork(probe, source, { mode: 'replay' }, { role: 'replay of its owner' });
  const { runId } = source;
  const { otherTenant } = probe;
  if (runId === null || source.problem !== null || otherTenant === undefined) return [source, fork];
  const own = { runId, against: fork.runId ?? runId };
  const unknown = [1, 2].map((turn) => ({ runId: unknownLike(runId, turn), against: unknownLike(runId, turn + 2) }));
  const requested: RequestedObservation[] = [];
  for (const kind of KINDS) {
    const rows = rowsOf(kind.kind);
    const abouts = [{ row: rows.invisible, ...own }, ...unknown.map((each) => ({ row: rows.unknown, ...each }))];
    for (const about of abouts) requested.push(await requestAbout(otherTenant, kind, about));
    requested.push(await requestAbout(probe.host, kind, { row: rows.owner, ...own }));
  }
  return [source, fork, ...requested];
}

/** replay.md, Privacy: what a caller may not see is not disclosed by any other request about it either. */
export const invisibleReadings = defineScenario({
  id: 'fork.invisible-run.readings',
  suite: 'fork-contract',
  title: "Another tenant's run is disclosed by no reading of it",
  needs: [replays, { kind: 'second-tenant' }],
  drive,
  checks: KINDS.map(({ kind, title }) => ({
    id: `fork.invisible-run.${kind}`,
    title: `Another tenant is refused ${title} of a run, as of a run that there is not`,
    judge: (recorded) => judgeInvisibleReading(recorded, kind),
  })),
});
