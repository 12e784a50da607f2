import { member } from '../../src/contract/discovery.ts';
import type { Judgement } from '../../src/contract/verdict.ts';
import type { Json, Observation } from '../../src/evidence/types.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { eventsOf, named } from '../shared/compare-runs.ts';
import { unseen } from '../shared/judge-run.ts';
import { failing, passing, runsOf, type SeenRun, undecided } from '../shared/judging.ts';
import { type CallsObservation, callsOf, noncesIn, notCalled } from '../shared/witnessed-run.ts';
import { CHARGE } from './fixtures.ts';
import { stepsOf } from './tool-call-keys.ts';

/** Workers that carry one run out at the same time. */
export const WORKERS = 2;

/** What the workers of a run decided when they came to its tool; null where the host has no such seam. */
export interface DecisionsObservation extends Observation {
  readonly type: 'decisions';
  /** The role of the run. */
  readonly of: string;
  readonly decisions: readonly Json[] | null;
}

const CHECK = 'once.single-owner';

const CALLED = { code: 'duplicate-call', message: 'two workers called the tool for one step (sem §2)' };
const OWNERS = { code: 'two-owners', message: 'two workers were told to execute one step (sem §2)' };
const WRITTEN = { code: 'written-twice', message: 'both workers wrote the steps of one call (sem §3)' };
const ENDED = { code: 'not-completed', message: 'a run does not complete although its tool was called and answered' };

/** Judges once.single-owner: one call, one owner, one set of events for each run. */
export function judgeSingleOwner(observations: readonly Recorded<Observation>[]): Judgement {
  const runs = runsOf(observations);
  const found = runs.map((run) => judgeRun(run, callsOf(observations, run.role), decisionsOf(observations, run)));
  const failed = found.find(({ verdict }) => verdict === 'fail');
  if (failed !== undefined) return failed;
  const uncounted = runs.find(
    (run) => callsOf(observations, run.role) === undefined || decisionsOf(observations, run) === undefined,
  );
  if (uncounted !== undefined) return undecided(CHECK, `nothing was counted of ${named(uncounted)}`, [uncounted]);
  const passed = found.filter(({ verdict }) => verdict === 'pass');
  const open = found.find(({ verdict }) => verdict !== 'pass');
  // A run that its second worker came too late for decides nothing beside runs where it did not.
  if (open !== undefined && (passed.length === 0 || runs.some(({ problem }) => problem !== null))) return open;
  if (passed.length === 0) return undecided(CHECK, 'no run was driven', []);
  const reason = `${passed.length} of ${runs.length} runs were seen by two workers at once`;
  return { ...passing(CHECK, [], reason), evidence: passed.flatMap(({ evidence }) => evidence) };
}

/** What was decided in a run. */
export function decisionsOf(
  observations: readonly Recorded<Observation>[],
  { role }: SeenRun,
): Recorded<DecisionsObservation> | undefined {
  return observations.find(
    (each): each is Recorded<DecisionsObservation> =>
      each.type === 'decisions' && (each as Recorded<DecisionsObservation>).of === role,
  );
}

function judgeRun(
  run: SeenRun,
  calls: Recorded<CallsObservation> | undefined,
  seen: Recorded<DecisionsObservation> | undefined,
): Judgement {
  if (calls === undefined || seen === undefined) return undecided(CHECK, 'no calls were counted', [run]);
  const evidence = [calls, run, seen];
  if (calls.calls.length > 1) {
    const expected = `one call of the tool in ${named(run)}, which ${WORKERS} workers carry out`;
    return failing(CHECK, { expected, actual: `${calls.calls.length} calls`, diagnosis: CALLED }, evidence);
  }
  const decisions = (seen.decisions ?? []).filter(isCharge).map(nameOf);
  if (decisions.filter(isOwner).length > 1) {
    const expected = `one AllowExecute in ${named(run)}`;
    return failing(CHECK, { expected, actual: decisions.join(', '), diagnosis: OWNERS }, evidence);
  }
  const missing = unseen(CHECK, [run]);
  if (missing !== undefined) return missing;
  if (calls.calls.length === 0) return undecided(CHECK, notCalled(calls), evidence);
  return faultInLog(CHECK, run, { evidence, calls }) ?? judgeDecisions(run, seen, evidence);
}

type Evidence = readonly { readonly id: string }[];

/** Whether a run that was called for once shows each step of the call once, and completes. */
export function faultInLog(
  check: string,
  run: SeenRun,
  { evidence, calls }: { readonly evidence: Evidence; readonly calls: CallsObservation },
): Judgement | undefined {
  const steps = stepsOf(run, CHARGE);
  const twice = steps.find(({ step, index }) => steps.some((other) => other.step === step && other.index > index));
  if (twice !== undefined) {
    const expected = `each step of the call once in ${named(run)}`;
    const actual = steps.map(({ event }) => `${event.type} (${event.sequence})`).join(', ');
    return failing(check, { expected, actual, diagnosis: WRITTEN }, evidence);
  }
  if (eventsOf(run).some(({ type }) => type === 'run.completed')) return undefined;
  if (noncesIn(calls).length === 0)
    return undecided(check, 'the host gave its tool up while the answer was held back', evidence);
  const actual = eventsOf(run).at(-1)?.type ?? 'no event';
  return failing(check, { expected: `${named(run)} completes`, actual, diagnosis: ENDED }, evidence);
}

function judgeDecisions(run: SeenRun, seen: Recorded<DecisionsObservation>, evidence: Evidence): Judgement {
  if (seen.decisions === null) {
    const seam = 'POST /v1/host/sample/test/invocations with {runId}';
    const why = `one call, but whether ${WORKERS} workers came to it is not known: carry a run out by configurable.workers`;
    return undecided(CHECK, `${why} and show their decisions at ${seam}`, evidence);
  }
  const decisions = seen.decisions.filter(isCharge).map(nameOf);
  const others = decisions.filter((name) => !isOwner(name));
  const shown = decisions.join(', ') || 'no decision';
  if (others.length === 0 || others.length === decisions.length) {
    return undecided(CHECK, `${named(run)} shows ${shown}: not two workers that came to one call`, evidence);
  }
  const strange = others.find((name) => !KNOWN.has(squeezed(name)));
  if (strange !== undefined) return undecided(CHECK, `the decision ${strange} of ${named(run)} is not known`, evidence);
  return passing(CHECK, evidence);
}

const KNOWN: ReadonlySet<string> = new Set(['waitotherworker', 'returnrecordedresult', 'rejected']);

/** Whether a decision is about the fixture's tool. */
export function isCharge(decision: Json): boolean {
  const nodeId = member(decision, 'nodeId');
  return nodeId === undefined || nodeId === CHARGE.nodeId;
}

/** What was decided. */
export function nameOf(decision: Json): string {
  const name = member(decision, 'decision');
  return typeof name === 'string' ? name : '(none)';
}

/** Whether a decision lets its worker execute. */
export function isOwner(name: string): boolean {
  return squeezed(name) === 'allowexecute';
}

function squeezed(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/gu, '');
}
