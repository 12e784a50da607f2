import type { HostHandle } from '../../src/host/client.ts';
import type { Probe } from '../../src/host/probe.ts';
import { cancelPath, diffPath, eventsPath, pollPath, runPath } from '../../src/protocol/paths.ts';
import { sendRequest, requestedBy, type RequestedObservation } from '../shared/requested.ts';
import { startPublic } from '../shared/first-run.ts';
import { startFork } from '../shared/run-observation.ts';
import { unknownLike } from '../shared/unknown-id.ts';
import { judgeInvisibleReading, rowsOf } from './judge-invisible-reading.ts';
import { forkScenario, REPLAY, type ForkObservation } from './row.ts';

/** A kind of request about a run; `against` is another run of the same owner. */
interface Kind {
  readonly kind: string;
  readonly title: string;
  readonly path: (runId: string, against: string) => string;
  readonly method: 'GET' | 'POST';
}

/** In the order in which they are asked; the owner's cancel comes last of all. */
const KINDS: readonly Kind[] = [
  { kind: 'run', title: 'the snapshot', method: 'GET', path: runPath },
  { kind: 'events', title: 'the events', method: 'GET', path: eventsPath },
  { kind: 'poll', title: 'a poll of the events', method: 'GET', path: pollPath },
  {
    kind: 'diff',
    title: 'a comparison with its replay',
    method: 'GET',
    path: diffPath,
  },
  { kind: 'cancel', title: 'cancelling', method: 'POST', path: cancelPath },
];

/** One run that is asked about, and the run beside it. */
interface About {
  readonly row: string;
  readonly runId: string;
  readonly against: string;
}

/** A stream is left as soon as it is one: whether it is served is what counts. */
async function askAbout(handle: HostHandle, { kind, method, path }: Kind, about: About): Promise<RequestedObservation> {
  const { row, runId, against } = about;
  const url = path(runId, against);
  if (kind !== 'events')
    return sendRequest(handle, url, { row, name: runId, method, ...(method === 'POST' && { body: '{}' }) });
  const headers = { accept: 'application/json, text/event-stream;q=0.9' };
  const exchange = await handle.stream(
    { method: 'GET', path: url, headers },
    {
      head: (_, answered) => (/^text\/event-stream\b/iu.test(answered['content-type'] ?? '') ? 'stop' : 'read'),
      text: () => 'more',
    },
  );
  // Only whole exchanges come again after a 429.
  if (exchange.kind === 'response' && exchange.status === 429) {
    return sendRequest(handle, url, { row, name: runId, method, headers });
  }
  return requestedBy(exchange, { row, name: runId, request: '' });
}

async function drive(probe: Probe): Promise<readonly ForkObservation[]> {
  const source = await startPublic(probe, 'source');
  const twin = await startFork(probe, source, { mode: 'replay' }, { role: 'replay of its owner' });
  const { runId } = source;
  const { otherTenant } = probe;
  if (runId === null || source.problem !== null || otherTenant === undefined) return [source, twin];
  const against = twin.runId ?? runId;
  const seen: RequestedObservation[] = [];
  for (const each of KINDS) {
    const { owner, invisible, unknown } = rowsOf(each.kind);
    const abouts: readonly About[] = [
      { row: invisible, runId, against },
      ...[1, 2].map((turn) => ({
        row: unknown,
        runId: unknownLike(runId, turn),
        against: unknownLike(runId, turn + 2),
      })),
    ];
    for (const about of abouts) seen.push(await askAbout(otherTenant, each, about));
    seen.push(await askAbout(probe.host, each, { row: owner, runId, against }));
  }
  return [source, twin, ...seen];
}

/** replay.md, Privacy: what a caller may not see is not disclosed by any other request about it either. */
export const invisibleReadings = forkScenario({
  id: 'fork.invisible-run.readings',
  title: "Another tenant's run is disclosed by no reading of it",
  needs: [REPLAY, { kind: 'second-tenant' }],
  rows: KINDS.map(({ kind, title }) => ({
    id: `fork.invisible-run.${kind}`,
    title: `Another tenant is refused ${title} of a run, as of a run that there is not`,
    judge: (check, observations) => judgeInvisibleReading(observations, { check, kind }),
  })),
  drive,
});
