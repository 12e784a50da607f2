import type { RunEvent } from '../../src/host/run-event.ts';
import { terminalStatus } from '../../src/host/run-event.ts';
import { cellText } from './cell.ts';
import { changedMember, sorted } from './changed-member.ts';
import type { Defect, Habits } from './defect.ts';
import type { InvocationEvent } from './invocation-events.ts';
import { shownEvents, wasNodeEndShown } from './place-cell.ts';
import type { PlacedCell } from './seen-cell.ts';
import { otherAnswer } from './shown-answers.ts';

type Rule = (cell: PlacedCell, habits: Habits) => Defect | undefined;

/** The first thing that a cell shows and must not; undefined where there is none. The gravest come first. */
export function defectOf(cell: PlacedCell, habits: Habits): Defect | undefined {
  for (const rule of RULES) {
    const defect = rule(cell, habits);
    if (defect !== undefined) return defect;
  }
  return undefined;
}

const RULES: readonly Rule[] = [
  calledTwice,
  lostEvent,
  changedEvent,
  writtenTwice,
  endedTwice,
  disordered,
  lostRun,
  neverEnds,
  inventedResult,
  otherAnswer,
  lostResult,
  effectIgnored,
  notInjected,
  notExecuted,
];

function calledTwice({ calls }: PlacedCell): Defect | undefined {
  if (calls <= 1) return undefined;
  return {
    code: 'duplicate-call',
    message: 'the tool was called again for the same step (provable-semantics §2)',
    expected: 'at most one call of the tool',
    actual: `${calls} calls`,
  };
}

/** Events that were shown before a death and that the log has to hold. */
function acknowledged(cell: PlacedCell, { unsteady }: Habits): readonly RunEvent[] {
  return shownEvents(cell.cell).filter(({ type }) => !unsteady.has(type));
}

/** Events that were shown before a death and are gone. */
export function lostEvents(cell: PlacedCell, habits: Habits): readonly RunEvent[] {
  // Where no log could be read, nothing can be missed.
  if (cell.cell.log === null) return [];
  const kept = new Set(cell.events.map(({ eventId }) => eventId));
  return acknowledged(cell, habits).filter(({ eventId }) => !kept.has(eventId));
}

function lostEvent(cell: PlacedCell, habits: Habits): Defect | undefined {
  const [lost] = lostEvents(cell, habits);
  if (lost === undefined) return undefined;
  return {
    code: 'lost-event',
    message: 'an event that a client was shown is no longer in the log',
    expected: `${eventText(lost)}, shown before the death, in the log afterwards`,
    actual: 'no event of this id',
  };
}

function changedEvent(cell: PlacedCell, habits: Habits): Defect | undefined {
  for (const shown of acknowledged(cell, habits)) {
    const kept = cell.events.find(({ eventId }) => eventId === shown.eventId);
    const difference = kept === undefined ? undefined : differenceOf(shown, kept, habits);
    if (difference === undefined) continue;
    return {
      code: 'changed-event',
      message: 'an event that a client was shown reads otherwise afterwards',
      ...difference,
    };
  }
  return undefined;
}

/** Where an event reads otherwise than before the death: one log of one run has no clock that may differ. */
function differenceOf(
  shown: RunEvent,
  kept: RunEvent,
  { restless }: Habits,
): Pick<Defect, 'expected' | 'actual'> | undefined {
  const [expected, actual] = [contentOf(shown), contentOf(kept)];
  if (expected !== actual) return { expected, actual };
  const changed = changedMember(shown, kept, restless);
  if (changed === undefined) return undefined;
  const { name, first, second } = changed;
  return {
    expected: `${name} ${first} of ${eventText(shown)}, as shown before the death`,
    actual: `${name} ${second}`,
  };
}

/** What may not change of an event, as text. */
export function contentOf({ type, sequence, nodeId, payload }: RunEvent): string {
  return JSON.stringify([sequence, type, nodeId ?? null, sorted(payload)]);
}

function writtenTwice({ invocations }: PlacedCell): Defect | undefined {
  const seen = new Set<string>();
  for (const each of invocations) {
    const name = slotOf(each);
    if (seen.has(name)) {
      return {
        code: 'written-twice',
        message: 'an event of one tool call stands in the log more than once: catch-up writes what is missing',
        expected: `one ${each.event.type} for each key`,
        actual: `a second one at sequence ${each.event.sequence}`,
      };
    }
    seen.add(name);
  }
  return undefined;
}

/** A started event may stand there once for each attempt, the others once for each call. */
function slotOf({ step, key, nodeId, attemptId }: InvocationEvent): string {
  return JSON.stringify([step, key ?? nodeId ?? null, step === 'started' ? (attemptId ?? null) : null]);
}

function endedTwice({ events }: PlacedCell): Defect | undefined {
  const ends = events.filter(({ type }) => terminalStatus(type) !== undefined);
  const [, second] = ends;
  if (second === undefined) return undefined;
  return {
    code: 'ended-twice',
    message: 'the log holds more than one end',
    expected: 'at most one terminal event',
    actual: ends.map(eventText).join(', '),
  };
}

function disordered({ events }: PlacedCell): Defect | undefined {
  const index = events.findIndex(({ sequence }, place) => sequence <= (events[place - 1]?.sequence ?? -Infinity));
  const [before, event] = [events[index - 1], events[index]];
  if (before === undefined || event === undefined) return undefined;
  return {
    code: 'numbers-out-of-order',
    message: 'sequence numbers repeat or go back',
    expected: `a number above ${before.sequence}`,
    actual: eventText(event),
  };
}

function lostRun({ outcome }: PlacedCell): Defect | undefined {
  if (outcome !== 'missing') return undefined;
  return {
    code: 'lost-run',
    message: 'a run whose creation was answered is gone after the crash',
    expected: 'GET /v1/runs/{runId} still knows the run',
    actual: '404',
  };
}

function neverEnds({ outcome, cell }: PlacedCell): Defect | undefined {
  if (outcome !== 'in flight') return undefined;
  return {
    code: 'in-flight-for-ever',
    message:
      'after a crash the run ends neither completed nor failed nor parked; where leases last longer, raise --timeout',
    expected: 'an end in bounded time: completed, failed or parked',
    actual: `none within ${cell.patienceMs} ms`,
  };
}

function inventedResult({ outcome, calls, othersCalls }: PlacedCell): Defect | undefined {
  if (outcome !== 'completed' || calls + othersCalls > 0) return undefined;
  return {
    code: 'invented-result',
    message: 'the run completed although the tool was never called',
    expected: 'one call of a run that completes',
    actual: 'completed with 0 calls',
  };
}

function lostResult(cell: PlacedCell, { showsResult }: Habits): Defect | undefined {
  const { outcome, nonces } = cell;
  if (outcome !== 'completed' || !showsResult || nonces.length === 0 || cell.cell.log === null) return undefined;
  if (nonces.some((nonce) => shows(cell, nonce))) return undefined;
  return {
    code: 'lost-result',
    message: 'the run completed without what the tool had answered',
    expected: `${nonces.join(' or ')} in the log`,
    actual: 'nowhere in the log and the snapshot',
  };
}

/** Whether a text stands in a cell's log or snapshot. */
export function shows({ events, cell }: Pick<PlacedCell, 'events' | 'cell'>, text: string): boolean {
  return JSON.stringify([events.map(({ payload }) => payload), cell.snapshot]).includes(text);
}

/** The name of the cut tells of an effect that the host, which tells what it found, did not find. */
function effectIgnored(cell: PlacedCell): Defect | undefined {
  const { window, by, found, outcome } = cell;
  if (window !== '3' || by !== 'name' || found === null || outcome === 'completed') return undefined;
  return {
    code: 'effect-ignored',
    message:
      'the effect store held the result when the host died, by the name of the failpoint, and nobody looked there',
    expected: 'found: effect true, and the run completed with the recorded result and no further call',
    actual: `found: effect ${found.effect}, and the run ${outcome} after ${callsText(cell)}`,
  };
}

function notInjected(cell: PlacedCell): Defect | undefined {
  const { outcome, window } = cell;
  if (outcome !== 'failed' && outcome !== 'parked') return undefined;
  const isKnown = window === '3' || window === '4' || window === '5' || hasResult(cell);
  if (!isKnown) return undefined;
  return {
    code: 'result-not-injected',
    message: 'the result was recorded when the host died, and the run does not go on with it',
    expected: 'completed, with the recorded result and no further call',
    actual: `${outcome} after ${callsText(cell)}`,
  };
}

/** Whether the log says that the call succeeded. */
function hasResult({ invocations }: Pick<PlacedCell, 'invocations'>): boolean {
  const finished = invocations.filter(({ step }) => step === 'finished');
  if (finished.some(({ outcome }) => outcome === 'success')) return true;
  const isOpen = finished.every(({ outcome }) => outcome !== 'failure');
  return isOpen && invocations.some(({ step }) => step === 'committed');
}

function notExecuted(cell: PlacedCell): Defect | undefined {
  const { outcome, window } = cell;
  if (outcome !== 'failed' && outcome !== 'parked') return undefined;
  if (window !== '1' && !wasNodeEndShown(cell)) return undefined;
  return {
    code: window === '1' ? 'not-executed' : 'not-completed',
    message:
      window === '1' ? 'nothing had begun when the host died, and the run does not go on' : 'the run does not end',
    expected: 'completed, with exactly one call',
    actual: `${outcome} after ${callsText(cell)}`,
  };
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
