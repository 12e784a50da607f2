import { readConnection } from '../../src/host/log/connection.ts';
import { readPage } from '../../src/host/log/pages.ts';
import { isTerminal, sequenceOf, typeOf, type Shown } from '../../src/host/log/shown.ts';
import { TRANSPORTS } from '../../src/host/log/whole.ts';
import type { Probe } from '../../src/host/probe.ts';
import { answeredWith } from '../../src/host/exchanged.ts';
import { eventsPath } from '../../src/protocol/paths.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { startPublic } from '../shared/first-run.ts';
import { readBy, type ReadingObservation } from '../shared/reading.ts';
import { sendRequest, type RequestedObservation } from '../shared/requested.ts';
import { isSeen, type RunObservation } from '../shared/run-observation.ts';
import { spread } from '../shared/spread.ts';
import { judgeCursors } from './judge-cursors.ts';
import { judgeModes } from './judge-modes.ts';
import { EXCLUSIVE, RESUME, UNKNOWN, type StreamModeObservation } from './observation.ts';

type ResumingObservation = RunObservation | ReadingObservation | StreamModeObservation | RequestedObservation;

/** Events of one log after which it is resumed, at most, over each transport. */
const RESUMED = 8;

async function drive(probe: Probe): Promise<readonly ResumingObservation[]> {
  const run = await startPublic(probe, 'run');
  if (!isSeen(run)) return [run];
  const { runId } = run;
  const modes = [null, UNKNOWN, EXCLUSIVE].map((mode) => readMode(probe, runId, mode));
  const cursors = TRANSPORTS.map((transport) => readResumed(probe, runId, transport));
  return [run, ...(await Promise.all(modes)), ...(await Promise.all(cursors)).flat()];
}

/** A log as a stream mode shows it, up to its end: as a stream, or as a document where the host answers with one. */
async function readMode(probe: Probe, runId: string, mode: string | null): Promise<StreamModeObservation> {
  const path = eventsPath(runId) + (mode === null ? '' : `?streamMode=${mode}`);
  const shown: Shown[] = [];
  const { isStream, isCut, exchange } = await readConnection(probe.host, path, {
    take: (message) => (shown.push(message), isTerminal(message) ? 'done' : 'more'),
  });
  const page = isStream ? undefined : readPage(exchange, path);
  const listed = page?.ok === true ? page.events.map((data) => ({ id: null, name: null, data }) as Shown) : [];
  const types = [...shown, ...listed].map((event) => typeOf(event) ?? '');
  const status = answeredWith(exchange);
  return { type: 'stream-mode', mode, status, types, exchanges: [exchange.id], ...(isCut && { cut: true }) };
}

/** The whole log over a transport, and what is shown of it after one event and another. */
async function readResumed(
  probe: Probe,
  runId: string,
  transport: ReadingObservation['transport'],
): Promise<readonly (ReadingObservation | RequestedObservation)[]> {
  const whole = await readBy(probe, transport, { run: 'run', runId, how: 'start' });
  if (whole === undefined) return [];
  const places = spread(placesIn(whole), RESUMED);
  const resumed = await Promise.all(
    places.map((after) => readBy(probe, transport, { run: 'run', runId, how: 'resumed', after })),
  );
  const at = resumed.indexOf(undefined);
  const refused = whole.events.find(({ id }) => at !== -1 && id !== null && id === places[at]?.id);
  return [whole, ...resumed.filter((reading) => reading !== undefined), ...(await askAgain(probe, runId, refused))];
}

/** How a stream is answered that is to go on after an event whose id it gave, and that is none then. */
async function askAgain({ host }: Probe, runId: string, after?: Shown): Promise<readonly RequestedObservation[]> {
  if (after === undefined) return [];
  const id = String(after.id);
  const headers = { accept: 'text/event-stream', 'last-event-id': id };
  const about = { row: RESUME, name: `the stream after the event with the id ${id}`, method: 'GET' } as const;
  return [await sendRequest(host, eventsPath(runId), { ...about, headers })];
}

/**
 * Events to resume after. A stream may stay open after the last one; a list that knows no cursor begins with the first one,
 * and a poll that counts from 0 may take that for no cursor (wire-contract, SSE).
 */
function placesIn({
  transport,
  events,
}: ReadingObservation): readonly { readonly sequence: number; readonly id: string }[] {
  const meant = transport === 'sse' ? events.slice(0, -1) : events.slice(1);
  return meant.flatMap((event) => {
    const sequence = sequenceOf(event);
    return sequence === undefined ? [] : [{ sequence, id: event.id ?? String(sequence) }];
  });
}

/** replay.md, Why: whoever was cut off has to miss no event of a log, and to take none twice. */
export const resuming = defineScenario<ResumingObservation>({
  id: 'run.resuming',
  suite: 'run-lifecycle',
  title: 'A log is read in the mode that was asked for, and goes on where its reader left it',
  drive,
  checks: [
    {
      id: 'run.stream-modes',
      title: 'An unknown stream mode, and the exclusive one beside another, is refused with 400 or ignored',
      judge: judgeModes,
    },
    {
      id: 'run.cursor',
      title: 'Every reading that is resumed after an event shows the events after it, each once',
      judge: judgeCursors,
    },
  ],
});
