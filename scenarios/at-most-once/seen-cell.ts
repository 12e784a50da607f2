import type { CrashWindow, FoundState } from '../../src/contract/crash-matrix.ts';
import { member } from '../../src/contract/discovery.ts';
import type { Json } from '../../src/evidence/types.ts';
import { isRecord, terminalStatus, type RunEvent } from '../../src/host/run-event.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import { noncesIn } from '../shared/witnessed-run.ts';
import { cutsOf, type CellObservation } from './cell.ts';
import { invocationEvents, type InvocationEvent } from './invocation-events.ts';
import { isBusy } from './run-status.ts';

/** How a cell's run came out; `missing` is a run that the host no longer knows, `unknown` one that nobody could see. */
export type RunEnd = 'completed' | 'failed' | 'parked' | 'in flight' | 'missing' | 'unknown';

/** What is read off a cell before it is judged. */
export interface SeenCell {
  /** The observation's. */
  readonly id: string;
  readonly cell: Recorded<CellObservation>;
  /** True where every cut of the cell killed the host. */
  readonly reached: boolean;
  readonly outcome: RunEnd;
  readonly events: readonly RunEvent[];
  readonly invocations: readonly InvocationEvent[];
  /** Calls of the tool for this run. */
  readonly calls: number;
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
}

/** A cell with the window in which its last death lies; null outside the tool's node, or where that cannot be told. */
export interface PlacedCell extends SeenCell {
  readonly window: CrashWindow | null;
  readonly by: 'found' | 'name' | 'seen' | null;
}

/** Reads a cell. */
export function readCell(cell: Recorded<CellObservation>): SeenCell {
  const events = eventsOf({ events: cell.log ?? [] });
  return {
    id: cell.id,
    cell,
    reached: cell.notDriven === null && cell.deaths.length >= cutsOf(cell).length,
    outcome: outcomeOf(cell, events),
    events,
    invocations: invocationEvents(events),
    ...countCalls(cell),
    nonces: noncesIn(cell),
    found: foundIn(afterLastDeath(cell))[0] ?? null,
    allFound: foundIn(cell.decisions ?? []),
  };
}

const ENDS: Readonly<Record<string, RunEnd>> = { completed: 'completed', failed: 'failed', cancelled: 'failed' };

function outcomeOf({ stopped, snapshot }: CellObservation, events: readonly RunEvent[]): RunEnd {
  const status = member(snapshot, 'status');
  const last = events.map(({ type }) => terminalStatus(type)).find((each) => each !== undefined) ?? status;
  const end = typeof last === 'string' && Object.hasOwn(ENDS, last) ? ENDS[last] : undefined;
  if (end !== undefined) return end;
  if (stopped === 'parked' || stopped === 'missing') return stopped;
  if (stopped !== 'patience') return 'unknown';
  if (isAsking(events)) return 'parked';
  if (status === undefined) return events.length === 0 ? 'unknown' : 'in flight';
  return isBusy(status) ? 'in flight' : 'parked';
}

/** Whether somebody is asked who has not answered. */
function isAsking(events: readonly RunEvent[]): boolean {
  const count = (type: string): number => events.filter((event) => event.type === type).length;
  return count('interrupt.requested') > count('interrupt.resolved');
}

/**
 * Calls are told apart by the run in their key where a request was sent twice: a host that makes a second run of it
 * does not call twice for one.
 */
function countCalls(cell: CellObservation): Pick<SeenCell, 'calls' | 'othersCalls' | 'unattributed'> {
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

function foundIn(decisions: readonly Json[]): readonly FoundState[] {
  return decisions.flatMap((decision) => readFound(decision) ?? []);
}

/**
 * The decisions of the host's last life. A host may keep those of earlier lives too: they are another attempt's, and leave to
 * execute that no call followed was given to somebody who died.
 */
function afterLastDeath({ decisions, deaths, calls }: CellObservation): readonly Json[] {
  const last = deaths.at(-1);
  if (last === undefined || decisions === null) return [];
  const attempt = JSON.stringify(member(decisions.at(-1), 'attempt'));
  const earlier = decisions.findLastIndex((each) => JSON.stringify(member(each, 'attempt')) !== attempt);
  const own = decisions.slice(earlier + 1);
  const isOver = (each: Json): boolean => member(each, 'decision') === 'AllowExecute' && calls.length === last.calls;
  const first = own.findIndex((each) => !isOver(each));
  return first === -1 ? [] : own.slice(first);
}

const STREAM: ReadonlySet<string> = new Set(['none', 'started', 'finished', 'committed']);
const LEDGER: ReadonlySet<string> = new Set(['NEW', 'INFLIGHT', 'COMMITTED', 'RECOVERABLE']);

/** A text without what separates its words; empty where it is none. */
function lettersOf(value: unknown): string {
  return typeof value === 'string' ? value.replaceAll(/[\s_-]/gu, '') : '';
}

/** What a decision says was found; undefined where it says nothing that is known. */
function readFound(decision: Json): FoundState | undefined {
  const found = member(decision, 'found');
  if (!isRecord(found)) return undefined;
  const { stream, ledger, effect } = found;
  const known = { stream: lettersOf(stream).toLowerCase(), ledger: lettersOf(ledger).toUpperCase() };
  if (!STREAM.has(known.stream) || !LEDGER.has(known.ledger)) return undefined;
  return { ...known, effect: effect === true };
}
