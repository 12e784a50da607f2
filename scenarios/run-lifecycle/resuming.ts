import { isDeepStrictEqual } from 'node:util';
import { member } from '../../src/contract/discovery.ts';
import { listed } from '../../src/contract/listed.ts';
import { fail, isOutcome, type Outcome, pass, rests, undecided } from '../../src/contract/outcome.ts';
import { isTerminal, sequenceOf, type Shown, shownSequence, typeOf } from '../../src/host/log/shown.ts';
import { TRANSPORTS } from '../../src/host/log/whole.ts';
import type { Probe } from '../../src/host/probe.ts';
import { canStandInPath } from '../../src/host/runs.ts';
import { eventsPath, pollPath } from '../../src/protocol/paths.ts';
import { isNoRoute, isServerError } from '../../src/protocol/status.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { bounds, eventsOf, named } from '../shared/compare-runs.ts';
import { FAILING_FIXTURES, startFirst, startPublic } from '../shared/first-run.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { need } from '../shared/need.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import { childrenNamedIn } from '../shared/read-event.ts';
import { impatient, readBy, type ReadingObservation } from '../shared/reading.ts';
import {
  type Requested,
  type RequestedObservation,
  requestsOf,
  sendRequest,
  shownAnswer,
  statusOf,
  whyUndecided,
} from '../shared/requested.ts';
import { isObserved, offersMode, type RunObservation, startFork, startRun } from '../shared/run-observation.ts';
import { settle } from '../shared/settle.ts';
import { spread } from '../shared/spread.ts';
import { wrong } from './diagnoses.ts';
import { RESUME, type StreamModeObservation } from './observation.ts';
import { judgeModes, readModes } from './stream-modes.ts';
import { sharedCause } from '../shared/diagnoses.ts';

type ResumingObservation = RunObservation | ReadingObservation | StreamModeObservation | RequestedObservation;

/** The role of the run that is read in every way. */
const RUN = 'run';

/** Events of one log after which it is resumed, at most, over each transport. */
const RESUMED = 8;

async function drive(probe: Probe): Promise<readonly ResumingObservation[]> {
  const run = await startPublic(probe, RUN);
  if (!isObserved(run)) return [run];
  const { runId } = run;
  const modes = readModes(probe, runId);
  const forks = offersMode(probe.discovery, 'replay') ? replayed(probe, run) : [];
  const [replays, ...others] = await Promise.all([forks, failed(probe), writing(probe), dispatched(probe)]);
  const runs = [run, ...replays, ...others.flat()];
  const cursors = [...runs.filter(isObserved), ...dispatchedBy(runs)].flatMap((each) =>
    TRANSPORTS.map((transport) => readResumed(probe, each, transport)),
  );
  return [...runs, ...(await Promise.all(modes)), ...(await Promise.all(cursors)).flat()];
}

/** A replay, whose log has events that another run wrote, and a replay of that. */
async function replayed(probe: Probe, run: RunObservation): Promise<readonly RunObservation[]> {
  const replay = await startFork(probe, run, { mode: 'replay', fromSeq: bounds(run).middle }, { role: 'replay' });
  if (!isObserved(replay)) return [replay];
  const body = { mode: 'replay', fromSeq: bounds(replay).middle } as const;
  return [replay, await startFork(probe, replay, body, { role: 'replay of the replay' })];
}

/** A run that writes variables, of which a mode may say nothing; none where the host does not know its workflow. */
async function writing(probe: Probe): Promise<readonly RunObservation[]> {
  return observedOnly(await startRun(probe, { workflowId: WRITING, inputs: {} }, { role: 'run with variables' }));
}

/** A run that dispatches another one; none where the host does not know its workflow. */
async function dispatched(probe: Probe): Promise<readonly RunObservation[]> {
  return observedOnly(await startRun(probe, { workflowId: HANDOFF, inputs: {} }, { role: 'run that hands off' }));
}

function observedOnly(run: RunObservation): readonly RunObservation[] {
  return isObserved(run) ? [run] : [];
}

const [WRITING, HANDOFF] = ['conformance-determinism-variable-write', 'conformance-multi-agent-handoff'] as const;

/** A child of these runs, by what their logs name: one is enough. */
function dispatchedBy(runs: readonly RunObservation[]): readonly Named[] {
  const [runId] = runs.flatMap((run) => childrenNamedIn(eventsOf(run)));
  return runId === undefined || !canStandInPath(runId) ? [] : [{ role: 'dispatched run', runId }];
}

/** What a run is called, and its id. */
interface Named {
  readonly role: string;
  readonly runId: string;
}

async function failed(probe: Probe): Promise<RunObservation> {
  const { run } = await startFirst(probe, FAILING_FIXTURES, 'failing run');
  return run;
}

/** The whole log over a transport, and what is shown of it after one event and another. */
async function readResumed(
  probe: Probe,
  { runId, role }: Named,
  transport: ReadingObservation['transport'],
): Promise<readonly (ReadingObservation | RequestedObservation)[]> {
  const whole = await readBy(probe, transport, { run: role, runId, how: 'start' });
  if (whole === undefined) return [];
  const places = spread(placesIn(whole), RESUMED);
  const resumed = await Promise.all(
    places.map((after) => readBy(probe, transport, { run: role, runId, how: 'resumed', after })),
  );
  const at = resumed.indexOf(undefined);
  const place = places[at];
  const refused = whole.events.find(({ id }) => id !== null && id === place?.id);
  const last = whole.events.at(-1);
  // Of one run alone: where streams stay open, each that stands still has others waited for less.
  const isAsked = transport === 'sse' && role === RUN && last !== undefined && isTerminal(last);
  const [end] = isAsked ? placesOf([last]) : [];
  const atEnd = end && (await readBy(impatient(probe), transport, { run: role, runId, how: 'resumed', after: end }));
  const beyond = resumed.some((reading) => reading !== undefined) ? await readBeyond(probe, whole) : undefined;
  const again =
    transport === 'poll' ? await pollAgain(probe, runId, place?.sequence) : await askAgain(probe, runId, refused);
  return [whole, ...[...resumed, atEnd, beyond].filter((reading) => reading !== undefined), ...again];
}

/** How far behind the end of its log a poll goes on that has to show nothing. */
const BEYOND = 1000;

/** A poll that is to go on behind all events of its log: one that lags behind another may be asked so. */
async function readBeyond(
  probe: Probe,
  { run, runId, transport, events }: ReadingObservation,
): Promise<ReadingObservation | undefined> {
  const last = events.at(-1);
  const number = last !== undefined && isTerminal(last) ? sequenceOf(last) : undefined;
  if (transport !== 'poll' || run !== RUN || number === undefined) return undefined;
  const after = { sequence: number + BEYOND, id: '' };
  return readBy(probe, transport, { run, runId, how: 'resumed', after });
}

/** How a poll is answered that is to go on after an event by its number, and that shows no list then; where the host fails over it, once more. */
async function pollAgain({ host }: Probe, runId: string, after?: number): Promise<readonly RequestedObservation[]> {
  if (after === undefined) return [];
  const about = { row: RESUME, name: `the poll after sequence ${after}`, method: 'GET' } as const;
  const ask = async () => sendRequest(host, `${pollPath(runId)}?lastSequence=${after}`, about);
  const first = await ask();
  return [isServerError(statusOf(first)) ? await ask() : first];
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
  return placesOf(transport === 'sse' ? events.slice(0, -1) : events.slice(1));
}

function placesOf(events: readonly Shown[]): readonly { readonly sequence: number; readonly id: string }[] {
  return events.flatMap((event) => {
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
      title:
        'An unknown stream mode, and the exclusive one beside another, is refused with 400 or ignored; the default one and its union with another hide nothing',
      judge: judgeModes,
    },
    {
      id: 'run.cursor',
      title: 'Every reading that is resumed after an event shows the events after it, each once',
      judge: judgeCursors,
    },
  ],
});

type Read = Recorded<ReadingObservation>;

/** Judges readings that were resumed after events, each beside the whole log over the same transport. */
export function judgeCursors(recorded: Recordings): Outcome {
  const runs = need(recorded, 'run');
  if (isOutcome(runs)) return runs;
  const read = ofType<ReadingObservation>(recorded, 'reading');
  const refused = requestsOf(recorded, RESUME).find((each) => isRefusal(each, read));
  if (refused !== undefined) {
    const expected = `200 for ${refused.name} of ${named(runs.run)}`;
    return fail({ expected, actual: shownAnswer(refused), diagnosis: wrong('cursor-refused') }, [refused, runs.run]);
  }
  const whole = read.filter(({ how }) => how === 'start');
  const judged = whole.map((each) =>
    judgeTransport(
      each,
      read.filter(({ how, run, transport }) => how === 'resumed' && run === each.run && transport === each.transport),
      isLackingBeside(each, whole),
    ),
  );
  return judged.length === 0 ? undecided('the log was read over no transport', [runs.run]) : settle(judged);
}

/** Whether a resumed reading is refused. A poll that has no route with any cursor is one that knows none. */
function isRefusal(requested: Requested, read: readonly Read[]): boolean {
  const status = statusOf(requested);
  if (whyUndecided(requested) !== undefined || status < 400) return false;
  const { sent = '' } = requested;
  if (!isNoRoute(status) || !sent.includes('/poll')) return true;
  return read.some(({ transport, how, runId }) => {
    return transport === 'poll' && how === 'resumed' && sent.startsWith(`GET ${pollPath(runId)}?`);
  });
}

/** Whether a log that took one answer lacks an event that it shows over another transport: what is resumed there shows that, too. */
function isLackingBeside(whole: Read, all: readonly Read[]): boolean {
  if (whole.exchanges.length > 1) return false;
  const numbers = new Set(whole.events.map(sequenceOf));
  const others = all.filter(({ runId, cut }) => runId === whole.runId && cut !== true);
  return others.some((other) => numbered(other).some((event) => !numbers.has(sequenceOf(event))));
}

function judgeTransport(whole: Read, resumed: readonly Read[], isLacking: boolean): Outcome {
  const events = numbered(whole);
  const numbers = events.map(sequenceOf);
  const { transport, runId } = whole;
  if ([whole, ...resumed].some((read) => read.events.some(isMisnumbered))) {
    return rests(FOUNDATIONS.numbers, undecided(`${transport}: a number in the log of ${runId} is none`, [whole]));
  }
  if (!numbers.every((number, index) => index === 0 || (number ?? 0) > (numbers[index - 1] ?? 0))) {
    return rests(FOUNDATIONS.numbers, undecided(`${transport}: numbers of ${runId} do not increase`, [whole]));
  }
  const end = events.findIndex(isTerminal);
  if (end !== -1 && end < events.length - 1) {
    return rests(FOUNDATIONS.ends, undecided(`${transport}: the log of ${runId} goes on after its end`, [whole]));
  }
  if (end === -1) {
    return undecided(`${transport}: the log of ${runId} shows no end with a number`, [whole]);
  }
  if (transport === 'sse' && whole.events.every(({ id }) => id === null)) return withoutIds(whole);
  for (const each of resumed) {
    const found = wrongIn(each, whole);
    if (found === undefined) continue;
    return isLacking && found.kind === 'fail' ? rests('sequence.transports-agree', found) : found;
  }
  if (resumed.length === 0) return undecided(`${transport}: no cursor is known`, [whole]);
  const read = resumed.filter(({ cut }) => cut !== true);
  if (read.length === 0) return undecided(`${transport}: no resumed reading came to its end`, [whole, ...resumed]);
  return pass([whole, ...read], `${transport}: resumed after ${read.length} events`);
}

function wrongIn(read: Read, whole: Read): Outcome | undefined {
  const after = read.after ?? -1;
  const wanted = numbered(whole).filter((event) => (sequenceOf(event) ?? 0) > after);
  const shown = numbered(read);
  const came = uptoEnd(shown);
  // What a reading that was cut off did not show may have been on its way.
  const known = read.cut === true ? wanted.slice(0, came.length) : wanted;
  const numbers = new Set(came.map(sequenceOf));
  const isMissed = known.some((event) => !numbers.has(sequenceOf(event)));
  const isRight = !isMissed && came.length === known.length;
  if (isRight && came.length === shown.length) {
    return disordered(read, whole) ?? ofAnotherRun(read, whole) ?? ofAnotherId(read, whole);
  }
  const byOtherId = resumedByOtherId(read, whole, came);
  if (byOtherId !== undefined) return byOtherId;
  const expected = `${read.transport}: after sequence ${after} of ${read.runId} ${sequencesOf(wanted)}`;
  const diagnosis = wrong(isMissed ? 'cursor-skips' : 'cursor-repeats');
  // What came behind the end of the log meanwhile is no matter of cursors.
  const restsOn = isRight ? FOUNDATIONS.ends : undefined;
  return fail({ expected, actual: sequencesOf(shown), diagnosis, restsOn }, [read, whole]);
}

/** Events that do not come in the order of their numbers. */
function disordered(read: Read, whole: Read): Outcome | undefined {
  const numbers = numbered(read).map((event) => sequenceOf(event) ?? 0);
  const at = numbers.findIndex((number, index) => number < (numbers[index - 1] ?? number));
  if (at === -1) return undefined;
  const from = `${read.transport}: after sequence ${read.after ?? ''} of ${read.runId}`;
  const expected = `${from} a number above ${String(numbers[at - 1])} behind it`;
  return fail(
    {
      diagnosis: sharedCause('numbers-not-increasing'),
      expected,
      actual: String(numbers[at]),
      restsOn: FOUNDATIONS.numbers,
    },
    [read, whole],
  );
}

/** A stream whose messages have no ids: a client that is cut off has nothing to go on from (wire-contract, SSE). */
function withoutIds(whole: Read): Outcome {
  const expected = `sse: the sequence of each event as the id of its message in the log of ${whole.runId}`;
  return fail({ expected, actual: 'no message has an id', diagnosis: wrong('cursor-other-id') }, [whole]);
}

/** A stream that goes on rightly behind the sequence number that it was told, which is the id of another event's message. */
function resumedByOtherId(read: Read, whole: Read, came: readonly Shown[]): Outcome | undefined {
  const { after, runId, transport } = read;
  const id = whole.events.find((event) => sequenceOf(event) === after)?.id ?? '';
  const told = Number(id);
  if (transport !== 'sse' || !/^\d+$/u.test(id) || told === after) return undefined;
  const follow = numbered(whole).map(sequenceOf);
  const isMeant = isDeepStrictEqual(
    came.map(sequenceOf),
    follow.filter((number) => (number ?? 0) > told),
  );
  if (!isMeant) return undefined;
  const expected = `sse: ${String(after)} as the id of the message of sequence ${String(after)} of ${runId}`;
  const actual = `it is ${id}, and what goes on from that shows what follows sequence ${id}`;
  return fail({ expected, actual, diagnosis: wrong('cursor-other-id') }, [read, whole]);
}

/** An event of a resumed stream under the id that another one has in the whole stream: whoever goes on from it misses events, or gets some twice. */
function ofAnotherId(read: Read, whole: Read): Outcome | undefined {
  const ids = new Map(whole.events.map((event) => [event.id, sequenceOf(event)]));
  const other = numbered(read).find((event) => {
    const number = event.id === null ? undefined : ids.get(event.id);
    return number !== undefined && number !== sequenceOf(event);
  });
  if (other === undefined) return undefined;
  const place = `sse: after sequence ${read.after ?? ''} of ${read.runId}: the id of sequence ${String(sequenceOf(other))}`;
  const expected = `${place} is none of another event's`;
  const actual = `it is ${String(other.id)}, which sequence ${String(ids.get(other.id))} has`;
  return fail({ expected, actual, diagnosis: wrong('cursor-other-id') }, [read, whole]);
}

/** An event that names another run than it does in the whole log over the same transport: it is none of this log. */
function ofAnotherRun(read: Read, whole: Read): Outcome | undefined {
  const runs = new Map(whole.events.map((event) => [sequenceOf(event), runNamedBy(event)]));
  const other = numbered(read).find((event) => {
    const [wanted, is] = [runs.get(sequenceOf(event)), runNamedBy(event)];
    return wanted !== undefined && is !== undefined && is !== wanted;
  });
  if (other === undefined) return undefined;
  const place = `${read.transport}: /runId of sequence ${String(sequenceOf(other))} after ${read.after ?? ''}`;
  const [expected, actual] = [runs.get(sequenceOf(other)), runNamedBy(other)].map(
    (runId) => `${place}: ${runId ?? ''}`,
  );
  return fail({ expected: expected ?? '', actual: actual ?? '', diagnosis: wrong('cursor-other-run') }, [read, whole]);
}

function runNamedBy({ data }: Shown): string | undefined {
  const runId = member(data, 'runId');
  return typeof runId === 'string' ? runId : undefined;
}

/** Events without those that follow the end by their numbers. */
function uptoEnd(events: readonly Shown[]): readonly Shown[] {
  const end = events.find(isTerminal);
  const last = end === undefined ? Infinity : (sequenceOf(end) ?? Infinity);
  return events.filter((event) => (sequenceOf(event) ?? 0) <= last);
}

/** Whether an event shows something as its number that orders nothing. */
function isMisnumbered(event: Shown): boolean {
  return shownSequence(event) !== undefined && sequenceOf(event) === undefined;
}

/** The events that show numbers: what a stream says beside its log has none. */
function numbered({ events }: Read): readonly Shown[] {
  return events.filter((event) => sequenceOf(event) !== undefined);
}

/** Events in words, the first few of them. */
function sequencesOf(events: readonly Shown[]): string {
  const names = events.map((event) => `${String(sequenceOf(event))} ${typeOf(event) ?? ''}`);
  return events.length === 0 ? 'no event' : `${events.length} events: ${listed(names, 4)}`;
}
