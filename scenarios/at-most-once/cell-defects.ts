import { terminalStatus, type RunEvent } from '../../src/host/run-event.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { cellText } from './cell.ts';
import { changedMember, sorted } from './changed-member.ts';
import type { Code, Control, Defect } from './defect.ts';
import type { InvocationEvent } from './invocation-events.ts';
import { shownEvents, wasNodeEndShown } from './place-cell.ts';
import type { PlacedCell } from './seen-cell.ts';
import { otherAnswer } from './shown-answers.ts';

type Both = Omit<Defect, 'code'>;
type Rule = (cell: PlacedCell, control: Control) => Both | undefined;

/** The first thing that a cell shows and must not; undefined where there is none. */
export function defectOf(cell: PlacedCell, control: Control): Defect | undefined {
  for (const [code, rule] of RULES) {
    const both = rule(cell, control);
    if (both !== undefined) return { ...both, code };
  }
  return undefined;
}

const INJECTED = 'completed with the recorded result, and no further call';

/** What a cell must not show, the gravest first. */
const RULES: readonly (readonly [code: Code, rule: Rule])[] = [
  ['duplicate-call', ({ calls }) => when(calls > 1, 'at most one call of the tool', `${calls} calls`)],
  ['lost-event', lostEvent],
  ['changed-event', changedEvent],
  ['written-twice', writtenTwice],
  ['ended-twice', endedTwice],
  ['numbers-out-of-order', disordered],
  [
    'lost-run',
    ({ outcome }) => when(outcome === 'missing', 'GET /v1/runs/{runId} still knows the run, which was answered', '404'),
  ],
  [
    'in-flight-for-ever',
    ({ outcome, cell }) =>
      when(
        outcome === 'in flight',
        'an end in bounded time: completed, failed or parked',
        `none within ${cell.patienceMs} ms; where leases last longer, raise --timeout`,
      ),
  ],
  [
    'invented-result',
    ({ outcome, calls, othersCalls }) =>
      when(
        outcome === 'completed' && calls + othersCalls === 0,
        'one call of a run that completes',
        'completed with 0 calls',
      ),
  ],
  ['other-answer', otherAnswer],
  ['lost-result', lostResult],
  ['effect-ignored', effectIgnored],
  ['result-not-injected', (cell) => stuck(cell, isRecorded(cell), INJECTED)],
  ['not-executed', (cell) => stuck(cell, cell.window === '1', 'completed, with exactly one call')],
  ['not-completed', (cell) => stuck(cell, wasNodeEndShown(cell), 'completed, with exactly one call')],
];

function when(isWrong: boolean, expected: string, actual: string): Both | undefined {
  return isWrong ? { expected, actual } : undefined;
}

/** A run that failed or waits although it had to complete. */
function stuck(cell: PlacedCell, isWrong: boolean, expected: string): Both | undefined {
  return when(isWrong && (cell.outcome === 'failed' || cell.outcome === 'parked'), expected, fate(cell));
}

/** Events that were shown before a death and that the log has to hold. */
function acknowledged(cell: PlacedCell, { unsteady }: Control): readonly RunEvent[] {
  return shownEvents(cell.cell).filter(({ type }) => !unsteady.has(type));
}

/** Events that were shown before a death and are gone. */
export function lostEvents(cell: PlacedCell, control: Control): readonly RunEvent[] {
  // Where no log could be read, nothing can be missed.
  if (cell.cell.log === null) return [];
  const kept = new Set(cell.events.map(({ eventId }) => eventId));
  return acknowledged(cell, control).filter(({ eventId }) => !kept.has(eventId));
}

function lostEvent(cell: PlacedCell, control: Control): Both | undefined {
  const [lost] = lostEvents(cell, control);
  if (lost === undefined) return undefined;
  return {
    expected: `${eventText(lost)}, shown before the death, in the log afterwards`,
    actual: 'no event of this id',
  };
}

/** An event that reads otherwise than before the death: one log of one run has no clock that may differ. */
function changedEvent(cell: PlacedCell, control: Control): Both | undefined {
  for (const shown of acknowledged(cell, control)) {
    const kept = cell.events.find(({ eventId }) => eventId === shown.eventId);
    if (kept === undefined) continue;
    const [expected, actual] = [contentOf(shown), contentOf(kept)];
    if (expected !== actual) return { expected, actual };
    const changed = changedMember(shown, kept, control.restless);
    if (changed === undefined) continue;
    const { name, first, second } = changed;
    const before = `${name} ${first} of ${eventText(shown)}, as shown before the death`;
    return { expected: before, actual: `${name} ${second}` };
  }
  return undefined;
}

/** What may not change of an event, as text. */
export function contentOf({ type, sequence, nodeId, payload }: RunEvent): string {
  return JSON.stringify([sequence, type, nodeId ?? null, sorted(payload)]);
}

function writtenTwice({ invocations }: PlacedCell): Both | undefined {
  const slots = invocations.map(slotOf);
  const again = invocations.find((_, index) => slots.indexOf(slots[index] ?? '') < index);
  if (again === undefined) return undefined;
  const { type, sequence } = again.event;
  return { expected: `one ${type} for each key`, actual: `a second one at sequence ${sequence}` };
}

/** A started event may stand there once for each attempt, the others once for each call. */
function slotOf({ step, key, nodeId, attemptId }: InvocationEvent): string {
  return JSON.stringify([step, key ?? nodeId ?? null, step === 'started' ? (attemptId ?? null) : null]);
}

function endedTwice({ events }: PlacedCell): Both | undefined {
  const ends = events.filter(({ type }) => terminalStatus(type) !== undefined);
  if (ends.length < 2) return undefined;
  const actual = ends.map(eventText).join(', ');
  return { expected: 'at most one terminal event', actual, restsOn: FOUNDATIONS.ends };
}

function disordered({ events }: PlacedCell): Both | undefined {
  const index = events.findIndex(({ sequence }, place) => sequence <= (events[place - 1]?.sequence ?? -Infinity));
  const [before, event] = [events[index - 1], events[index]];
  if (before === undefined || event === undefined) return undefined;
  const expected = `a number above ${before.sequence}`;
  return { expected, actual: eventText(event), restsOn: FOUNDATIONS.numbers };
}

function lostResult(cell: PlacedCell, { showsResult }: Control): Both | undefined {
  const { outcome, nonces } = cell;
  if (outcome !== 'completed' || !showsResult || nonces.length === 0 || cell.cell.log === null) return undefined;
  if (nonces.some((nonce) => shows(cell, nonce))) return undefined;
  return { expected: `${nonces.join(' or ')} in the log`, actual: 'nowhere in the log and the snapshot' };
}

/** Whether a text stands in a cell's log or snapshot. */
export function shows({ events, cell }: Pick<PlacedCell, 'events' | 'cell'>, text: string): boolean {
  return JSON.stringify([events.map(({ payload }) => payload), cell.snapshot]).includes(text);
}

/** An effect that was put, by the name of the cut, and that the host, which shows what it found, did not find. */
function effectIgnored(cell: PlacedCell): Both | undefined {
  const { window, by, found, outcome } = cell;
  if (window !== '3' || by !== 'name' || found === null || outcome === 'completed') return undefined;
  return {
    expected: `found: effect true, and the run ${INJECTED}`,
    actual: `found: effect ${found.effect}, and the run ${fate(cell)}`,
  };
}

/** Whether the result was recorded when the host died: by the window of the death, or by the log. */
function isRecorded({ window, invocations }: PlacedCell): boolean {
  if (window === '3' || window === '4' || window === '5') return true;
  const finished = invocations.filter(({ step }) => step === 'finished');
  if (finished.some(({ outcome }) => outcome === 'success')) return true;
  const isOpen = finished.every(({ outcome }) => outcome !== 'failure');
  return isOpen && invocations.some(({ step }) => step === 'committed');
}

/** How a run came out, in words. */
function fate(cell: PlacedCell): string {
  return `${cell.outcome} after ${callsText(cell)}`;
}

function callsText({ calls }: PlacedCell): string {
  return calls === 1 ? '1 call' : `${calls} calls`;
}

function eventText({ type, sequence, eventId }: RunEvent): string {
  return `${type} at sequence ${sequence} (${eventId})`;
}

/** Where a cell stands, in words: its cuts, its calls, and what was found after the death. */
export function placeText(cell: PlacedCell): string {
  const { found } = cell;
  const state = found === null ? '' : `; found: stream ${found.stream}, ledger ${found.ledger}, effect ${found.effect}`;
  return `${cellText(cell.cell)}: ${callsText(cell)}${state}`;
}
