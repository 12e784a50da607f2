import { member } from '../../src/contract/discovery.ts';
import { type Evidence, fail, isOutcome, type Outcome, undecided } from '../../src/contract/outcome.ts';
import { terminalStatus } from '../../src/protocol/run-status.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { eventsOf, named } from '../shared/compare-runs.ts';
import { sharedCause } from '../shared/diagnoses.ts';
import { leftWithout, need, runOf, type RecordedRun } from '../shared/need.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { statusIn } from '../shared/snapshot.ts';
import { type CallsObservation, callsOf, noncesIn, notCalled } from '../shared/witnessed-run.ts';
import { invocationStep } from './invocation-events.ts';
import { holdsAny } from './read-cell.ts';
import {
  afterwards,
  beforehand,
  type ConfirmationObservation,
  confirmed,
  type CounterObservation,
  FAILING,
  ROLES,
} from './verification-drive.ts';

/** How a run came out. */
export interface Fate {
  readonly run: RecordedRun;
  /** Where the recorded result stands in it. */
  readonly shownAt: readonly string[];
  readonly isShown: boolean;
  /** Whether it was put into the run: it stands elsewhere than in the events of the call, which a replay has of its record (0041 §C). */
  readonly isInjected: boolean;
  /** Where something else stands in the place in which the source shows the result; undefined where nothing does. */
  readonly otherwise: string | undefined;
  readonly hasCompleted: boolean;
  readonly hasFailed: boolean;
}

/** A replay whose verification must fail, and what was done with it then. */
export interface FailingReplay extends Fate {
  readonly calls: Recorded<CallsObservation>;
  /** Whether it asked for the resource. */
  readonly verifies: boolean;
  /** The same run when the world was right again, or when a person had confirmed. */
  readonly later: Fate | undefined;
  /** The counter before the replay, which was asked for by another run, and after it. */
  readonly counterBefore: Recorded<CounterObservation> | undefined;
  readonly counter: Recorded<CounterObservation> | undefined;
  readonly confirmation: Recorded<ConfirmationObservation> | undefined;
}

/** What the checks of a mode judge. */
export interface Facts {
  /** The replay in the recorded world. */
  readonly control: Fate | undefined;
  /** The counter before it and after it. */
  readonly counters: readonly (Recorded<CounterObservation> | undefined)[];
  readonly replays: readonly FailingReplay[];
  readonly evidence: Evidence;
  /** Why the replays in wrong worlds prove nothing: the control did not come through. */
  readonly withoutControl: Outcome | undefined;
  /** What is left where not all replays in wrong worlds were seen. */
  readonly withoutReplays: Outcome | undefined;
  /** Why a pass would be hollow: nobody asked for the resource. */
  readonly withoutVerification: Outcome | undefined;
}

/** Brings together what the modes have in common, or the outcome that is left. */
export function seeVerification(recorded: Recordings): Facts | Outcome {
  const runs = need(recorded, 'source');
  if (isOutcome(runs)) return runs;
  const { source } = runs;
  const calls = callsOf(recorded, 'source');
  if (calls === undefined) return undecided(`no calls were counted after the ${named(source)}`, [source]);
  const [nonce] = noncesIn(calls);
  if (nonce === undefined) return undecided(notCalled(calls), [source, calls]);
  const again = calledAgain(recorded, calls);
  if (again !== undefined) return again;
  const fate = (role: string): Fate | undefined => fateOf(runOf(recorded, role), source, nonce);
  const counters = ofType<CounterObservation>(recorded, 'counter');
  const counterOf = (role: string) => counters.find(({ of }) => of === role);
  const confirmations = ofType<ConfirmationObservation>(recorded, 'confirmation');
  const control = fate(ROLES.control);
  const counts = ofType<CallsObservation>(recorded, 'calls');
  const replays = FAILING.flatMap((role): readonly FailingReplay[] => {
    const [replay, made] = [fate(role), callsOf(recorded, role)];
    if (replay === undefined || made === undefined || replay.run.problem !== null) return [];
    const later = fate(afterwards(role)) ?? fate(confirmed(role));
    const [counterBefore, counter] = [counterOf(beforehand(role)), counterOf(role)];
    const confirmation = confirmations.find(({ of }) => of === role);
    const verifies = callCount(made, 'resource') > callCount(counts[counts.indexOf(made) - 1], 'resource');
    return [{ ...replay, calls: made, verifies, later, counterBefore, counter, confirmation }];
  });
  const controls = control === undefined ? [] : [control.run];
  const evidence = [...replays.flatMap((each) => [each.run, each.calls]), ...controls, source, calls];
  return {
    control,
    counters: ['source', ROLES.control].map(counterOf),
    replays,
    evidence,
    withoutControl: leftWithout([control?.run ?? ROLES.control]) ?? controlProblem(control, source),
    withoutReplays: withoutReplays(recorded),
    withoutVerification: counts.some((each) => callCount(each, 'resource') > 0)
      ? undefined
      : undecided('no replay asked GET resources/receipt of the witness', evidence),
  };
}

function fateOf(run: RecordedRun | undefined, source: RecordedRun, nonce: string): Fate | undefined {
  if (run === undefined) return undefined;
  const otherwise = otherwiseAt(run, source, nonce);
  const [recordedAt, injectedAt] = [recordedPlaces(run, nonce), injectedPlaces(run, nonce)];
  const shownAt = [...recordedAt, ...injectedAt];
  const [hasCompleted, hasFailed] = [hasEnded(run, 'completed'), hasEnded(run, 'failed')];
  return {
    run,
    shownAt,
    isShown: shownAt.length > 0,
    isInjected: injectedAt.length > 0,
    otherwise,
    hasCompleted,
    hasFailed,
  };
}

function callCount(calls: CallsObservation | undefined, kind: 'effect' | 'resource'): number {
  return calls?.calls.filter((call) => member(call, 'kind') === kind).length ?? 0;
}

function calledAgain(recorded: Recordings, before: Recorded<CallsObservation>): Outcome | undefined {
  const made = callCount(before, 'effect');
  const later = ofType<CallsObservation>(recorded, 'calls').find((each) => callCount(each, 'effect') > made);
  if (later === undefined) return undefined;
  const run = runOf(recorded, later.after);
  const expected = `no call of the tool beside the ${made} of the source`;
  const actual = `${callCount(later, 'effect') - made} more after the ${later.after}`;
  const evidence = [later, before, ...(run === undefined ? [] : [run])];
  return fail({ expected, actual, diagnosis: sharedCause('second-call'), restsOn: CALLS_NOBODY }, evidence);
}

/** The row about a replay that calls its tool, whatever the mode of verification. */
const CALLS_NOBODY = 'once.idempotency-key.replay';

/** Whether a run has ended so, by its log; by its snapshot where the log has no end. */
function hasEnded(run: RunObservation, how: 'completed' | 'failed'): boolean {
  const ends = eventsOf(run).flatMap(({ type }) => terminalStatus(type) ?? []);
  return ends.length === 0 ? statusIn(run.snapshot) === how : ends.includes(how);
}

const INJECTING: ReadonlySet<string> = new Set([
  'node.completed',
  'variable.changed',
  'channel.written',
  'run.completed',
]);

/** Where the events of a call hold the recorded result. */
function recordedPlaces(run: RunObservation, nonce: string): readonly string[] {
  return placesIn(run, nonce, (type) => ['finished', 'committed'].includes(invocationStep(type) ?? ''));
}

/** Where a run goes on with the recorded result; what an error or a question says of it is no injection. */
function injectedPlaces(run: RunObservation, nonce: string): readonly string[] {
  const state = ['variables', 'channels', 'outputs'].filter((name) => holdsAny(member(run.snapshot, name), [nonce]));
  const events = placesIn(run, nonce, (type) => INJECTING.has(type));
  return [...events, ...state.map((name) => `${name} of the snapshot`)];
}

/** The first variable that is something else than the result, which it is in the source (0041 §C.2). */
function otherwiseAt(run: RunObservation, source: RunObservation, nonce: string): string | undefined {
  const theirs = variablesOf(source);
  return [...variablesOf(run)].find(
    ([name, value]) => holdsAny(theirs.get(name), [nonce]) && !holdsAny(value, [nonce]),
  )?.[0];
}

/** The values of variables at the end, by the log and by the snapshot. */
function variablesOf(run: RunObservation): ReadonlyMap<string, unknown> {
  const changes = eventsOf(run).filter(({ type }) => type === 'variable.changed');
  return new Map([
    ...changes.map(
      ({ payload }) => [`${String(member(payload, 'name'))} of the log`, member(payload, 'value')] as const,
    ),
    ...Object.entries(Object(member(run.snapshot, 'variables'))).map(
      ([name, value]) => [`${name} of the snapshot`, value] as const,
    ),
  ]);
}

function placesIn(run: RunObservation, nonce: string, isMeant: (type: string) => boolean): readonly string[] {
  return eventsOf(run)
    .filter(({ type, payload }) => isMeant(type) && holdsAny(payload, [nonce]))
    .map(({ type, sequence }) => `${type} (${sequence})`);
}

function controlProblem(control: Fate | undefined, source: RecordedRun): Outcome | undefined {
  if (control === undefined || (control.hasCompleted && control.isShown)) return undefined;
  const reason = `${named(control.run)} did not complete with the recorded result, although GET resources/receipt answers what the tool did`;
  return undecided(reason, [control.run, source]);
}

function withoutReplays(recorded: Recordings): Outcome | undefined {
  const left = leftWithout(ROLES.failing.map((role) => runOf(recorded, role) ?? role));
  const uncounted = ROLES.failing.find((role) => callsOf(recorded, role) === undefined);
  if (left !== undefined || uncounted === undefined) return left;
  return undecided(`no calls were counted after the ${uncounted}`, []);
}

/** Where the recorded result is in a run, and its status, in words. */
export function fateText({ run, shownAt, otherwise }: Fate): string {
  const where = shownAt.length === 0 ? 'nowhere' : `in ${shownAt.join(', ')}`;
  const but = otherwise === undefined ? '' : `, not in variable ${otherwise}`;
  return `the recorded result ${where}${but}; status ${statusIn(run.snapshot) ?? 'unknown'} of ${named(run)}`;
}
