import { canonicalJson } from '../../src/cache-key/index.ts';
import { member } from '../../src/contract/discovery.ts';
import { fail, type Mistake, type Outcome, pass, undecided } from '../../src/contract/outcome.ts';
import type { Json, Observation } from '../../src/evidence/types.ts';
import { isRecord, readRunEvent, type RunEvent } from '../../src/host/run-event.ts';
import { endsRun } from '../../src/protocol/run-status.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { eventsOf, named } from '../shared/compare-runs.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { leftUndriven, leftWithout, runOf, runsOf, type RecordedRun } from '../shared/need.ts';
import { nodeOf } from '../shared/read-event.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { failureOf, openOf } from '../shared/settle.ts';
import { type CallsObservation, callsOf, noncesIn, notCalled } from '../shared/witnessed-run.ts';
import { judgeBranchKey } from './branch-key.ts';
import { callNamesIn, type CallNames, partsOf, untaken } from './call-names.ts';
import { wrong } from './diagnoses.ts';
import { CHARGE } from './fixtures.ts';
import { idempotencyKey, isKeyOf, knownMistakeIn, spellingAdvice } from './idempotency-key.ts';
import {
  attemptsOf,
  hasKey,
  type InvocationEvent,
  type InvocationStep,
  isWithoutKey,
  keysOf,
  stepsOf,
} from './invocation-events.ts';

/** The role of the run whose tool is not answered at once. */
export const HELD = 'held run';

/** The arguments that a run's tool was called with. */
export interface ArgsObservation extends Observation {
  readonly type: 'args';
  /** The role of the run. */
  readonly of: string;
  /** JSON text as it was sent; null where the run has no such input. */
  readonly request: string | null;
}

/** What the host's extension block says of keys. */
export interface AdvertisedObservation extends Observation {
  readonly type: 'advertised';
  /** The formula of the idempotency key; null where none is named. */
  readonly idempotencyKey: string | null;
}

/** A run's log while its tool was at work. */
export interface HeldObservation extends Observation {
  readonly type: 'held';
  /** Why it could not be read; null where it was. */
  readonly problem: string | null;
  readonly events: readonly Json[];
}

export type ToolCallObservation =
  | RunObservation
  | CallsObservation
  | ArgsObservation
  | AdvertisedObservation
  | HeldObservation;

/** Judges once.idempotency-key: each run's key against the formula, and that of a branch against its source's. */
export function judgeIdempotencyKeys(recorded: Recordings): Outcome {
  const runs = runsOf(recorded).filter(({ fork }) => fork === null);
  const args = ofType<ArgsObservation>(recorded, 'args');
  const argsOf = ({ role }: RecordedRun) => args.find(({ of }) => of === role);
  const found = runs.map((run) => judgeKey(run, argsOf(run), runs));
  const [advertised] = ofType<AdvertisedObservation>(recorded, 'advertised');
  const left = judgeKeyless(runs, advertised) ?? failureOf(found) ?? judgeBranchKey(recorded) ?? leftWithout(runs);
  if (left !== undefined) return left;
  if (runs.length < 2) return undecided('no runs with different arguments were driven', runs);
  const advice = adviceOf(callsOf(recorded, HELD), args.find(({ of }) => of === HELD)?.request);
  const spelled = spellingAdvice(runs.flatMap((run) => keysOf(stepsOf(run, CHARGE))));
  return openOf(found) ?? pass(runs, `${runs.length} runs, each with other arguments${advice}${spelled}`);
}

/** The formula that a host advertises whose events are to hold a key by it. */
const FORMULA = 'sha256-nul-jcs';

/** A host that advertises the formula, shows the events of a call, and shows its key in none of them. */
function judgeKeyless(
  runs: readonly RecordedRun[],
  advertised: Recorded<AdvertisedObservation> | undefined,
): Outcome | undefined {
  if (advertised?.idempotencyKey !== FORMULA) return undefined;
  const showing = runs
    .map((run) => ({ run, steps: stepsOf(run, CHARGE).filter(({ step }) => step !== 'committed') }))
    .filter(({ steps }) => steps.length > 0);
  const [first] = showing;
  if (first === undefined || showing.some(({ steps }) => steps.some(({ event }) => hasKey(event)))) return undefined;
  const { run, steps } = first;
  const expected = `idempotency_key in the payload of each, as the host advertises idempotencyKey ${FORMULA}`;
  const shown = steps.map(({ event }) => `${event.type} (${event.sequence})`).join(', ');
  const actual = `${shown} of ${named(run)} without one, and so in ${showing.length} runs`;
  return fail({ expected, actual, diagnosis: wrong('no-idempotency-key') }, [run, advertised]);
}

/** What the tool was handed, where that is not its arguments: no row asks for it (docs/fixtures.md). */
function adviceOf(calls: CallsObservation | undefined, request: string | null | undefined): string {
  const [call] = calls?.calls ?? [];
  if (call === undefined || typeof request !== 'string') return '';
  const [sent, wanted] = [canonicalJson(JSON.stringify(member(call, 'body') ?? null)), canonicalJson(request)];
  if (!sent.ok || !wanted.ok || sent.text === wanted.text) return '';
  return `; advice: the tool is called with ${sent.text} and not with its arguments ${wanted.text}`;
}

/** Judges the key of one run; one without a known mistake may be one that several of `runs` have. */
function judgeKey(
  run: RecordedRun,
  args: Recorded<ArgsObservation> | undefined,
  runs: readonly RecordedRun[],
): Outcome {
  const left = leftWithout([run]);
  if (left !== undefined) return left;
  if (args === undefined) return undecided(`no arguments were recorded of ${named(run)}`, [run]);
  const evidence = [run, args];
  const steps = stepsOf(run, CHARGE);
  const [key, ...others] = keysOf(steps);
  if (key === undefined) return undecided(noKeyIn(run), evidence);
  const names = namesIn(run, runs);
  const all = partsOf(steps, CHARGE, { names, args: args.request });
  const [parts] = all;
  const what = `${run.role}: SHA-256 of ${parts.runId} NUL ${parts.nodeId} NUL ${parts.toolName} NUL canonical arguments`;
  const mismatch = { expected: `${what}: ${idempotencyKey(parts) ?? 'none'}`, actual: [key, ...others].join(', ') };
  if (others.length > 0) return fail({ ...mismatch, diagnosis: wrong('key-changes') }, evidence);
  const without = steps.find((each) => each.step !== 'committed' && isWithoutKey(each));
  if (without !== undefined) {
    const expected = `idempotency_key in the payload of each of ${NAMES.started} and ${NAMES.finished}`;
    const actual = `none in ${without.event.type} (${without.event.sequence}) of ${named(run)}`;
    return fail({ expected, actual, diagnosis: wrong('key-in-one-only') }, evidence);
  }
  if (isKeyOf(key, all)) return pass(evidence);
  const diagnosis = knownMistakeIn(key, all, attemptsOf(steps));
  if (diagnosis !== undefined) return fail({ ...mismatch, diagnosis }, evidence);
  const shown = steps.find(({ step, args: given }) => step === 'started' && given !== undefined);
  if (shown !== undefined && isKeyOf(key, partsOf(steps, CHARGE, { names, args: JSON.stringify(shown.args) }))) {
    const reason = `the key is that of the arguments that ${named(run)} shows, not of its input toolArgs: hand that to the tool`;
    return undecided(reason, evidence);
  }
  const sharers = runs.filter((each) => keysOf(stepsOf(each, CHARGE)).includes(key));
  if (sharers.length > 1) return fail({ ...mismatch, diagnosis: wrong('key-shared-between-runs') }, sharers);
  return fail({ ...mismatch, diagnosis: wrong('unknown-key') }, evidence);
}

/** The names of a run's call; what several runs call their job is the name of none. */
function namesIn(run: RecordedRun, runs: readonly RecordedRun[]): CallNames {
  const others = runs.filter((each) => each !== run).map((each) => ({ ...callNamesIn(each, CHARGE), nodeIds: [] }));
  return untaken(callNamesIn(run, CHARGE), others);
}

/** Why nothing is known of a run's key. */
export function noKeyIn(run: RunObservation): string {
  return `the log of ${named(run)} shows no key: give idempotency_key in the payload of tool_invocation_started`;
}

const NAMES: Readonly<Record<InvocationStep, string>> = {
  started: 'tool_invocation_started',
  finished: 'tool_invocation_finished',
  committed: 'command_committed',
};
const STEPS = ['started', 'finished', 'committed'] as const;

/** Judges once.write-order: the order in the whole log, and what was in it while the tool's answer was held back. */
export function judgeWriteOrder(recorded: Recordings): Outcome {
  const [run, calls] = [runOf(recorded, HELD), callsOf(recorded, HELD)];
  const [log] = ofType<HeldObservation>(recorded, 'held');
  const left = leftWithout([run ?? HELD]);
  if (left !== undefined) return left;
  if (run === undefined || log === undefined || calls === undefined) return leftUndriven(HELD);
  const evidence = [run, log, calls];
  if (calls.calls.length === 0) return undecided(notCalled(calls), evidence);
  const steps = lastAttempt(run);
  if (steps.length === 0) {
    const reason = `the log of ${named(run)} shows none of ${Object.values(NAMES).join(', ')}: write them into the stream`;
    return undecided(reason, evidence);
  }
  if (noncesIn(calls).length === 0) {
    return undecided('the host gave its tool up while the answer was held back: let it wait longer', evidence);
  }
  const mismatch = wrongBeforeAnswer(log, run) ?? wrongOrder(steps, run) ?? wrongOutcome(steps, run);
  if (mismatch !== undefined) return fail(mismatch, evidence);
  if (!eventsOf(run).some(({ type }) => type === 'run.completed')) {
    return undecided(`${named(run)} did not complete`, evidence);
  }
  return log.problem === null ? pass(evidence) : undecided(log.problem, evidence);
}

/** The events of a call from its last attempt on: one that failed before it is recorded, too, and retried under its key (sem §4.1). */
function lastAttempt(run: Pick<RunObservation, 'events'>): readonly InvocationEvent[] {
  const steps = stepsOf(run, CHARGE);
  const failed = steps.findLastIndex(
    ({ step, outcome }, index) => step === 'finished' && outcome === 'failure' && steps[index + 1]?.step === 'started',
  );
  return steps.slice(failed + 1);
}

/** A log is read as it stands from its lists: a host whose lists leave events out, which streams show, may leave out the start. */
const LISTS = FOUNDATIONS.readings;

function wrongBeforeAnswer(
  log: HeldObservation,
  run: RecordedRun,
): (Mistake & { readonly restsOn?: string }) | undefined {
  if (log.problem !== null) return undefined;
  const events = log.events.map(readRunEvent).filter((event) => event !== undefined);
  const steps = lastAttempt(log);
  const early = steps.find(({ step }) => step !== 'started')?.event ?? events.find(isEnd);
  const where = `in the log of ${named(run)} while its tool had not answered`;
  if (early !== undefined) {
    const actual = `${early.type} at sequence ${early.sequence} ${where}`;
    const expected = `${NAMES.started} and nothing after it ${where}`;
    return { expected, actual, diagnosis: wrong('written-before-execution') };
  }
  if (steps.length > 0) return undefined;
  const actual = events.length === 0 ? `no event ${where}` : `${listed(events.slice(-3))} ${where}`;
  return { expected: `${NAMES.started} ${where}`, actual, diagnosis: wrong('no-started-barrier'), restsOn: LISTS };
}

/** The end of the tool's node, or of the run where the log does not tell of its nodes. */
function isEnd(event: RunEvent): boolean {
  const ofNode = (event.type === 'node.completed' || event.type === 'node.failed') && nodeOf(event) === CHARGE.nodeId;
  return ofNode || endsRun(event);
}

function wrongOrder(steps: readonly InvocationEvent[], run: RecordedRun): Mistake | undefined {
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

/** A call whose run completed, and whose end does not say that it succeeded (sem §3.4). */
function wrongOutcome(steps: readonly InvocationEvent[], run: RecordedRun): Mistake | undefined {
  const finished = steps.find(({ step }) => step === 'finished');
  if (finished === undefined || !eventsOf(run).some(({ type }) => type === 'run.completed')) return undefined;
  const { outcome, event } = finished;
  // A payload that is not shown says nothing, and another member may say the same.
  if (outcome === 'success' || !isRecord(event.payload) || saysSuccess(event.payload)) return undefined;
  const where = `in the payload of ${event.type} (${event.sequence}) of ${named(run)}, which completed`;
  const actual = Object.hasOwn(event.payload, 'outcome') ? JSON.stringify(event.payload['outcome']) : 'no such member';
  return { expected: `outcome "success" ${where}`, actual, diagnosis: wrong('outcome-not-success') };
}

function saysSuccess(payload: Readonly<Record<string, unknown>>): boolean {
  const members = Object.entries(payload).filter(([name]) => !/^outcome$/iu.test(name));
  return members.some(
    ([name, value]) =>
      (/^(?:status|state)$/iu.test(name) && /^(?:success|succeeded|ok|completed)$/iu.test(String(value))) ||
      (/^(?:success|succeeded|ok)$/iu.test(name) && value === true),
  );
}

function listed(events: readonly RunEvent[]): string {
  return events.map(({ type, sequence }) => `${type} (${sequence})`).join(', ');
}
