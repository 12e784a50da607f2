import { member } from '../../src/contract/discovery.ts';
import type { Diagnosis, Judgement } from '../../src/contract/verdict.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { eventsOf, named } from '../shared/compare-runs.ts';
import { runOf, unseen } from '../shared/judge-run.ts';
import { failing, type SeenRun, undecided } from '../shared/judging.ts';
import { terminalStatus } from '../../src/host/run-event.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { type CallsObservation, callsOf, noncesIn, notCalled } from '../shared/witnessed-run.ts';
import { invocationStep } from './invocation-events.ts';
import { statusOf } from './settled-run.ts';
import { ROLES, type VerificationObservation } from './verification-drive.ts';

/** What was recorded of a mode's scenario. */
export type SeenVerification = readonly Recorded<VerificationObservation>[];

/** A replay whose verification must fail. */
export interface FailingReplay {
  readonly run: SeenRun;
  readonly calls: Recorded<CallsObservation>;
  /** Where the recorded result was put into the replay. */
  readonly injectedAt: readonly string[];
  readonly hasCompleted: boolean;
  readonly hasFailed: boolean;
}

/** What a mode's judge reads. */
export interface Facts {
  readonly source: SeenRun;
  readonly nonce: string;
  readonly twin: SeenRun | undefined;
  readonly replays: readonly FailingReplay[];
  /** Whether any replay asked for the resource. */
  readonly verifies: boolean;
  readonly evidence: readonly { readonly id: string }[];
}

const CALLED = {
  code: 'second-call',
  message: 'a replay called the tool again (sem §5: the result is injected, or nothing is)',
};
export const NOT_VERIFIED: Diagnosis = {
  code: 'not-verified',
  message: 'the host injects without asking whether the world agrees (sem §5)',
};

/** Brings together what the modes have in common, or the judgement that is left. */
export function factsOf(check: string, seen: SeenVerification): Facts | Judgement {
  const source = runOf(seen, 'source');
  const calls = callsOf(seen, 'source');
  const missing = unseen(check, [source]);
  if (missing !== undefined || source === undefined || calls === undefined) {
    return missing ?? undecided(check, 'no run was driven', []);
  }
  const [nonce] = noncesIn(calls);
  if (nonce === undefined) return undecided(check, notCalled(calls), [source, calls]);
  const again = calledAgain(check, seen, calls);
  if (again !== undefined) return again;
  const replays = ROLES.failing.flatMap((role) => {
    const [run, made] = [runOf(seen, role), callsOf(seen, role)];
    if (run === undefined || made === undefined || run.problem !== null) return [];
    const ends = { hasCompleted: hasEnded(run, 'completed'), hasFailed: hasEnded(run, 'failed') };
    return [{ run, calls: made, injectedAt: injectedPlaces(run, nonce), ...ends }];
  });
  const twin = runOf(seen, ROLES.twin);
  const verifies = [ROLES.twin, ...ROLES.failing].some((role) => asked(callsOf(seen, role)) > 0);
  const evidence = [
    ...replays.flatMap((each) => [each.run, each.calls]),
    ...(twin === undefined ? [] : [twin]),
    source,
    calls,
  ];
  return { source, nonce, twin, replays, verifies, evidence };
}

function effects(calls: CallsObservation): number {
  return calls.calls.filter((call) => member(call, 'kind') === 'effect').length;
}

function asked(calls: CallsObservation | undefined): number {
  return calls?.calls.filter((call) => member(call, 'kind') === 'resource').length ?? 0;
}

function calledAgain(check: string, seen: SeenVerification, before: Recorded<CallsObservation>): Judgement | undefined {
  const counts = seen.filter((each): each is Recorded<CallsObservation> => each.type === 'calls');
  const later = counts.find((each) => effects(each) > effects(before));
  if (later === undefined) return undefined;
  const run = runOf(seen, later.after);
  const expected = `no call of the tool beside the ${effects(before)} of the source`;
  const actual = `${effects(later) - effects(before)} more after the ${later.after}`;
  return failing(check, { expected, actual, diagnosis: CALLED }, [later, before, ...(run === undefined ? [] : [run])]);
}

/** Whether a run has ended so, by its log; by its snapshot where the log has no end. */
export function hasEnded(run: RunObservation, how: 'completed' | 'failed'): boolean {
  const ends = eventsOf(run).flatMap(({ type }) => terminalStatus(type) ?? []);
  return ends.length === 0 ? statusOf(run) === how : ends.includes(how);
}

const INJECTING: ReadonlySet<string> = new Set([
  'node.completed',
  'variable.changed',
  'channel.written',
  'run.completed',
]);

/** Where a run has the recorded result; what an error or a question says of it is no injection. */
export function injectedPlaces(run: RunObservation, nonce: string): readonly string[] {
  const events = eventsOf(run)
    .filter(({ type }) => INJECTING.has(type) || ['finished', 'committed'].includes(invocationStep(type) ?? ''))
    .filter(({ payload }) => holds(payload, nonce))
    .map(({ type, sequence }) => `${type} (${sequence})`);
  const state = ['variables', 'channels', 'outputs'].filter((name) => holds(member(run.snapshot, name), nonce));
  return [...events, ...state.map((name) => `${name} of the snapshot`)];
}

function holds(value: unknown, text: string): boolean {
  return (JSON.stringify(value) ?? '').includes(text);
}

/** Why the replays in wrong worlds prove nothing: their twin was not what it has to be. Undefined where it was. */
export function twinProblem(check: string, { twin, source, nonce }: Facts): Judgement | undefined {
  const missing = unseen(check, [twin]);
  if (missing !== undefined || twin === undefined) return missing;
  if (hasEnded(twin, 'completed') && injectedPlaces(twin, nonce).length > 0) return undefined;
  const why = `${named(twin)} did not complete with the recorded result, although GET resources/receipt answers what the tool did`;
  return undecided(check, why, [twin, source]);
}

/** What is left where not all replays in wrong worlds were seen. */
export function unseenReplays(check: string, seen: SeenVerification): Judgement | undefined {
  const runs = ROLES.failing.map((role) => runOf(seen, role));
  const uncounted = ROLES.failing.find((role) => callsOf(seen, role) === undefined);
  const missing = unseen(check, runs);
  if (missing !== undefined || uncounted === undefined) return missing;
  return undecided(check, `no calls were counted after the ${uncounted}`, []);
}

/** Why a pass would be hollow: nobody asked for the resource. */
export function unasked(check: string, { verifies, evidence }: Facts): Judgement | undefined {
  return verifies ? undefined : undecided(check, 'no replay asked GET resources/receipt of the witness', evidence);
}

/** Where the recorded result is, in words. */
export function shownPlaces({ run, injectedAt }: FailingReplay): string {
  const where =
    injectedAt.length === 0 ? 'the recorded result nowhere' : `the recorded result in ${injectedAt.join(', ')}`;
  return `${where}; status ${statusOf(run) ?? 'unknown'} of ${named(run)}`;
}
