import { member } from '../../src/contract/discovery.ts';
import { fail, undecided, undecidedUntil, type Outcome } from '../../src/contract/outcome.ts';
import type { RunEvent } from '../../src/host/run-event.ts';
import { isNamedType } from '../../src/protocol/event-type.ts';
import { endsRun } from '../../src/protocol/run-status.ts';
import { sharedCause } from '../shared/diagnoses.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { readSnapshotAgainstLog, type SnapshotAnswer } from '../shared/snapshot-fault.ts';
import { type CellObservation, cellText } from './cell.ts';
import { changedMember, contentsOf, isSameContent } from './changed-member.ts';
import { wrong } from './diagnoses.ts';
import { KEPT_ARGS } from './fixtures.ts';
import { invocationStep, isResult, type InvocationEvent } from './invocation-events.ts';
import { argumentless, holdsAny, isLost, wasNodeEndShown, type Cell, type Control } from './read-cell.ts';
import { lostVariable, otherAnswer, partOfAnswer } from './shown-answers.ts';
import { EVERY_CUT } from './windows.ts';

/** What is expected of a cell and what it shows; `restsOn` where another check owns the cause. */
type Wrong = readonly [expected: string, actual: string, restsOn?: string];

/** The same with the name of its cause. */
export type Defect = readonly [code: Parameters<typeof wrong>[0], ...Wrong];

type Rule = (cell: Cell, control: Control) => Wrong | false | undefined;

const INJECTED = 'completed with the recorded result, and no further call';
const ONE_CALL = 'completed, with exactly one call';

type Rules = readonly (readonly [code: Defect[0], rule: Rule])[];

/** What a cell must not show, whatever its tool did, the gravest first. */
const SAFETY: Rules = [
  ['duplicate-call', ({ calls }) => calls > 1 && ['at most one call of the tool', `${calls} calls`]],
  ['lost-event', lostEvent],
  ['renamed-event', renamedEvent],
  ['changed-event', changedEvent],
  ['written-twice', writtenTwice],
  ['ended-twice', endedTwice],
  ['numbers-out-of-order', disordered],
  [
    'lost-run',
    ({ outcome }) => outcome === 'missing' && ['GET /v1/runs/{runId} still knows the run, which was answered', '404'],
  ],
  [
    'in-flight-for-ever',
    (cell) =>
      isOverdue(cell) && [
        'an end in bounded time: completed, failed or parked',
        `none within ${cell.cell.patienceMs} ms, and ${leaseText(cell)}`,
      ],
  ],
];

/** What the run of a tool that answers must not show. */
const RULES: Rules = [
  ...SAFETY,
  [
    'invented-result',
    ({ outcome, calls, othersCalls }) =>
      outcome === 'completed' &&
      calls + othersCalls === 0 && ['one call of a run that completes', 'completed with 0 calls'],
  ],
  ['other-arguments', otherArguments],
  ['other-answer', otherAnswer],
  ['lost-result', lostResult],
  ['lost-variable', lostVariable],
  ['other-answer', (cell, control) => partOfAnswer(cell, control, mayBeCaughtUp(cell))],
  ['missing-event', missingEvent],
  ['effect-ignored', effectIgnored],
  ['result-not-injected', (cell) => isStuck(cell) && isRecorded(cell) && [INJECTED, fate(cell)]],
  ['not-executed', (cell) => isStuck(cell) && isUntouched(cell) && [ONE_CALL, fate(cell)]],
  ['not-completed', (cell) => isStuck(cell) && wasNodeEndShown(cell) && [ONE_CALL, fate(cell)]],
  ['snapshot-otherwise', snapshotOtherwise],
];

const KNOWN = new WeakMap<Cell, { readonly control: Control; readonly defects: readonly Defect[] }>();

/** All that a cell shows and must not, the gravest first. Several checks ask the same of a cell. */
export function defectsOf(cell: Cell, control: Control): readonly Defect[] {
  const known = KNOWN.get(cell);
  if (known?.control === control) return known.defects;
  const defects = allBy(RULES, cell, control);
  KNOWN.set(cell, { control, defects });
  return defects;
}

/** The first of them; undefined where there is none. */
export function defectOf(cell: Cell, control: Control): Defect | undefined {
  return defectsOf(cell, control)[0];
}

function allBy(rules: Rules, cell: Cell, control: Control): readonly Defect[] {
  return rules.flatMap(([code, rule]): readonly Defect[] => {
    const found = rule(cell, control);
    return found === false || found === undefined ? [] : [[code, ...found]];
  });
}

/** Leases that may run out one after the other before a run goes on. */
const LEASES = 3;

function leaseText({ cell: { leaseMs } }: Cell): string {
  const how = 'leaseMs of x-openwop-provable-semantics';
  return typeof leaseMs === 'number' ? `a lease lasts ${leaseMs} ms` : `no lease is told that lasts longer (${how})`;
}

/** Whether a run goes on longer than it may: all that was waited for, unless the host tells leases of lost workers that last longer. */
function isOverdue({ outcome, cell: { patienceMs, leaseMs } }: Cell): boolean {
  return outcome === 'in flight' && (typeof leaseMs !== 'number' || patienceMs > LEASES * leaseMs);
}

/** Events that were shown before a death and that the log has to hold. */
function acknowledged({ shown }: Cell, { unsteady }: Control): readonly RunEvent[] {
  return shown.filter(({ type }) => !unsteady.has(type));
}

/** Events that were shown before a death and are gone, of types that the documents or the wire name. */
export function lostEvents(cell: Cell, control: Control): readonly RunEvent[] {
  return goneEvents(cell, control).filter(isOfTheWire);
}

/** The types of a host's own of which events were shown before a death and are gone: no document says what these are. */
export function ownTypesLost(cells: readonly Cell[], control: Control): readonly string[] {
  const gone = cells.flatMap((cell) => goneEvents(cell, control));
  return [...new Set(gone.filter((event) => !isOfTheWire(event)).map(({ type }) => type))];
}

function isOfTheWire({ type }: RunEvent): boolean {
  return isNamedType(type) || invocationStep(type) !== undefined;
}

function goneEvents(cell: Cell, control: Control): readonly RunEvent[] {
  // Where no log could be read, nothing can be missed.
  if (cell.cell.log === null) return [];
  const kept = new Set(cell.events.map(({ eventId }) => eventId));
  return acknowledged(cell, control).filter((event) => !kept.has(event.eventId) && !renamedAs(cell, event, control));
}

/** The event of the log that is one that was shown, but for its id and those that it names. */
function renamedAs({ events }: Cell, shown: RunEvent, { restless }: Control): RunEvent | undefined {
  const except = new Set([...restless, 'eventId', 'causationId']);
  return events.find(
    (each) =>
      each.sequence === shown.sequence &&
      isSameContent(each, shown) &&
      changedMember(shown, each, except) === undefined,
  );
}

/** An event whose id is made anew: whoever reads the log on takes it for another one. It is one defect, whatever was done in between. */
function renamedEvent(cell: Cell, control: Control): Wrong | undefined {
  const kept = new Set(cell.events.map(({ eventId }) => eventId));
  for (const shown of acknowledged(cell, control)) {
    const renamed = kept.has(shown.eventId) ? undefined : renamedAs(cell, shown, control);
    if (renamed === undefined) continue;
    const actual = `the log has it at the same number under another id: ${renamed.eventId}`;
    return [`${eventText(shown)}, as shown before the death`, actual, EVERY_CUT];
  }
  return undefined;
}

function lostEvent(cell: Cell, control: Control): Wrong | undefined {
  const [lost] = lostEvents(cell, control);
  return lost && [`${eventText(lost)}, shown before the death, in the log afterwards`, 'no event of this id'];
}

/** An event that reads otherwise than before the death: one log of one run has no clock that may differ. */
function changedEvent(cell: Cell, control: Control): Wrong | undefined {
  // Of events with one id the first one counts.
  const events = new Map(cell.events.toReversed().map((event) => [event.eventId, event]));
  for (const shown of acknowledged(cell, control)) {
    const kept = events.get(shown.eventId);
    if (kept === undefined) continue;
    const [expected, actual] = contentsOf(shown, kept);
    if (expected !== actual) return [expected, actual];
    const changed = changedMember(shown, kept, control.restless);
    if (changed === undefined) continue;
    const { name, first, second } = changed;
    return [`${name} ${first} of ${eventText(shown)}, as shown before the death`, `${name} ${second}`];
  }
  return undefined;
}

/** The first event of a call that stands in the log more often than it may. */
function writtenTwice({ invocations, cell }: Cell, { onceShown, retries = false }: Control): Wrong | undefined {
  // An attempt may have been declared before a death, and never made.
  const most = (each: InvocationEvent): number =>
    retries && !isSettling(each) ? cell.calls.length + cell.deaths.length : 1;
  const counts = new Map<string, number>();
  const again = invocations.find((each) => {
    const slots = slotsOf(each, onceShown);
    for (const slot of slots) counts.set(slot, (counts.get(slot) ?? 0) + 1);
    return slots.some((slot) => (counts.get(slot) ?? 0) > most(each));
  })?.event;
  return again && [`one ${again.type} for each call`, `one more at sequence ${again.sequence}`];
}

/** Whether an event says that a call has its result: a result, or its commit. */
function isSettling(event: InvocationEvent): boolean {
  return event.step === 'committed' || isResult(event);
}

/**
 * What an event of a call is one of: a started event may stand there once for each attempt, the others once for each call, and
 * where the run that was not cut shows one, a result and its commit once, whatever their keys.
 */
function slotsOf(event: InvocationEvent, onceShown: Control['onceShown']): readonly string[] {
  const { step, key, nodeId, attemptId } = event;
  const slot = JSON.stringify([step, key ?? nodeId ?? null, step === 'started' ? (attemptId ?? null) : null]);
  return onceShown.has(step) && isSettling(event) ? [slot, step] : [slot];
}

function endedTwice({ events }: Cell): Wrong | false {
  const ends = events.filter(endsRun);
  return ends.length > 1 && ['at most one terminal event', ends.map(eventText).join(', '), FOUNDATIONS.ends];
}

function disordered({ events }: Cell): Wrong | undefined {
  const index = events.findIndex(({ sequence }, place) => sequence <= (events[place - 1]?.sequence ?? -Infinity));
  const [before, event] = [events[index - 1], events[index]];
  if (before === undefined || event === undefined) return undefined;
  return [`a number above ${before.sequence}`, eventText(event), FOUNDATIONS.numbers];
}

function otherArguments(cell: Cell, { sendsArgs = false }: Control): Wrong | undefined {
  const [call] = sendsArgs ? argumentless(cell) : [];
  if (call === undefined) return undefined;
  const actual = `the body ${JSON.stringify(member(call, 'body') ?? null).slice(0, 200)}`;
  return [`a call with ${JSON.stringify(KEPT_ARGS)}, its run's toolArgs, as where nobody died`, actual];
}

function lostResult(cell: Cell, { showsResult }: Control): Wrong | false {
  const { outcome, nonces } = cell;
  if (outcome !== 'completed' || !showsResult || nonces.length === 0 || cell.cell.log === null) return false;
  return !showsAny(cell, nonces) && [`${nonces.join(' or ')} in the log`, 'nowhere in the log and the snapshot'];
}

/** Whether one of these texts stands in a cell's log or snapshot. */
export function showsAny({ events, cell }: Cell, texts: readonly string[]): boolean {
  return holdsAny([events.map(({ payload }) => payload), cell.snapshot], texts);
}

/** A step that the run which was not cut shows of its call; that catch-up wrote everything is judged by once.catch-up-complete. */
function missingEvent(cell: Cell, { steps }: Control): Wrong | undefined {
  const { outcome, calls, othersCalls, events, invocations } = cell;
  if (outcome !== 'completed' || calls + othersCalls === 0 || !events.some(endsRun) || mayBeCaughtUp(cell)) {
    return undefined;
  }
  const [missing] = [...steps].filter(([step]) => !invocations.some((each) => each.step === step));
  return missing && [`${missing[1]} in the log of a run that completed, as where nobody died`, 'no such event'];
}

/** What the snapshot shows after a death and the log does not end with; without one run.snapshot-agrees says it. */
function snapshotOtherwise({ cell }: Cell, { agrees = false }: Control): Wrong | undefined {
  const answer = answerOf(cell);
  if (!agrees || answer.kind !== 'differs') return undefined;
  const { expected, actual, restsOn } = answer.fault;
  return restsOn === undefined ? [expected, actual] : [expected, actual, restsOn];
}

/** What the snapshot of a cell's run says beside its log. */
export function answerOf({
  runId,
  log,
  snapshot,
}: Pick<CellObservation, 'runId' | 'log' | 'snapshot'>): SnapshotAnswer {
  return readSnapshotAgainstLog({ role: 'run', runId, problem: null, events: log ?? [], snapshot });
}

/** Whether a death of a cell lies, or may lie, where catch-up writes what is missing. */
function mayBeCaughtUp({ reached, window, firstWindow = null, cell }: Cell): boolean {
  if (!reached || window === '3') return true;
  return cell.second !== null && (firstWindow === null || firstWindow === '3');
}

/** An effect that was put, by the name of the cut, and that the host, which shows what it found, did not find. */
function effectIgnored(cell: Cell): Wrong | false {
  const { window, by, found, outcome } = cell;
  if (window !== '3' || by !== 'name' || found === null || outcome === 'completed') return false;
  return [`found: effect true, and the run ${INJECTED}`, `found: effect ${found.effect}, and the run ${fate(cell)}`];
}

/** Whether nothing was recorded of a call when its host died: who finds a record in flight may also give the call up (sem §2). */
function isUntouched({ window, found }: Cell): boolean {
  return window === '1' && found?.ledger !== 'INFLIGHT';
}

/** Whether a run failed or waits; some have to complete. */
function isStuck({ outcome }: Cell): boolean {
  return outcome === 'failed' || outcome === 'parked';
}

/** Whether the result was recorded when the host died: by the window of the death, or by the log. */
function isRecorded({ window, invocations }: Cell): boolean {
  if (window === '3' || window === '4' || window === '5') return true;
  const finished = invocations.filter(({ step }) => step === 'finished');
  if (finished.some(({ outcome }) => outcome === 'success')) return true;
  const isOpen = finished.every(({ outcome }) => outcome !== 'failure');
  return isOpen && invocations.some(({ step }) => step === 'committed');
}

/** How a run came out, in words. */
function fate(cell: Cell): string {
  return `${cell.outcome} after ${callsText(cell)}`;
}

function callsText({ calls }: Cell): string {
  return calls === 1 ? '1 call' : `${calls} calls`;
}

function eventText({ type, sequence, eventId }: RunEvent): string {
  return `${type} at sequence ${sequence} (${eventId})`;
}

/** Where a cell stands, in words: its cuts, its calls, and what was found after the death. */
function placeText(cell: Cell): string {
  const { found } = cell;
  const state = found === null ? '' : `; found: stream ${found.stream}, ledger ${found.ledger}, effect ${found.effect}`;
  return `${cellText(cell.cell)}: ${callsText(cell)}${state}`;
}

/** Cells that a reason names. */
export const NAMED = 5;

/** Cells in words, the first ones. */
export function listed(cells: readonly Cell[]): string {
  const names = cells.slice(0, NAMED).map(({ cell }) => cellText(cell));
  return cells.length > NAMED ? `${names.join(', ')}, …` : names.join(', ');
}

/** The check to which a cell's defects belong; undefined where they are those of the row that is judged. */
type OwnerOf = (cell: Cell) => string | undefined;

/** The failure of the first of these cells that has a defect, of its own where one has, which names the others; undefined where none has. */
export function failureIn(
  cells: readonly Cell[],
  defectIn: (cell: Cell) => Defect | undefined,
  ownerOf: OwnerOf = () => undefined,
): Outcome | undefined {
  const all = cells.flatMap((cell) => {
    const defect = defectIn(cell);
    return defect === undefined ? [] : [{ cell, defect, owner: defect[3] ?? ownerOf(cell) }];
  });
  const found = [...all.filter(({ owner }) => owner === undefined), ...all.filter(({ owner }) => owner !== undefined)];
  const [first, ...others] = found;
  if (first === undefined) return undefined;
  const [code, expected, actual] = first.defect;
  const also = others.length === 0 ? '' : `; ${others.length} more: ${listed(others.map(({ cell }) => cell))}`;
  const mismatch = {
    expected: `${cellText(first.cell.cell)}: ${expected}`,
    actual,
    reason: `${placeText(first.cell)}${also}`,
    diagnosis: wrong(code),
    restsOn: first.owner,
  };
  return fail(
    mismatch,
    found.map(({ cell }) => cell),
  );
}

/** A recovered run whose replay calls the tool again: its record is the stream's, however it came to be written. */
export function calledByReplay(cell: Cell): Outcome | undefined {
  const { outcome, calls, window, cell: seen } = cell;
  const { calledInReplay = 0 } = seen;
  if (calledInReplay === 0 || outcome !== 'completed' || calls !== 1) return undefined;
  const expected = `no call by a replay of the run that was recovered after a death at ${cellText(seen)}`;
  const actual = `${calledInReplay} more after the 1 of the run itself`;
  const restsOn = window === '5' ? 'once.idempotency-key.replay' : 'once.committed';
  return fail({ expected, actual, diagnosis: sharedCause('second-call'), restsOn }, [cell]);
}

/** The failure of the first cell that has a defect, or that a cell could not be seen; undefined where all are sound. */
export function judgeCells(cells: readonly Cell[], control: Control, ownerOf?: OwnerOf): Outcome | undefined {
  return judgeBy((cell) => defectOf(cell, control), cells, { control, ownerOf });
}

/** The same of runs whose tool fails: nothing is done, written or shown twice, or lost, and the run ends. */
export function judgeSafety(cells: readonly Cell[], control: Control): Outcome | undefined {
  return judgeBy((cell) => allBy(SAFETY, cell, control)[0], cells, { control });
}

/** The same by what is looked for in a cell. */
export function judgeBy(
  defectIn: (cell: Cell) => Defect | undefined,
  cells: readonly Cell[],
  { control, ownerOf }: { readonly control: Control; readonly ownerOf?: OwnerOf | undefined },
): Outcome | undefined {
  const failure = failureIn(cells, defectIn, ownerOf);
  if (failure !== undefined) return failure;
  const unobserved = cells.filter((cell) => isUnobserved(cell) || (control.showsLog && isUnread(cell)));
  if (unobserved.length === 0) return undefined;
  const reason = `not seen to its end: ${unobserved.slice(0, NAMED).map(problemText).join('; ')}`;
  const inFlight = unobserved.filter(({ outcome }) => outcome === 'in flight');
  if (inFlight.length === 0) return undecided(reason, unobserved);
  const waited = Math.max(...inFlight.map(({ cell }) => cell.patienceMs));
  return undecidedUntil(TELL_LEASE, `${reason}; in flight after ${waited} ms, which a lease may outlast`, unobserved);
}

const TELL_LEASE =
  "tell the workers' leases as leaseMs of x-openwop-provable-semantics, and give a --timeout longer than one";

/** Whether a cell was driven and nobody could see all of it; a run that was never found again is told apart. */
function isUnobserved(cell: Cell): boolean {
  return cell.unattributed || cell.outcome === 'in flight' || (cell.outcome === 'unknown' && !isLost(cell));
}

/** Whether the log could not be read, so that nobody knows what was written, or lost. */
function isUnread({ cell }: Cell): boolean {
  return cell.log === null && cell.runId !== null;
}

function problemText(read: Cell): string {
  const { cell, unattributed } = read;
  if (unattributed) return `${cellText(cell)} (the request was sent twice, and no key tells of which run a call is)`;
  const revival = cell.deaths.find((death) => !death.revival.ok)?.revival;
  const isSilent = isUnread(read) && cell.stopped === 'ended';
  const reason = isSilent ? 'its log could not be read' : (cell.problem ?? cell.stopped);
  return `${cellText(cell)} (${revival?.ok === false ? revival.reason : reason})`;
}
