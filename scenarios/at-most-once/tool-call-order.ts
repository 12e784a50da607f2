import type { Diagnosis, Judgement } from '../../src/contract/verdict.ts';
import type { Observation } from '../../src/evidence/types.ts';
import { readRunEvent, type RunEvent, terminalStatus } from '../../src/host/run-event.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { eventsOf, named } from '../shared/compare-runs.ts';
import { runOf, unseen } from '../shared/judge-run.ts';
import { failing, passing, type SeenRun, undecided } from '../shared/judging.ts';
import { nodeOf } from '../shared/node-of.ts';
import { callsOf, noncesIn, notCalled } from '../shared/witnessed-run.ts';
import { CHARGE } from './fixtures.ts';
import { invocationEvents, type InvocationEvent, type InvocationStep } from './invocation-events.ts';
import { HELD, type HeldObservation } from './tool-call-seen.ts';

const CHECK = 'once.write-order';

const NAMES: Readonly<Record<InvocationStep, string>> = {
  started: 'tool_invocation_started',
  finished: 'tool_invocation_finished',
  committed: 'command_committed',
};
const STEPS = ['started', 'finished', 'committed'] as const;

const DIAGNOSES = {
  missing: { code: 'missing-event', message: 'a step of the call is not in the event stream (sem §3)' },
  twice: { code: 'written-twice', message: 'a step of the call is in the event stream more than once' },
  order: { code: 'wrong-order', message: 'the steps of the call are not written in their order (sem §3)' },
  barrier: { code: 'no-started-barrier', message: 'the tool is called before its start is in the stream (sem §3, 1)' },
  early: { code: 'written-before-execution', message: 'a result is in the stream before the tool has answered' },
} satisfies Readonly<Record<string, Diagnosis>>;

/** What is wrong with a log. */
interface Fault {
  readonly expected: string;
  readonly actual: string;
  readonly diagnosis: Diagnosis;
}

/** Judges once.write-order: the order in the whole log, and what was in it while the tool's answer was held back. */
export function judgeWriteOrder(observations: readonly Recorded<Observation>[]): Judgement {
  const run = runOf(observations, HELD);
  const held = observations.find((each): each is Recorded<HeldObservation> => each.type === 'held');
  const calls = callsOf(observations, HELD);
  const missing = unseen(CHECK, [run]);
  if (missing !== undefined || run === undefined || held === undefined || calls === undefined) {
    return missing ?? undecided(CHECK, 'no run was driven', []);
  }
  const evidence = [run, held, calls];
  if (calls.calls.length === 0) return undecided(CHECK, notCalled(calls), evidence);
  const steps = invocationEvents(eventsOf(run)).filter(isCharge);
  if (steps.length === 0) {
    const reason = `the log of ${named(run)} shows none of ${Object.values(NAMES).join(', ')}: write them into the stream`;
    return undecided(CHECK, reason, evidence);
  }
  if (noncesIn(calls).length === 0) {
    return undecided(CHECK, 'the host gave its tool up while the answer was held back: let it wait longer', evidence);
  }
  const fault = faultBeforeAnswer(held, run) ?? faultInOrder(steps, run);
  if (fault !== undefined) return failing(CHECK, fault, evidence);
  if (!eventsOf(run).some(({ type }) => type === 'run.completed')) {
    return undecided(CHECK, `${named(run)} did not complete`, evidence);
  }
  if (held.problem !== null) return undecided(CHECK, held.problem, evidence);
  return passing(CHECK, evidence);
}

function isCharge({ nodeId }: Pick<InvocationEvent, 'nodeId'>): boolean {
  return nodeId === undefined || nodeId === CHARGE.nodeId;
}

function faultBeforeAnswer(held: HeldObservation, run: SeenRun): Fault | undefined {
  if (held.problem !== null) return undefined;
  const events = held.events.map(readRunEvent).filter((event) => event !== undefined);
  const steps = invocationEvents(events).filter(isCharge);
  const early = steps.find(({ step }) => step !== 'started')?.event ?? events.find(isEnd);
  const where = `in the log of ${named(run)} while its tool had not answered`;
  if (early !== undefined) {
    const actual = `${early.type} at sequence ${early.sequence} ${where}`;
    return { expected: `${NAMES.started} and nothing after it ${where}`, actual, diagnosis: DIAGNOSES.early };
  }
  if (steps.length > 0) return undefined;
  const actual = events.length === 0 ? `no event ${where}` : `${listed(events.slice(-3))} ${where}`;
  return { expected: `${NAMES.started} ${where}`, actual, diagnosis: DIAGNOSES.barrier };
}

/** The end of the tool's node, or of the run where the log does not tell of its nodes. */
function isEnd(event: RunEvent): boolean {
  const ofNode = (event.type === 'node.completed' || event.type === 'node.failed') && nodeOf(event) === CHARGE.nodeId;
  return ofNode || terminalStatus(event.type) !== undefined;
}

function faultInOrder(steps: readonly InvocationEvent[], run: SeenRun): Fault | undefined {
  const events = eventsOf(run);
  const failed = steps.some(({ outcome }) => outcome === 'failure');
  const wanted = failed ? STEPS.slice(0, 2) : STEPS;
  const expected = `${wanted.map((step) => NAMES[step]).join(', ')} and the end of node ${CHARGE.nodeId}, one each`;
  const actual = listed(events.filter((event, index) => isEnd(event) || steps.some((step) => step.index === index)));
  const count = (step: InvocationStep): number => steps.filter((each) => each.step === step).length;
  if (STEPS.some((step) => count(step) > 1)) return { expected, actual, diagnosis: DIAGNOSES.twice };
  if (wanted.some((step) => count(step) === 0)) return { expected, actual, diagnosis: DIAGNOSES.missing };
  const end = events.findIndex(isEnd);
  const places = [
    ...wanted.map((step) => steps.find((each) => each.step === step)?.index ?? 0),
    ...(end === -1 ? [] : [end]),
  ];
  const isOrdered = places.every((place, at) => at === 0 || place > (places[at - 1] ?? place));
  return isOrdered ? undefined : { expected, actual, diagnosis: DIAGNOSES.order };
}

function listed(events: readonly RunEvent[]): string {
  return events.map(({ type, sequence }) => `${type} (${sequence})`).join(', ');
}
