import { member } from '../../src/contract/discovery.ts';
import {
  fail,
  type Mismatch,
  type Outcome,
  pass,
  rests,
  undecided,
  type Undecided,
} from '../../src/contract/outcome.ts';
import { faultsIn } from '../../src/contract/validate.ts';
import { isRecord, type RunEvent } from '../../src/host/run-event.ts';
import { isUnknownRun } from '../../src/protocol/status.ts';
import { isWorkflow } from '../../src/protocol/workflow-id.ts';
import { named, shown } from '../shared/compare-runs.ts';
import { type Misshapen, misshapenText, placesIn } from '../shared/misshapen.ts';
import { decidedOn, type Handoff, inPhase } from './chain.ts';
import { wrong } from './diagnoses.ts';
import { PLANS } from './fixtures.ts';
import type { HandoffRun } from './handoff-run.ts';
import { OWNERS } from './owners.ts';
import { type Decision, isOfTheSchema, placeOf, type Transition } from './transition.ts';
import { CHAIN_EVENT } from '../shared/read-event.ts';

/** What a dispatch's outputMapping maps, all of it to be found: a variable of the parent and the child's, one pair for each. */
type Mapping = Readonly<Record<string, string>>;

/**
 * rfc-0037, Amended: payloads of decisions and transitions are closed. What stands in them is right: the parent, a worker that
 * was decided on, the keys that were harvested. How turns are numbered (iteration), the documents do not say.
 */
export function judgePayloads(recorded: HandoffRun, mapping?: Mapping): Outcome {
  const { run, chain, evidence } = recorded;
  const transitions = chain.transitions.filter(({ event }) => event.type === CHAIN_EVENT);
  if (transitions.length + chain.decisions.length === 0) {
    return undecided(`${named(run)} shows no decision and no transition`, evidence);
  }
  const misshapen = [
    ...chain.decisions.flatMap((each) => faultsOf('handoff-decision', each)),
    ...transitions.flatMap((each) => faultsOf('handoff-transition', each)),
  ];
  if (misshapen.length > 0) {
    const expected = 'payloads as schemas/wire.schema.json has them ($defs/handoff-decision, $defs/handoff-transition)';
    const actual = `${misshapenText(misshapen, misshapen.length)}; in ${named(run)}`;
    const places = placesIn(misshapen.map(({ fault }) => fault));
    return fail({ expected, actual, diagnosis: wrong('payload-not-declared'), places }, [run]);
  }
  const mismatch =
    otherWithin(chain.handoffs, 'childRunId') ??
    otherWithin(chain.handoffs, 'workerId') ??
    withoutItsChild(chain.handoffs) ??
    childOfNobody(recorded) ??
    offItsPlan(recorded) ??
    firstOther(transitions, recorded, mapping);
  if (mismatch !== undefined) return fail({ ...mismatch, diagnosis: wrong('payload-wrong-value') }, [run]);
  return leftOfEmpty(recorded, transitions) ?? pass(evidence, openMembers(recorded));
}

/** The documents close the payload of a decision, not the decision in it: what they do not show of one (wire-contract, public-fixtures) is advice. */
const OF_A_DECISION: ReadonlySet<string> = new Set(['kind', 'nextWorkerIds', 'reason', 'confidence']);

function openMembers({ chain }: HandoffRun): string | undefined {
  const unkeyed = inPhase(chain, 'output.harvested').find(({ event }) => keysIn(event) === undefined);
  for (const { event } of chain.decisions) {
    // wire-contract, Documents, has it; null is no agent.
    if (member(event.payload, 'agentId') === undefined) return `advisory: ${placeOf(event)} has no /agentId`;
    const decision = member(event.payload, 'decision');
    const other = isRecord(decision) ? Object.keys(decision).find((name) => !OF_A_DECISION.has(name)) : undefined;
    if (other !== undefined) {
      return `advisory: the decision in ${placeOf(event)} has a member that no document shows, ${shown(other)}`;
    }
  }
  return unkeyed && `advisory: ${placeOf(unkeyed.event)} has no /harvestedKeys`;
}

/** The keys that a harvest names; undefined where it names none, which says nothing. */
export function keysIn({ payload }: RunEvent): unknown {
  return member(payload, 'harvestedKeys') ?? undefined;
}

/** What is left where no transition says its phase, or no decision its kind: the rows about these say so. Undefined where some do. */
function leftOfEmpty({ run, chain }: HandoffRun, transitions: readonly Transition[]): Outcome | undefined {
  const open = (what: string): Undecided =>
    undecided(`${what}, so their payloads say nothing that could be right or wrong: give it in ${named(run)}`, [run]);
  if (transitions.length > 0 && transitions.every(({ phase }) => phase === '')) {
    return rests(OWNERS.path, open('no transition says its phase'));
  }
  const isUntold = chain.decisions.length > 0 && chain.decisions.every(({ kind }) => kind === '');
  return isUntold ? rests(OWNERS.loop, open('no decision says its kind')) : undefined;
}

function faultsOf(shape: string, of: Decision | Transition): readonly Misshapen[] {
  return faultsIn(`wire#${shape}`, of.event.payload, 'sent').map((fault) => ({ what: placeOf(of.event), fault }));
}

/** Where the transitions of one handoff name its child, or its worker, all name the same one (wire-contract, Documents). */
export function otherWithin(handoffs: readonly Handoff[], name: 'childRunId' | 'workerId'): Mismatch | undefined {
  for (const { transitions } of handoffs) {
    const [first, ...others] = transitions.filter((each) => each[name] !== undefined);
    const other = others.find((each) => each[name] !== first?.[name]);
    if (first === undefined || other === undefined) continue;
    const expected = `/${name} ${shown(first[name])} in ${placeOf(other.event)}, as in ${placeOf(first.event)}`;
    return { expected, actual: shown(other[name]) };
  }
  return undefined;
}

/**
 * A transition that leaves out the child that its handoff has named by then: wire-contract, Documents, has it from
 * dispatch.succeeded on. A host that names none in a handoff is left to say so by other events.
 */
function withoutItsChild(handoffs: readonly Handoff[]): Mismatch | undefined {
  for (const { transitions } of handoffs) {
    const at = transitions.findIndex(({ childRunId }) => childRunId !== undefined);
    const first = transitions[at];
    const left = at === -1 ? undefined : transitions.slice(at + 1).find(isUnnamed);
    if (first === undefined || left === undefined) continue;
    const expected = `/childRunId ${shown(first.childRunId)} in ${placeOf(left.event)}, as in ${placeOf(first.event)}`;
    return { expected, actual: shown(member(left.event.payload, 'childRunId')) };
  }
  return undefined;
}

function isUnnamed({ event, phase, childRunId }: Transition): boolean {
  return event.type === CHAIN_EVENT && isOfTheSchema(phase) && phase !== 'dispatch.began' && childRunId === undefined;
}

/** A dispatch that failed created no child: what it names as one is no run. */
function childOfNobody({ chain, children }: HandoffRun): Mismatch | undefined {
  for (const { event, phase, childRunId } of chain.transitions) {
    if (phase !== 'dispatch.failed' || event.type !== CHAIN_EVENT || childRunId === undefined) continue;
    const answered = children.find(({ runId }) => runId === childRunId)?.answered ?? null;
    if (answered === null || !isUnknownRun(answered)) continue;
    const expected = `no /childRunId in ${placeOf(event)}: no child was created`;
    return { expected, actual: `${shown(childRunId)}, which is no run: GET /v1/runs/{childRunId} answers ${answered}` };
  }
  return undefined;
}

/** A decision that names other workers than the plan of its workflow. That some are not dispatched is for the row about the path to say. */
export function offItsPlan({ run, chain }: Pick<HandoffRun, 'run' | 'chain'>): Mismatch | undefined {
  const plan = PLANS.get(run.workflowId ?? '') ?? [];
  const decisions = chain.decisions.filter(({ kind }) => kind === 'next-worker');
  if (decisions.length !== plan.length || chain.handoffs.length !== plan.flat().length) return undefined;
  for (const [turn, planned] of plan.entries()) {
    const { event, workers = [] } = decisions[turn] ?? {};
    const isPlanned =
      workers.length === planned.length && planned.every((id) => workers.some((each) => isWorkflow(each, id)));
    // A decision need not name any; that there are none is something else.
    const isSaid = Array.isArray(member(member(event?.payload, 'decision'), 'nextWorkerIds'));
    if (event === undefined || !isSaid || isPlanned) continue;
    const expected = `/decision/nextWorkerIds ${shown(planned)} in ${placeOf(event)}, as planned in ${run.workflowId ?? ''}`;
    return { expected, actual: shown(workers) };
  }
  return undefined;
}

/** The first value of these transitions of a run that is another one than the run shows. */
export function firstOther(
  transitions: readonly Transition[],
  { run, chain }: Pick<HandoffRun, 'run' | 'chain'>,
  mapping: Mapping | undefined,
): Mismatch | undefined {
  const about = { parent: run.runId, workers: decidedOn(chain.decisions), mapping };
  for (const transition of transitions) {
    const other = otherValue(transition, about);
    if (other !== undefined) return other;
  }
  return undefined;
}

/** What the run shows. */
interface About {
  readonly parent: string | null;
  /** All that were decided on; none where that is not known. */
  readonly workers: ReadonlySet<string>;
  readonly mapping: Mapping | undefined;
}

/** A value of a transition that is another one than the run shows; a member that is left out says nothing. */
function otherValue(
  { event, phase, workerId }: Transition,
  { parent: runId, workers, mapping }: About,
): Mismatch | undefined {
  const { payload } = event;
  const place = placeOf(event);
  const parent = member(payload, 'parentRunId');
  if (typeof parent === 'string' && runId !== null && parent !== runId) {
    return { expected: `/parentRunId ${shown(runId)} in ${place}`, actual: shown(parent) };
  }
  if (workerId !== undefined && workers.size > 0 && !workers.has(workerId)) {
    return { expected: `/workerId one of ${[...workers].join(', ')} in ${place}`, actual: shown(workerId) };
  }
  const isHarvest = phase === 'output.harvested';
  const early = ['harvestedKeys', 'attestation'].find((name) => !isHarvest && hasValue(payload, name));
  if (early !== undefined) {
    return { expected: `/${early} in output.harvested alone`, actual: `${shown(member(payload, early))} in ${place}` };
  }
  const keys = member(payload, 'harvestedKeys');
  if (!isHarvest || !Array.isArray(keys) || mapping === undefined) return undefined;
  // The documents do not say whose names these are: the parent's or the child's.
  const either = [Object.keys(mapping), Object.values(mapping)];
  if (either.some((names) => isOfThese(names, keys))) return undefined;
  return { expected: `/harvestedKeys ${shown(either[0])} in ${place}: its outputMapping`, actual: shown(keys) };
}

function hasValue(payload: unknown, name: string): boolean {
  const value = member(payload, name) ?? null;
  return value !== null && !(Array.isArray(value) && value.length === 0);
}

/** Of several mapped outputs a child may have some alone. */
function isOfThese(names: readonly string[], keys: readonly unknown[]): boolean {
  return keys.length > 0 && new Set(keys).size === keys.length && new Set([...names, ...keys]).size === names.length;
}
