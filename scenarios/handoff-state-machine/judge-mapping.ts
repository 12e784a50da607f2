import { member } from '../../src/contract/discovery.ts';
import { fail, pass, rests, undecided, type Outcome } from '../../src/contract/outcome.ts';
import { writtenValue } from '../../src/event-log/index.ts';
import type { Json } from '../../src/evidence/types.ts';
import type { RunEvent } from '../../src/host/run-event.ts';
import { named, shown } from '../shared/compare-runs.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { isWorkflow } from '../../src/protocol/workflow-id.ts';
import type { RecordedRun } from '../shared/need.ts';
import { isAgainstItsLog } from '../shared/snapshot-fault.ts';
import { has, inPhase, type Chain, type Handoff } from './chain.ts';
import { wrong } from './diagnoses.ts';
import { ownerOfValue, statusOf, valueIn, type HandoffRun } from './handoff-run.ts';
import { childCompleted } from './judge-harvest.ts';
import { OWNERS } from './owners.ts';
import { placeOf, type Decision } from './transition.ts';

/** What of the child becomes which variable of its parent; `value` is the child's unless it shows another one. */
export interface Mapped {
  readonly variable: string;
  readonly mappedTo: string;
  readonly value: string;
}

/** rfc-0037 §A.3, §A.4: the mapped output is in the parent's variables, and was before the next decision. */
export function judgeMapping(recorded: HandoffRun, mapped: Mapped): Outcome {
  return outcomeWithout(recorded, mapped) ?? judgeInTime(recorded, mapped.mappedTo, expectedOf(recorded, mapped));
}

/** rfc-0037 §A.2, §A.3: the same of a sub-workflow, which no decision follows. */
export function judgeMappedOutput(recorded: HandoffRun, mapped: Mapped): Outcome {
  const outcome = outcomeWithout(recorded, mapped) ?? pass(recorded.evidence);
  return outcome.kind === 'fail' ? rests(OWNERS.mapping, outcome) : outcome;
}

function expectedOf({ children }: HandoffRun, { variable, value }: Mapped): unknown {
  return children.map((child) => valueIn(child, variable)).find((each) => each !== undefined) ?? value;
}

/** What is left where the parent's variable is not what was mapped to it; undefined where it is. */
function outcomeWithout(recorded: HandoffRun, mapped: Mapped): Outcome | undefined {
  const { run, children, evidence } = recorded;
  const { variable, mappedTo } = mapped;
  const expected = expectedOf(recorded, mapped);
  const value = valueIn(run, mappedTo);
  const place = `variable ${mappedTo} of ${named(run)}`;
  if (value === undefined) return undecided(`${place}: neither its snapshot nor its log shows it`, evidence);
  if (shown(value) === shown(expected)) return undefined;
  const { handoffs } = recorded.chain;
  const failed = children.find((child) => ['failed', 'cancelled'].includes(statusOf(child) ?? ''));
  // Outputs of a child that did not complete are not harvested (rfc-0037 §B).
  if (failed !== undefined && !handoffs.some((handoff) => childCompleted(handoff, recorded))) {
    return undecided(`the child ${failed.runId} of ${named(run)} did not complete: nothing of it is mapped`, evidence);
  }
  const wanted = `${place}: ${shown(expected)}, the child's ${variable}`;
  const { restsOn = ownerOfLack(recorded.chain) } = ownerOfValue(run, mappedTo, expected);
  return fail({ expected: wanted, actual: shown(value), diagnosis: wrong('output-not-mapped'), restsOn }, evidence);
}

/**
 * The check that says why a value may be missing: there is no handoff, or that of a worker is not harvested, of which `harvest` says so.
 * Undefined where none is that.
 */
function ownerOfLack({ handoffs }: Chain, harvest: string = OWNERS.harvest): string | undefined {
  if (handoffs.length === 0) return OWNERS.path;
  return handoffs.every((handoff) => has(handoff, 'output.harvested')) ? undefined : harvest;
}

/** Judges when a variable was given the value that a handoff brought: the first one of the run where none is named. */
function judgeInTime(
  { run, chain, evidence }: HandoffRun,
  name: string,
  expected: unknown,
  handoff: Pick<Handoff, 'transitions'> = chain,
): Outcome {
  const next = nextDecision(chain, handoff);
  if (next === undefined) return undecided(`${named(run)} shows no decision after its child`, evidence);
  const change = chain.events.find((event) => isChange(event, name, expected));
  const harvest = inPhase(handoff, 'output.harvested')[0]?.event;
  const shownBy = change ?? harvest;
  if (shownBy === undefined) {
    return undecided(`no event of ${named(run)} shows when variable ${name} was written`, evidence);
  }
  if (shownBy.sequence > next.event.sequence) {
    const mismatch = {
      expected: `variable ${name} before ${placeOf(next.event)} in ${named(run)}`,
      actual: placeOf(shownBy),
      diagnosis: wrong('output-mapped-late'),
    };
    return fail(mismatch, evidence);
  }
  const reason = `the log has no variable.changed for ${name}: output.harvested stands for it`;
  return pass(evidence, change === undefined ? reason : undefined);
}

/** The first decision that comes after a worker was dispatched; not the one that this says it follows, wherever that stands. */
function nextDecision({ decisions }: Chain, { transitions }: Pick<Handoff, 'transitions'>): Decision | undefined {
  const began = transitions[0]?.event;
  if (began === undefined) return undefined;
  return decisions.find(({ event }) => event.sequence > began.sequence && event.eventId !== began.causationId);
}

function isChange({ type, payload }: RunEvent, name: string, value: unknown): boolean {
  if (type !== 'variable.changed' || member(payload, 'name') !== name) return false;
  return shown(writtenValue({ payload })) === shown(value);
}

/** What the first worker returned, and where the second shows what it was given. */
interface Relay {
  readonly value: string;
  /** The parent's variable that the value is mapped to. */
  readonly takenAs: string;
  /** The workflow of the second worker. */
  readonly workflowId: string;
  /** Its variable that shows what it was given, and the one that shows what its node made of that. */
  readonly heardAs: string;
  readonly saidAs: string;
  /** A second value that the first worker returned, the parent's variable for it, and the one of the second worker. */
  readonly also: Json;
  readonly alsoTakenAs: string;
  readonly alsoAs: string;
  /** The parent's variable that the second worker's answer is mapped to. */
  readonly returnedAs: string;
}

/** Where something of the second worker shows, what does, and what has to. */
interface Shown {
  readonly place: string;
  readonly value: unknown;
  readonly expected: unknown;
  /** The parent's variable that it was to be given. */
  readonly from?: string;
  /** Whether the worker's log shows that its node put out what it was to be given. */
  readonly isUsed?: boolean;
}

/** A worker that was given the right value: what its node makes of that is the node kind's, and what it has to return. */
function relayed({ run, children }: HandoffRun, relay: Relay) {
  const { value, workflowId, takenAs, heardAs, saidAs, also, alsoTakenAs, alsoAs, returnedAs } = relay;
  const listeners = children.filter(({ snapshot }) => isWorkflow(member(snapshot, 'workflowId'), workflowId));
  const told = listeners.map((child) => ({ child, heard: valueIn(child, heardAs), said: valueIn(child, saidAs) }));
  const said = told.find(({ heard, said: own }) => heard === value && own !== undefined)?.said ?? value;
  const each: readonly Shown[] = [
    { place: `variable ${returnedAs} of ${named(run)}`, value: valueIn(run, returnedAs), expected: said },
    ...told.flatMap(({ child, heard, said: own }) => [
      {
        place: `variable ${heardAs} of the child ${child.runId}`,
        value: heard,
        expected: value,
        from: takenAs,
        isUsed: valueIn({ ...child, snapshot: null }, saidAs) === value,
      },
      { place: `variable ${saidAs} of the child ${child.runId}`, value: own, expected: said },
      {
        place: `variable ${alsoAs} of the child ${child.runId}`,
        value: valueIn(child, alsoAs),
        expected: also,
        from: alsoTakenAs,
      },
    ]),
  ];
  return { listeners, places: each.filter((at) => at.value !== undefined) };
}

/** rfc-0037 §A: a worker that is dispatched later is given what an earlier one returned; no event is needed to see it. */
export function judgeRelay(seen: HandoffRun, relay: Relay): Outcome {
  const { run, chain, evidence } = seen;
  const { listeners, places } = relayed(seen, relay);
  const differing = places.filter(({ value, expected }) => shown(value) !== shown(expected));
  const others = differing.filter(({ isUsed }) => isUsed !== true);
  const other = others.find((each) => isHad(each, run)) ?? others[0];
  if (other !== undefined) {
    const isStarted = listeners.length > 0 || hasSecondTurn(chain);
    const mismatch = {
      expected: `${other.place}: ${shown(other.expected)}`,
      actual: isStarted ? shown(other.value) : `${shown(other.value)}; no second worker was started`,
      diagnosis: wrong(causeOf(other, run, relay)),
    };
    // Inputs stand in snapshots alone: where these are not to be believed, another row says so.
    const isBySnapshot = [run, ...listeners.map((child) => ({ ...child, role: 'child' }))].some(isAgainstItsLog);
    const harvest = chain.handoffs.length > 1 ? OWNERS.turns : OWNERS.harvest;
    const owner = isStarted ? ownerOfLack(chain, harvest) : OWNERS.loop;
    return fail({ ...mismatch, restsOn: isBySnapshot ? FOUNDATIONS.snapshots : owner }, evidence);
  }
  const [misshown] = differing;
  if (misshown !== undefined) {
    const why = `${misshown.place} is ${shown(misshown.value)}, and by its log its node was given ${shown(misshown.expected)}`;
    return rests(FOUNDATIONS.snapshots, undecided(why, evidence));
  }
  const [, second] = chain.handoffs;
  const returned = valueIn(run, relay.returnedAs);
  const inTime = second && returned !== undefined ? judgeInTime(seen, relay.returnedAs, returned, second) : undefined;
  if (inTime?.kind === 'fail') return inTime;
  if (places.length > 0) return pass(evidence);
  return undecided(`nothing shows what the second worker of ${named(run)} was given`, evidence);
}

/** Whether the parent had what it did not give. */
function isHad({ from, expected }: Shown, run: RecordedRun): boolean {
  return from !== undefined && shown(valueIn(run, from)) === shown(expected);
}

function causeOf(other: Shown, run: RecordedRun, { value, takenAs, also, alsoTakenAs }: Relay) {
  if (isHad(other, run)) return 'input-not-mapped';
  const taken = [
    [takenAs, value],
    [alsoTakenAs, also],
  ] as const;
  const isLost = taken.some(([name, wanted]) => isOtherwise(valueIn(run, name), wanted));
  return isLost ? 'output-not-mapped' : 'output-not-relayed';
}

function isOtherwise(value: unknown, wanted: unknown): boolean {
  return value !== undefined && shown(value) !== shown(wanted);
}

/** Whether a second worker was decided on, or dispatched. */
function hasSecondTurn({ decisions, handoffs }: Chain): boolean {
  return handoffs.length > 1 || decisions.filter(({ kind }) => kind === 'next-worker').length > 1;
}
