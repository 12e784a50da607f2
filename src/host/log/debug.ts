import type { Json } from '../../evidence/types.ts';
import { debugPath } from '../../protocol/paths.ts';
import type { Exchange, HostHandle } from '../client.ts';
import { answeredWith } from '../exchanged.ts';
import { readRunEvent, type RunEvent } from '../run-event.ts';
import { createLogReader } from '../json.ts';
import { readConnections } from './connection.ts';
import { readEventList } from './pages.ts';
import { isTerminal, type Shown, typeOf } from './shown.ts';

/** What the stream mode `debug` showed of a run. */
export interface DebugReading {
  /** The last answer's status; null where there was none. */
  readonly answered: number | null;
  /** The types of all events, in order, reduced ones too. */
  readonly types: readonly string[];
  /** The events that came whole. */
  readonly events: readonly RunEvent[];
  /** True when the reading holds the run's end. */
  readonly complete: boolean;
  readonly exchanges: readonly string[];
}

/**
 * Reads a run that has ended in the stream mode `debug`: as an event stream, else as JSON (wire-contract, SSE). A stream
 * may be reduced to types and sequence numbers.
 */
export async function readDebugStream(handle: HostHandle, runId: string): Promise<DebugReading> {
  const path = debugPath(runId);
  const shown: Shown[] = [];
  const { isStream, exchanges } = await readConnections(handle, path, {
    read: createLogReader(),
    take: (message) => (shown.push(message), isTerminal(message) ? 'done' : 'more'),
    isEnough: () => shown.some(isTerminal),
  });
  if (isStream) return readingOf(shown, ...exchanges);
  const [exchange] = exchanges;
  const listed = readEventList(exchange, path);
  if (listed.ok) return readingOf(listed.events.map(asShown), exchange);
  const again = await handle.exchange({ method: 'GET', path, headers: { accept: 'application/json' } });
  const list = readEventList(again, path);
  return readingOf(list.ok ? list.events.map(asShown) : [], exchange, again);
}

function asShown({ raw }: RunEvent): Shown {
  return { id: null, name: null, data: raw as Json };
}

function readingOf(shown: readonly Shown[], ...exchanges: readonly Exchange[]): DebugReading {
  const last = exchanges.at(-1);
  return {
    answered: last === undefined ? null : answeredWith(last),
    types: shown.flatMap((event) => typeOf(event) ?? []),
    events: shown.flatMap(({ data }) => readRunEvent(data) ?? []),
    complete: shown.some(isTerminal),
    exchanges: exchanges.map(({ id }) => id),
  };
}
