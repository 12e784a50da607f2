import { member } from '../../src/contract/discovery.ts';
import { fail, undecided, type Outcome } from '../../src/contract/outcome.ts';
import type { Json, Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { eventsOf, named } from '../shared/compare-runs.ts';
import { leftWithout, runOf, type RecordedRun, leftUndriven } from '../shared/need.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { callsAfter, type CallsObservation, callsOf, noncesIn, notCalled } from '../shared/witnessed-run.ts';
import { decisionsOn } from './crash-seams.ts';
import { wrong } from './diagnoses.ts';
import { CHARGE, type FixtureTool, ONCE } from './fixtures.ts';
import { startHeld } from '../shared/held-run.ts';
import { stepsOf } from './invocation-events.ts';

/** Workers that carry one run out at the same time. */
export const WORKERS = 2;

/** What the workers of a run decided when they came to its tool; null where the host has no such seam. */
export interface DecisionsObservation extends Observation {
  readonly type: 'decisions';
  /** The role of the run. */
  readonly of: string;
  readonly decisions: readonly Json[] | null;
}

export type WorkersObservation = RunObservation | CallsObservation | DecisionsObservation;

type Holding = Omit<Parameters<typeof startHeld>[1], 'request' | 'effect'>;

/** Has two workers carry a run out, looks at it while its tool's answer is held back, and reads what they decided. */
export async function driveWorkers(
  probe: Probe,
  holding: Holding,
): Promise<readonly [RunObservation, CallsObservation, DecisionsObservation]> {
  const { visit, role: of } = holding;
  const inputs = { witnessUrl: visit.url, toolArgs: { amount: 1 } };
  const request = { workflowId: ONCE, inputs, configurable: { workers: WORKERS } };
  const { run } = await startHeld(probe, { ...holding, request, effect: CHARGE.effect });
  const decisions = run.runId === null ? null : await decisionsOn(probe.host, run.runId);
  return [run, callsAfter(of, visit), { type: 'decisions', of, decisions, exchanges: run.exchanges }];
}

/** A run that two workers carried out, with its calls and what its workers decided. */
export interface Worked {
  readonly run: RecordedRun;
  readonly calls: Recorded<CallsObservation>;
  /** The decisions about the fixture's tool, in their order; null where the host does not show them. */
  readonly decisions: readonly Decision[] | null;
  readonly evidence: readonly Recorded<Observation>[];
}

/** A run of two workers, or what is left where not everything of it was counted. */
export function workedIn(recorded: Recordings, role: string): Worked | Outcome {
  const run = runOf(recorded, role);
  if (run === undefined) return leftUndriven(role);
  const calls = callsOf(recorded, role);
  const observations = ofType<DecisionsObservation>(recorded, 'decisions').find(({ of }) => of === role);
  if (calls === undefined || observations === undefined)
    return undecided(`nothing was counted of ${named(run)}`, [run]);
  return {
    run,
    calls,
    decisions: observations.decisions && readDecisions(observations.decisions),
    evidence: [calls, run, observations],
  };
}

/** What a worker decided about the fixture's tool. */
export interface Decision {
  readonly attempt: string;
  /** What was decided, as the host writes it. */
  readonly name: string;
  /** The same without case and separators. */
  readonly word: string;
  /** Whether it lets its worker execute. */
  readonly owns: boolean;
}

/** The decisions about a tool among those of a run. */
export function readDecisions(
  decisions: readonly Json[],
  tool: Pick<FixtureTool, 'nodeId'> = CHARGE,
): readonly Decision[] {
  return decisions.flatMap((decision) => {
    const [nodeId, decided, attempt] = ['nodeId', 'decision', 'attempt'].map((key) => member(decision, key));
    if (nodeId !== undefined && nodeId !== tool.nodeId) return [];
    const name = typeof decided === 'string' ? decided : '(none)';
    const word = name.toLowerCase().replaceAll(/[^a-z]/gu, '');
    const isKnown = typeof attempt === 'string' || typeof attempt === 'number';
    return [{ attempt: isKnown ? String(attempt) : '', name, word, owns: word === 'allowexecute' }];
  });
}

/** Decisions in words. */
export function namesOf(decisions: readonly Decision[]): string {
  return decisions.map(({ name }) => name).join(', ') || 'no decision';
}

/** How a call went from one worker to another, by the attempts that their decisions name. */
export interface Takeover {
  /** The attempt that had the call first. */
  readonly stalled: string;
  /** Whether it decided otherwise before it was taken over: awake again, or a waiting worker was of the same attempt till then. */
  readonly shared: boolean;
  readonly successor: string;
  /** Whether the successor came to another decision afterwards: it did not get the call. */
  readonly lost: boolean;
  /** Whether the first attempt came to another decision afterwards. */
  readonly awake: boolean;
}

/** Reads a takeover off the decisions about the fixture's tool, in their order; undefined where there was none. */
export function takeoverIn(decisions: readonly Decision[]): Takeover | undefined {
  const index = decisions.findLastIndex(({ owns }) => owns);
  const successor = decisions[index]?.attempt;
  const before = decisions.slice(0, Math.max(0, index)).filter(({ attempt }) => attempt !== successor);
  const isStill = ({ attempt }: Decision): boolean => before.every((each) => each.attempt !== attempt || each.owns);
  const still = before.find(isStill);
  const stalled = (still ?? before.find(({ owns }) => owns))?.attempt;
  if (successor === undefined || stalled === undefined) return undefined;
  const after = decisions.slice(index + 1).map(({ attempt }) => attempt);
  return {
    stalled,
    shared: still === undefined,
    successor,
    lost: after.includes(successor),
    awake: after.includes(stalled),
  };
}

/** A tool that was called more than once, however many workers there were. */
export function calledTwice({ run, calls, evidence }: Worked): Outcome | undefined {
  if (calls.calls.length <= 1) return undefined;
  const expected = `one call of the tool in ${named(run)}, which ${WORKERS} workers carry out`;
  return fail({ expected, actual: `${calls.calls.length} calls`, diagnosis: wrong('duplicate-call') }, evidence);
}

/** What is left of a run without an end or a call; or its log, where that does not show each step once, and an end. */
export function faultInRun({ run, calls, evidence }: Worked): Outcome | undefined {
  const left = leftWithout([run]);
  if (left !== undefined) return left;
  if (calls.calls.length === 0) return undecided(notCalled(calls), evidence);
  const steps = stepsOf(run, CHARGE);
  if (steps.some(({ step, index }) => steps.some((other) => other.step === step && other.index > index))) {
    const expected = `each step of the call once in ${named(run)}`;
    const actual = steps.map(({ event }) => `${event.type} (${event.sequence})`).join(', ');
    return fail({ expected, actual, diagnosis: wrong('written-twice') }, evidence);
  }
  const events = eventsOf(run);
  if (events.some(({ type }) => type === 'run.completed')) return undefined;
  if (noncesIn(calls).length === 0) {
    return undecided('the host gave its tool up while the answer was held back', evidence);
  }
  const actual = events.at(-1)?.type ?? 'no event';
  return fail({ expected: `${named(run)} completes`, actual, diagnosis: wrong('not-completed') }, evidence);
}
