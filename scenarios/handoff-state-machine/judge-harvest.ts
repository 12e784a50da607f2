import { fail, isOutcome, pass, undecided, type Outcome } from '../../src/contract/outcome.ts';
import type { RunEvent } from '../../src/host/run-event.ts';
import { endOf as runEnd, endsRun } from '../../src/protocol/run-status.ts';
import { eventsOf, named, shown } from '../shared/compare-runs.ts';
import type { Difference } from '../shared/compared.ts';
import type { RecordedRun } from '../shared/need.ts';
import { type Chain, handoffText, has, inPhase, type Handoff } from './chain.ts';
import { wrong } from './diagnoses.ts';
import { SHARED } from './fixtures.ts';
import {
  childOf,
  ownerOfValue,
  readHandoff,
  statusOf,
  valueIn,
  type AllRecorded,
  type HandoffRun,
} from './handoff-run.ts';
import { ROLES } from './observation.ts';
import { OWNERS } from './owners.ts';
import { offPath } from './path.ts';
import { FAILURE_EVENT, isUnphased, listed, PHASES } from './transition.ts';

/** A run that must not be harvested, and one beside it that is. */
export interface Unharvested {
  readonly handoff: HandoffRun;
  /** Without a control that is harvested, the silence of the other run says nothing. */
  readonly control: HandoffRun | Outcome;
}

/** The run that shows that the host does harvest, or the outcome that is left without it. */
export function readControl(recorded: AllRecorded): HandoffRun | Outcome {
  const control = readHandoff(recorded, ROLES.control);
  if (isOutcome(control)) return control;
  const { run, chain } = control;
  if (has(chain, 'output.harvested')) return control;
  return undecided(`nor is a completed child harvested, in ${named(run)}`, [run]);
}

/** rfc-0037 §B: a completed child whose outputs are mapped is harvested, once. */
export function judgeHarvest(recorded: HandoffRun): Outcome {
  const { chain, evidence } = recorded;
  const completed = chain.handoffs.filter((handoff) => childCompleted(handoff, recorded));
  if (completed.length === 0) return undecided('no event or snapshot shows that the child completed', evidence);
  const other = completed.find((handoff) => inPhase(handoff, 'output.harvested').length !== 1);
  if (other === undefined) return pass(evidence);
  const expected = `one output.harvested in ${handoffText(other)}: its child completed, its outputMapping is not empty`;
  const restsOn = isUnphased(other.transitions) ? OWNERS.path : undefined;
  return fail({ diagnosis: wrong('wrong-harvest'), expected, actual: listed(other.transitions), restsOn }, evidence);
}

/** Whether a handoff's child completed: its log and its snapshot say so, or only one of them speaks. */
export function childCompleted(handoff: Handoff, recorded: HandoffRun): boolean {
  const status = statusOf(childOf(handoff, recorded));
  if (status !== undefined) return status === 'completed';
  return has(handoff, 'child.completed') && !has(handoff, 'child.failed', 'child.cancelled');
}

/** rfc-0037 §B: a completed child whose outputs are not mapped is not harvested. */
export function judgeUnmapped({ handoff: seen, control }: Unharvested): Outcome {
  const { run, chain, evidence } = seen;
  const harvested = inPhase(chain, 'output.harvested');
  if (harvested.length > 0) {
    const expected = `no output.harvested in ${named(run)}: no output of its child is mapped`;
    return fail({ diagnosis: wrong('wrong-harvest'), expected, actual: listed(harvested) }, [run]);
  }
  if (isOutcome(control)) return control;
  const all = [...evidence, control.run];
  if (!chain.handoffs.some((handoff) => childCompleted(handoff, seen))) {
    return undecided(`nothing shows that the child of ${named(run)} completed`, all);
  }
  const end = endOf(chain);
  if (end === undefined || end.type === 'run.completed') return pass(all);
  const ended = `${named(run)} ended with ${shown(end.type)}`;
  if (endOf(control.chain)?.type !== 'run.completed')
    return undecided(`${ended}, and ${named(control.run)} did no better`, all);
  const expected = `${named(run)} to go on after its child completed: there is nothing to harvest`;
  return fail({ expected, actual: `${ended}: ${shown(end.payload)}`, diagnosis: wrong('fails-without-harvest') }, [
    run,
  ]);
}

function endOf({ events }: Chain): RunEvent | undefined {
  return events.findLast(endsRun);
}

/** rfc-0037 §B: a child that fails or is cancelled is reported as such, once, and skips the harvest. */
export function judgeUnharvested(
  { handoff: seen, control }: Unharvested,
  phase: 'child.failed' | 'child.cancelled',
): Outcome {
  const { run, chain, evidence } = seen;
  const [handoff] = chain.handoffs;
  if (handoff === undefined || !has(handoff, 'dispatch.began', 'dispatch.succeeded')) {
    return undecided(`${named(run)} has ${listed(chain.transitions)}: it dispatched no child`, evidence);
  }
  const child = childOf(handoff, seen);
  const status = statusOf(child);
  const wanted = phase === 'child.failed' ? 'failed' : 'cancelled';
  if (status === 'completed' && child !== undefined && runEnd(eventsOf(child)) === status && has(handoff, phase)) {
    const expected = `child.completed in ${handoffText(handoff)}: the log of its child ${child.runId} says so, and its snapshot nothing else`;
    return fail({ diagnosis: wrong('end-told-otherwise'), expected, actual: listed(inPhase(handoff, phase)) }, [
      run,
      child,
    ]);
  }
  if (status !== undefined && status !== wanted) {
    const reason = `the child ${child?.runId ?? ''} of ${handoffText(handoff)} ended ${status}, not ${wanted}`;
    return undecided(reason, evidence);
  }
  const written = writtenInVain(run);
  if (written !== undefined) return fail(written, evidence);
  const mismatch = offPath(handoff, {
    phases: ['dispatch.began', 'dispatch.succeeded', phase],
    optional: ['dispatch.began', 'dispatch.succeeded'],
  });
  if (mismatch !== undefined) {
    const isHarvest = has(handoff, 'output.harvested') && !has(handoff, 'child.completed');
    if (isHarvest) return fail({ ...mismatch, diagnosis: wrong('harvested-without-completion') }, evidence);
    // The order of what comes before is that of every handoff.
    const isOrder = (['dispatch.began', 'dispatch.succeeded', phase] as const).every(
      (each) => inPhase(handoff, each).length === 1,
    );
    return fail({ diagnosis: wrong('wrong-path'), ...mismatch, restsOn: isOrder ? OWNERS.path : undefined }, evidence);
  }
  return isOutcome(control) ? control : pass([...evidence, control.run]);
}

/** Rfc-0037, Conformance 3: one failure, in either form, and nothing that a created child would give. */
export function judgeFailure({ handoff: { run, chain }, control }: Unharvested): Outcome {
  const { transitions, decisions } = chain;
  if (transitions.length === 0 && decisions.length === 0) {
    return undecided(`${named(run)} has no decision and no transition: it did not come to a dispatch`, [run]);
  }
  const failures = inPhase(chain, 'dispatch.failed');
  if (failures.length !== 1) {
    const expected = `one phase dispatch.failed, or one ${FAILURE_EVENT}, in ${named(run)}: its worker does not exist`;
    const restsOn = isUnphased(transitions) ? OWNERS.path : undefined;
    return fail(
      {
        diagnosis: wrong('dispatch-failure-untold'),
        expected,
        actual: `${failures.length}; ${listed(transitions)}`,
        restsOn,
      },
      [run],
    );
  }
  const others = inPhase(chain, ...OF_A_CHILD);
  if (others.length > 0) {
    const expected = `no transition but dispatch.began beside the failure in ${named(run)}`;
    return fail({ diagnosis: wrong('dispatch-failure-untold'), expected, actual: listed(others) }, [run]);
  }
  const written = writtenInVain(run);
  if (written !== undefined) return fail(written, [run]);
  return isOutcome(control) ? control : pass([run, control.run]);
}

/** What only a child gives that was created. Phases of the host's own are left to it. */
const OF_A_CHILD = PHASES.filter((phase) => phase !== 'dispatch.began' && phase !== 'dispatch.failed');

/** The parent's variable that the child's outputs are mapped to, where it is not what it was. */
function writtenInVain(run: RecordedRun): Difference | undefined {
  const value = valueIn(run, SHARED.variable);
  if (value === undefined || value === SHARED.untouched) return undefined;
  return {
    expected: `variable ${SHARED.variable} at the end of ${named(run)}: ${shown(SHARED.untouched)}, as nothing is harvested`,
    actual: shown(value),
    diagnosis: wrong('harvested-without-completion'),
    ...ownerOfValue(run, SHARED.variable, SHARED.untouched),
  };
}
