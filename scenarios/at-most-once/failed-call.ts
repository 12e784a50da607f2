import { provableSemantics } from '../../src/contract/gates.ts';
import { member } from '../../src/contract/discovery.ts';
import { fail, notApplicable, type Outcome, pass, undecided, undecidedUntil } from '../../src/contract/outcome.ts';
import type { EffectFailure, WitnessVisit } from '../../src/evidence/witness.ts';
import type { Probe } from '../../src/host/probe.ts';
import { isRecord, type RunEvent } from '../../src/host/run-event.ts';
import { endOf, isEnded } from '../../src/protocol/run-status.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { eventsOf, named } from '../shared/compare-runs.ts';
import { sharedCause } from '../shared/diagnoses.ts';
import { leftUndriven, leftWithout, runOf } from '../shared/need.ts';
import { isOnlyOfOtherMode } from '../shared/other-mode.ts';
import type { Recordings } from '../shared/of-type.ts';
import { nodeOf } from '../shared/read-event.ts';
import { offersMode, type RunObservation, startRun } from '../shared/run-observation.ts';
import { failureOf, settle } from '../shared/settle.ts';
import { statusIn } from '../shared/snapshot.ts';
import { callsAfter, type CallsObservation, callsOf, COUNTED, notCalled } from '../shared/witnessed-run.ts';
import { callNamesIn } from './call-names.ts';
import { wrong } from './diagnoses.ts';
import { attemptOf, externalKeys } from './external-key.ts';
import { CHARGE, ONCE } from './fixtures.ts';
import { stepsOf } from './invocation-events.ts';
import { failedOtherwise } from './replayed-failure.ts';
import { forkUntilSettled, isWaiting, untilSettled } from './settled-run.ts';

/** The ways in which the tool fails after its effect: it answers with an error, or nobody hears from it. */
export const FAILURES: readonly EffectFailure[] = ['status 500', 'reset', 'silence'];

/** How long a run says that its tool may take, in milliseconds (docs/fixtures.md): hosts with limits of their own ignore it. */
const TOOL_TIMEOUT_MS = 300;

/** The inputs of a run whose tool fails so, beside the address of its witness. */
export function inputsOf(how: EffectFailure): Readonly<Record<string, unknown>> {
  return how === 'silence' ? { toolTimeoutMs: TOOL_TIMEOUT_MS } : {};
}

/** A silent call is held for so much of a time-out, and cut off then: every host comes to know of a failure. */
const SILENCE = 0.5;

/** Lets the tool of a visit's run fail. */
export function stageFailure(visit: WitnessVisit, how: EffectFailure, { timeoutMs }: Pick<Probe, 'timeoutMs'>): void {
  visit.failEffect(CHARGE.effect, how, SILENCE * timeoutMs);
}

/** A failure in words. */
export function failureText(how: EffectFailure): string {
  return { 'status 500': 'the tool answers 500', reset: 'the call is reset', silence: 'the tool does not answer' }[how];
}

type FailedCallObservation = RunObservation | CallsObservation;

const roleOf = (how: EffectFailure): string => `run where ${failureText(how)}`;
const replayRoleOf = (how: EffectFailure): string => `replay where ${failureText(how)}`;

async function drive(probe: Probe): Promise<readonly FailedCallObservation[]> {
  const driven = await Promise.all(FAILURES.map((how) => driveFailure(probe, how)));
  return driven.flat();
}

async function driveFailure(probe: Probe, how: EffectFailure): Promise<readonly FailedCallObservation[]> {
  const visit = probe.witness?.visit();
  if (visit === undefined) return [];
  stageFailure(visit, how, probe);
  const request = { workflowId: ONCE, inputs: { witnessUrl: visit.url, ...inputsOf(how) } };
  const begun = await startRun(probe, request, { role: roleOf(how), until: () => true });
  const run = begun.problem === null ? await untilSettled(probe, begun) : begun;
  const calls = callsAfter(run.role, visit);
  if (run.problem !== null || !offersMode(probe.discovery, 'replay')) return [run, calls];
  const replay = await forkUntilSettled(probe, run, { mode: 'replay' }, replayRoleOf(how));
  return [run, calls, replay, callsAfter(replay.role, visit)];
}

/** Judges once.failed-call: what the log says of a call that failed, where no host died. */
function judgeRecorded(recorded: Recordings): Outcome {
  const found = FAILURES.map((how) => judgeRecord(recorded, how));
  return failureOf(found) ?? found.find(isEndUntold) ?? allOf(found);
}

/** Whether a call failed, and nothing was written of how it ended. */
function isEndUntold(outcome: Outcome): boolean {
  return outcome.kind === 'undecided' && outcome.remedies?.some(({ step }) => step === SHOW_END) === true;
}

/** A failure where one of them fails; else a pass where an answer with an error was recorded, whatever was not seen. */
function allOf(found: readonly Outcome[]): Outcome {
  const [first] = found;
  return failureOf(found) ?? (first === undefined || first.kind !== 'pass' ? (first ?? settle([])) : settle(found));
}

function judgeRecord(recorded: Recordings, how: EffectFailure): Outcome {
  const [run, calls] = [runOf(recorded, roleOf(how)), callsOf(recorded, roleOf(how))];
  if (run === undefined || calls === undefined) return leftUndriven(roleOf(how));
  const left = leftWithout([run]);
  if (left !== undefined) return left;
  const evidence = [run, calls];
  if (calls.calls.length === 0) return undecided(notCalled(calls, run), evidence);
  const steps = stepsOf(run, CHARGE);
  const said = steps.filter(({ step }) => step === 'finished');
  const success = said.find(({ outcome }) => outcome === 'success')?.event;
  const ended = endOf(eventsOf(run)) ?? (isWaiting(run) ? 'waiting' : 'in flight');
  if (success !== undefined || ended === 'completed') {
    // A tool may take an answer for an answer, whatever its status; where there was none, nothing has succeeded.
    if (how === 'status 500' || success === undefined) {
      return undecided(`${named(run)} goes on: the host takes what the tool did for a result`, evidence);
    }
    const expected = `no tool_invocation_finished with outcome success in ${named(run)}: ${failureText(how)}`;
    const actual = `${success.type} (${success.sequence}) says success`;
    return fail({ expected, actual, diagnosis: wrong('failure-as-success') }, evidence);
  }
  if (!steps.some(({ step }) => step === 'started')) {
    return undecided(`${named(run)} shows no tool_invocation_started`, evidence);
  }
  const isTold = eventsOf(run).some(tellsOfFailedCall);
  const [silent] = said;
  if (silent !== undefined && !isTold && said.every(({ event }) => saysNoEnd(event.payload))) {
    const { type, sequence } = silent.event;
    const expected = `an outcome that is no success in ${type} (${sequence}) of ${named(run)}: ${failureText(how)}`;
    const actual = 'a payload that names the call, and not how it ended';
    return fail({ expected, actual, diagnosis: wrong('failure-without-outcome') }, evidence);
  }
  if (silent !== undefined || isTold) return pass(evidence, `${how}: recorded as failed`);
  // A call that nobody heard of is in doubt as long as its run has not failed over it.
  if (how !== 'status 500' && ended !== 'failed') return pass(evidence, `${how}: left in doubt`);
  if (ended !== 'failed') return undecided(`${named(run)} is ${ended}: how its call ended is open`, evidence);
  const replay = runOf(recorded, replayRoleOf(how));
  const errors = [run, ...(replay === undefined ? [] : [replay])].flatMap(errorsIn);
  const inFlight = errors.find((error) => IN_FLIGHT.test(error));
  if (inFlight === undefined && errorsIn(run).length > 0) {
    const why = `${named(run)} shows an error beside tool_invocation_started, and whether the record of the call is closed is open`;
    return undecidedUntil(SHOW_END, why, evidence);
  }
  const expected = `tool_invocation_finished with an outcome that is no success in ${named(run)}: ${failureText(how)}`;
  const words = inFlight === undefined ? '' : ` (${inFlight})`;
  const actual = `tool_invocation_started alone, and the run has failed${words}: the call stays in flight`;
  const shownBy = replay !== undefined && inFlight !== undefined ? [...evidence, replay] : evidence;
  return fail({ expected, actual, diagnosis: wrong('failure-left-in-flight') }, shownBy);
}

const SHOW_END = 'write tool_invocation_finished with outcome failure for a call that failed';

/** What a host says of a call of which it keeps nothing but the start (sem §2). */
const IN_FLIGHT = /in[\s_-]?flight/iu;

/** The errors with which the tool's node and the run failed, as JSON texts. */
function errorsIn(run: RunObservation): readonly string[] {
  const failures = eventsOf(run).filter(
    (event) => (event.type === 'node.failed' && nodeOf(event) === CHARGE.nodeId) || event.type === 'run.failed',
  );
  return [...failures.map(({ payload }) => errorIn(payload)), member(run.snapshot, 'error')]
    .filter((error) => (isRecord(error) ? Object.keys(error).length > 0 : Boolean(error)))
    .map((error) => JSON.stringify(error));
}

/** The error in a payload, which may be the payload itself. */
function errorIn(payload: unknown): unknown {
  const isError = ['code', 'message', 'reason'].some((name) => typeof member(payload, name) === 'string');
  return member(payload, 'error') ?? (isError ? payload : undefined);
}

/** The members of a payload that say which call it is about, and when that was, without case and separators. */
const NAMING =
  /^(?:idempotencykey|(?:attempt|node|step|job|run|invocation|call|tool|command)(?:id)?|toolname|attempts?|arguments|args|timestamp|(?:started|finished|ended|created)at|(?:duration|elapsed)(?:ms)?)$/u;

/** Whether a payload that is shown names its call alone: no member says how that ended, in whatever words. */
function saysNoEnd(payload: unknown): boolean {
  if (!isRecord(payload) || Object.keys(payload).length === 0) return false;
  return Object.entries(payload).every(
    ([name, value]) => (value ?? null) === null || NAMING.test(name.toLowerCase().replaceAll(/[^a-z0-9]/gu, '')),
  );
}

/** An event of another type that tells of a call's failure, such as `tool.invocation.failed`. */
function tellsOfFailedCall({ type }: RunEvent): boolean {
  return /tool|invocation|command/iu.test(type) && /fail|error|abort|timeout|timed/iu.test(type);
}

/** Judges once.failed-call.replay: a replay calls nobody, however the call ended, and shows the failure that is recorded. */
function judgeReplayed(recorded: Recordings): Outcome {
  const found = FAILURES.map((how) => judgeReplay(recorded, how));
  return found.every(({ kind }) => kind === 'not-applicable') && found[0] !== undefined ? found[0] : allOf(found);
}

function judgeReplay(recorded: Recordings, how: EffectFailure): Outcome {
  const run = runOf(recorded, roleOf(how));
  const replay = runOf(recorded, replayRoleOf(how));
  const [before, after] = [roleOf(how), replayRoleOf(how)].map((role) => callsOf(recorded, role));
  if (run === undefined || before === undefined) return leftUndriven(roleOf(how));
  const left = leftWithout([run]);
  if (left !== undefined) return left;
  if (replay === undefined || after === undefined) return notApplicable('the host offers no replays', [run]);
  const evidence = [replay, after, run, before];
  const known = externalKeys(before, CHARGE).length;
  if (known === 0) return undecided(notCalled(before, run), evidence);
  const more = externalKeys(after, CHARGE).slice(known);
  const names = callNamesIn(run, CHARGE);
  if (more.length > 0 && !isOnlyOfOtherMode(replay)) {
    if (!hasEnded(run) && more.every((key) => attemptOf(key, names) !== undefined)) {
      return undecided(
        `${named(run)} had not ended, and its own key was in the calls after ${named(replay)}`,
        evidence,
      );
    }
    const expected = `no call of ${CHARGE.toolName} beside the ${known} of ${named(run)}, where ${failureText(how)}`;
    const actual = `${more.length} more after ${named(replay)}`;
    return fail({ expected, actual, diagnosis: sharedCause('second-call'), ...COUNTED }, evidence);
  }
  const unseen = leftWithout([replay]);
  if (unseen !== undefined) return unseen;
  const other = failedOtherwise(run, replay, CHARGE);
  if (other !== undefined) return fail(other, evidence);
  return pass(evidence, `${how}: ${known} calls, none by the replay`);
}

/** Whether a run was over, so that it tries nothing again by itself. */
function hasEnded(run: RunObservation): boolean {
  return endOf(eventsOf(run)) !== undefined || isEnded(statusIn(run.snapshot));
}

/** sem §3 where the call does not succeed: its failure is recorded, and a record is not made again. */
export const failedCall = defineScenario<FailedCallObservation>({
  id: 'once.failed-call',
  suite: 'at-most-once',
  title: 'A tool that fails after its effect',
  gate: provableSemantics,
  needs: [{ kind: 'witness' }, { kind: 'fixture', workflowId: ONCE }],
  drive,
  checks: [
    {
      id: 'once.failed-call',
      title: 'A call that failed is recorded as failed, and no record of it stays in flight',
      judge: judgeRecorded,
    },
    {
      id: 'once.failed-call.replay',
      title: 'A replay of a run whose call failed calls nobody, and shows the same failure',
      judge: judgeReplayed,
    },
  ],
});
