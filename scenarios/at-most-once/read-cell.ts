import type { CrashWindow, FoundState } from '../../src/contract/crash-matrix.ts';
import { member } from '../../src/contract/discovery.ts';
import type { Json } from '../../src/evidence/types.ts';
import { isRecord, type RunEvent } from '../../src/host/run-event.ts';
import { endOf, isBusy } from '../../src/protocol/run-status.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import { noncesIn } from '../shared/witnessed-run.ts';
import { cutsOf, keyOf, type CellObservation } from './cell.ts';
import { KEPT_ARGS } from './fixtures.ts';
import { attemptsOf, invocationEvents, type InvocationEvent, type InvocationStep } from './invocation-events.ts';

/** How a cell's run came out; `missing` is a run that the host no longer knows, `unknown` one that nobody could see. */
export type RunEnd = 'completed' | 'failed' | 'parked' | 'in flight' | 'missing' | 'unknown';

/** A cell as its judges read it. */
export interface Cell {
  /** The observation's. */
  readonly id: string;
  readonly cell: Recorded<CellObservation>;
  /** True where every cut of the cell killed the host. */
  readonly reached: boolean;
  readonly outcome: RunEnd;
  /** The log in the end, and the events of the tool call in it. */
  readonly events: readonly RunEvent[];
  readonly invocations: readonly InvocationEvent[];
  /** Everything that clients were shown in lives that ended with the host's death, and the events of the tool call in it. */
  readonly shown: readonly RunEvent[];
  readonly shownInvocations: readonly InvocationEvent[];
  /** Calls of the tool for this run, and those by the last death. */
  readonly calls: number;
  readonly callsThen: number;
  /** Calls of another run that the same request made, when it was sent twice; they decide nothing. */
  readonly othersCalls: number;
  /** Whether calls carry no key that tells of which run they are, where there may be two. */
  readonly unattributed: boolean;
  /** What the tool answered. */
  readonly nonces: readonly string[];
  /** What was found at the first tool call after the last death. */
  readonly found: FoundState | null;
  /** Everything that workers found, in order. */
  readonly allFound: readonly FoundState[];
  /** The window in which its last death lies, and what says so; null outside the tool's node, or where nothing does. */
  readonly window: CrashWindow | null;
  readonly by: 'found' | 'name' | 'seen' | null;
  /** The window of the first of two deaths, as it shows where that is the only one. */
  readonly firstWindow?: CrashWindow | null;
}

/** The first death of a cell, in words. */
export function firstOf({ cell }: Cell): string {
  return keyOf({ ...cell, second: null });
}

/** What the run that was not cut, the control of all others, shows of its host. */
export interface Control {
  /** Types of events that are shown live and are no part of the log, or read otherwise there. */
  readonly unsteady: ReadonlySet<string>;
  /** Members of events that read otherwise at each reading, whatever the type. */
  readonly restless: ReadonlySet<string>;
  /** Whether the tool's answer stands in the log or in the snapshot. */
  readonly showsResult: boolean;
  /** Whether its call shows the arguments that the run gives its tool. */
  readonly sendsArgs?: boolean;
  /** Whether its log could be read. */
  readonly showsLog: boolean;
  /** Places of answers in which nonces stand that are not the tool's. */
  readonly strays: ReadonlySet<string>;
  /** The steps of a call that the log shows, each with the type of its event. */
  readonly steps: ReadonlyMap<InvocationStep, string>;
  /** The steps that it shows once, as that of a run with one call does. */
  readonly onceShown: ReadonlySet<InvocationStep>;
  /** Whether a call that has failed is made again where nobody dies: its start and its failure stand there once for each attempt. */
  readonly retries?: boolean;
  /** Variables that hold the tool's answer in the end. */
  readonly variables: readonly string[];
  /** Whether its snapshot shows what its log ends with. */
  readonly agrees?: boolean;
  /** Places in which the tool's answer stands whole. */
  readonly wholes?: ReadonlySet<string>;
}

/** Reads a cell; its window is for `placeCell` to find. */
export function readCell(cell: Recorded<CellObservation>): Cell {
  const events = eventsOf({ events: cell.log ?? [] });
  const shown = cell.deaths.flatMap((death) => eventsOf({ events: death.shown }));
  const shownInvocations = invocationEvents(shown);
  return {
    id: cell.id,
    cell,
    reached: cell.notDriven === null && cell.deaths.length >= cutsOf(cell).length,
    outcome: outcomeOf(cell, events),
    events,
    invocations: invocationEvents(events),
    shown,
    shownInvocations,
    ...countCalls(cell),
    callsThen: cell.deaths.at(-1)?.calls ?? 0,
    nonces: noncesIn(cell),
    found: foundIn(afterLastDeath(cell, shownInvocations))[0] ?? null,
    allFound: foundIn(cell.decisions ?? []),
    window: null,
    by: null,
  };
}

/** Whether a cell was driven, reached or not. */
export function isDriven({ cell }: Cell): boolean {
  return cell.notDriven === null;
}

/** Whether the request's answer was lost with the host, which may have made no run. */
export function isLost({ cell }: Cell): boolean {
  return cell.created === 'lost';
}

/** Whether what is seen in the end is of the run that died, and not of nobody or of one that was made instead. */
export function isFollowed(cell: Cell): boolean {
  return !isLost(cell) && cell.othersCalls === 0;
}

/** Whether the log says that the call failed, and nowhere that it succeeded. */
export function isFailureWritten({ invocations }: Cell): boolean {
  const finished = invocations.filter(({ step }) => step === 'finished');
  return finished.length > 0 && finished.every(({ outcome }) => outcome === 'failure');
}

/** Whether a run completed whose last death lay in window 3: what the stream lacked then, catch-up wrote. */
export function isCaughtUp({ reached, window, outcome, cell }: Cell): boolean {
  return reached && cell.cut !== null && window === '3' && outcome === 'completed';
}

/** The answered calls of a cell, which were read whole, without the arguments that its run gives its tool. */
export function argumentless({ cell }: Cell): readonly Json[] {
  return cell.calls.filter(
    (call) => (member(call, 'answer') ?? null) !== null && !holdsAny(member(call, 'body'), [KEPT_ARGS.note]),
  );
}

/** Whether a client was shown, before the last death, that the tool's node had completed. */
export function wasNodeEndShown({ shown }: Cell): boolean {
  return shown.some(({ type }) => type === 'node.completed' || type === 'run.completed');
}

/** Whether the JSON text of a value holds one of these texts. */
export function holdsAny(value: unknown, texts: readonly string[]): boolean {
  const json = JSON.stringify(value) ?? '';
  return texts.some((text) => json.includes(text));
}

const ENDS: Readonly<Record<string, RunEnd>> = { completed: 'completed', failed: 'failed', cancelled: 'failed' };

function outcomeOf({ stopped, snapshot }: CellObservation, events: readonly RunEvent[]): RunEnd {
  const status = member(snapshot, 'status');
  const last = endOf(events) ?? status;
  const end = typeof last === 'string' && Object.hasOwn(ENDS, last) ? ENDS[last] : undefined;
  if (end !== undefined) return end;
  if (stopped === 'parked' || stopped === 'missing') return stopped;
  if (stopped !== 'patience') return 'unknown';
  const count = (wanted: string): number => events.filter(({ type }) => type === wanted).length;
  // Somebody is asked who has not answered.
  if (count('interrupt.requested') > count('interrupt.resolved')) return 'parked';
  if (status === undefined) return events.length === 0 ? 'unknown' : 'in flight';
  return isBusy(status) ? 'in flight' : 'parked';
}

/**
 * Calls are told apart by the run in their key where a request was sent twice: a host that makes a second run of it
 * does not call twice for one.
 */
function countCalls(cell: CellObservation): Pick<Cell, 'calls' | 'othersCalls' | 'unattributed'> {
  const { calls, created, runId } = cell;
  const all = { calls: calls.length, othersCalls: 0, unattributed: false };
  if ((created !== 'asked again' && created !== 'lost') || calls.length < 2) return all;
  const runs = calls.map((call) => runInKey(member(call, 'idempotencyKey')));
  if (runs.includes(undefined)) return { calls: 1, othersCalls: calls.length - 1, unattributed: true };
  const counts = runs.map((run) => runs.filter((each) => each === run).length);
  const own = counts[runs.findIndex((run) => runId !== null && run?.endsWith(`:${runId}`) === true)] ?? 0;
  const most = Math.max(...counts);
  const counted = most > 1 ? most : own;
  return { ...all, calls: counted, othersCalls: calls.length - counted };
}

/** The beginning of a key up to its run, where it has a step and an attempt behind it. */
function runInKey(key: unknown): string | undefined {
  const parts = typeof key === 'string' ? key.split(':') : [];
  return parts.length >= 3 ? parts.slice(0, -2).join(':') : undefined;
}

/**
 * The decisions of the host's last life. A host may keep those of earlier lives too: they are another attempt's, which the stream
 * showed before the death, and leave to execute that no call followed was given to somebody who died. Other attempts may be
 * those of several workers of the last life.
 */
function afterLastDeath(
  { decisions, deaths, calls }: CellObservation,
  shown: readonly InvocationEvent[],
): readonly Json[] {
  const last = deaths.at(-1);
  if (last === undefined || decisions === null) return [];
  const gone = new Set(attemptsOf(shown));
  const attempt = attemptIn(decisions.at(-1));
  const earlier = decisions.findLastIndex((each) => attemptIn(each) !== attempt && gone.has(attemptIn(each)));
  const own = decisions.slice(earlier + 1);
  const isOver = (each: Json): boolean => member(each, 'decision') === 'AllowExecute' && calls.length === last.calls;
  const first = own.findIndex((each) => !isOver(each));
  return first === -1 ? [] : own.slice(first);
}

function attemptIn(decision: Json | undefined): string {
  const attempt = member(decision, 'attempt');
  return typeof attempt === 'string' || typeof attempt === 'number' ? String(attempt) : '';
}

const STREAM: ReadonlySet<string> = new Set(['none', 'started', 'finished', 'committed']);
const LEDGER: ReadonlySet<string> = new Set(['NEW', 'INFLIGHT', 'COMMITTED', 'RECOVERABLE']);

function lettersOf(value: unknown): string {
  return typeof value === 'string' ? value.replaceAll(/[\s_-]/gu, '') : '';
}

/** What decisions say was found, as far as it is known: words are read without case and separators. */
function foundIn(decisions: readonly Json[]): readonly FoundState[] {
  return decisions.flatMap((decision) => {
    const found = member(decision, 'found');
    if (!isRecord(found)) return [];
    const [stream, ledger] = [lettersOf(found['stream']).toLowerCase(), lettersOf(found['ledger']).toUpperCase()];
    return STREAM.has(stream) && LEDGER.has(ledger) ? [{ stream, ledger, effect: found['effect'] === true }] : [];
  });
}
