import { keepMember } from '../../src/evidence/pack.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Shown } from '../../src/host/log/shown.ts';
import { readWhole, TRANSPORTS, type Transport, type WholeLog } from '../../src/host/log/whole.ts';
import type { Probe } from '../../src/host/probe.ts';
import { isObserved, type RunObservation } from './run-observation.ts';

/** One reading of a run that has ended, but where it is said that it goes on. */
export interface ReadingObservation extends Observation {
  readonly type: 'reading';
  /** Which run: `the run`, `the failed run`, `the fork`. */
  readonly run: string;
  readonly runId: string;
  readonly transport: Transport;
  /**
   * From the start, the same once more a little later, or resumed after an event; from the start of a run that waits, and of one that
   * goes on meanwhile.
   */
  readonly how: 'start' | 'again' | 'resumed' | 'waiting' | 'live';
  /** The sequence number after which a resumed reading begins; null for the others. */
  readonly after: number | null;
  /** A stream of the default mode may leave types out (wire-contract, SSE). */
  readonly partial: boolean;
  /** There where an answer failed, or said that there is more, before the log's end was shown: whatever follows was not seen. */
  readonly cut?: true;
  /** There where the host did not end a stream behind the log's end, until its time was up or it failed; absent in older evidence. */
  readonly open?: true;
  /**
   * What became of the first connection of a stream that was open when its run ended, and did not show that: the host ended it, or it
   * showed nothing for long until its time was up. Absent in older evidence.
   */
  readonly stopped?: 'ended' | 'still';
  /** What the last answer of a poll says: whether the run is over; absent where it says nothing, and in older evidence. */
  readonly over?: boolean;
  readonly events: readonly Shown[];
}

/** What is to be read, and from where on. */
export interface Reading {
  readonly run: string;
  readonly runId: string;
  readonly how: ReadingObservation['how'];
  /** The event to resume after: the cursor of a poll, the id of a stream. */
  readonly after?: { readonly sequence: number; readonly id: string };
}

/**
 * Reads an ended run's log once over a transport. Undefined where the host does not offer the transport, or no cursor
 * there.
 */
export async function readBy(
  probe: Probe,
  transport: Transport,
  reading: Reading,
): Promise<ReadingObservation | undefined> {
  const read = await readWhole(probe, transport, { ...reading, goesOn: reading.how === 'waiting' });
  if (read === undefined) return undefined;
  return recordedReading({ ...reading, transport }, read);
}

/** What was read, as it is recorded. */
export function recordedReading(
  { run, runId, transport, how, after }: Reading & Pick<ReadingObservation, 'transport'>,
  { events, ...rest }: WholeLog,
): ReadingObservation {
  const none: readonly Shown[] = [];
  const from = { run, runId, transport, how, after: after?.sequence ?? null };
  const kept = { type: 'reading', ...from, events: none, ...rest } as const;
  keepMember(kept, 'events', events);
  return kept;
}

/** Reads an ended run's log once, over the first of these transports that the host offers. */
export async function readOver(
  probe: Probe,
  transports: readonly Transport[],
  reading: Reading,
): Promise<ReadingObservation | undefined> {
  for (const transport of transports) {
    const read = await readBy(probe, transport, reading);
    if (read !== undefined) return read;
  }
  return undefined;
}

/** Reads an ended run's log from the start over every transport that the host offers. */
export async function readByEach(
  probe: Probe,
  { run, runId }: Pick<Reading, 'run' | 'runId'>,
): Promise<readonly ReadingObservation[]> {
  const whole = { run, runId, how: 'start' } as const;
  const read = await Promise.all(TRANSPORTS.map((transport) => readBy(probe, transport, whole)));
  return read.filter((reading) => reading !== undefined);
}

/** The same of a run; nothing where it was not seen to its end. */
export async function readSeen(probe: Probe, run: RunObservation): Promise<readonly ReadingObservation[]> {
  return isObserved(run) ? readByEach(probe, { run: run.role, runId: run.runId }) : [];
}

/** How long a stream is waited for that shows what it has at once, and may stay open where it has nothing. */
const PATIENCE = { ms: 2000, because: 'what is there is shown at once' } as const;

/** A probe whose streams are waited for no longer than that. */
export function impatient(probe: Probe): Probe {
  const { host } = probe;
  const stream: typeof host.stream = (request, reader) => host.stream({ ...request, patience: PATIENCE }, reader);
  return { ...probe, host: { ...host, stream } };
}
