import { fail, pass, undecided, type Mismatch, type Outcome } from '../../src/contract/outcome.ts';
import { readRunEvent, type RunEvent, terminalStatus } from '../../src/host/run-event.ts';
import { eventsOf, named } from '../shared/compare-runs.ts';
import { leftWithout, type SeenRun } from '../shared/need.ts';
import { nodeOf } from '../shared/node-of.ts';
import { noncesIn, notCalled } from '../shared/witnessed-run.ts';
import { wrong } from './diagnoses.ts';
import { CHARGE } from './fixtures.ts';
import { type InvocationEvent, type InvocationStep, stepsOf } from './invocation-events.ts';
import type { HeldObservation, SeenToolCall } from './tool-call-seen.ts';

const NAMES: Readonly<Record<InvocationStep, string>> = {
  started: 'tool_invocation_started',
  finished: 'tool_invocation_finished',
  committed: 'command_committed',
};
const STEPS = ['started', 'finished', 'committed'] as const;

/** Judges once.write-order: the order in the whole log, and what was in it while the tool's answer was held back. */
export function judgeWriteOrder({ held: { run, log, calls } }: SeenToolCall): Outcome {
  const left = leftWithout([run]);
  if (left !== undefined || run === undefined || log === undefined || calls === undefined) {
    return left ?? undecided('no run was driven', []);
  }
  const evidence = [run, log, calls];
  if (calls.calls.length === 0) return undecided(notCalled(calls), evidence);
  const steps = stepsOf(run, CHARGE);
  if (steps.length === 0) {
    const reason = `the log of ${named(run)} shows none of ${Object.values(NAMES).join(', ')}: write them into the stream`;
    return undecided(reason, evidence);
  }
  if (noncesIn(calls).length === 0) {
    return undecided('the host gave its tool up while the answer was held back: let it wait longer', evidence);
  }
  const mismatch = wrongBeforeAnswer(log, run) ?? wrongOrder(steps, run);
  if (mismatch !== undefined) return fail(mismatch, evidence);
  if (!eventsOf(run).some(({ type }) => type === 'run.completed')) {
    return undecided(`${named(run)} did not complete`, evidence);
  }
  return log.problem === null ? pass(evidence) : undecided(log.problem, evidence);
}

function wrongBeforeAnswer(log: HeldObservation, run: SeenRun): Mismatch | undefined {
  if (log.problem !== null) return undefined;
  const events = log.events.map(readRunEvent).filter((event) => event !== undefined);
  const steps = stepsOf(log, CHARGE);
  const early = steps.find(({ step }) => step !== 'started')?.event ?? events.find(isEnd);
  const where = `in the log of ${named(run)} while its tool had not answered`;
  if (early !== undefined) {
    const actual = `${early.type} at sequence ${early.sequence} ${where}`;
    const expected = `${NAMES.started} and nothing after it ${where}`;
    return { expected, actual, diagnosis: wrong('written-before-execution') };
  }
  if (steps.length > 0) return undefined;
  const actual = events.length === 0 ? `no event ${where}` : `${listed(events.slice(-3))} ${where}`;
  return { expected: `${NAMES.started} ${where}`, actual, diagnosis: wrong('no-started-barrier') };
}

/** The end of the tool's node, or of the run where the log does not tell of its nodes. */
function isEnd(event: RunEvent): boolean {
  const ofNode = (event.type === 'node.completed' || event.type === 'node.failed') && nodeOf(event) === CHARGE.nodeId;
  return ofNode || terminalStatus(event.type) !== undefined;
}

function wrongOrder(steps: readonly InvocationEvent[], run: SeenRun): Mismatch | undefined {
  const events = eventsOf(run);
  const failed = steps.some(({ outcome }) => outcome === 'failure');
  const wanted = failed ? STEPS.slice(0, 2) : STEPS;
  const expected = `${wanted.map((step) => NAMES[step]).join(', ')} and the end of node ${CHARGE.nodeId}, one each`;
  const actual = listed(events.filter((event, index) => isEnd(event) || steps.some((step) => step.index === index)));
  const count = (step: InvocationStep): number => steps.filter((each) => each.step === step).length;
  if (STEPS.some((step) => count(step) > 1)) return { expected, actual, diagnosis: wrong('written-twice') };
  if (wanted.some((step) => count(step) === 0)) return { expected, actual, diagnosis: wrong('missing-event') };
  const end = events.findIndex(isEnd);
  const places = [
    ...wanted.map((step) => steps.find((each) => each.step === step)?.index ?? 0),
    ...(end === -1 ? [] : [end]),
  ];
  const isOrdered = places.every((place, at) => at === 0 || place > (places[at - 1] ?? place));
  return isOrdered ? undefined : { expected, actual, diagnosis: wrong('wrong-order') };
}

function listed(events: readonly RunEvent[]): string {
  return events.map(({ type, sequence }) => `${type} (${sequence})`).join(', ');
}
