import { member } from '../../src/contract/discovery.ts';
import { fail, isOutcome, type Outcome, pass, rests, undecidedUntil } from '../../src/contract/outcome.ts';
import type { ChatAnswer } from '../../src/evidence/witness.ts';
import type { Probe } from '../../src/host/probe.ts';
import { terminalStatus } from '../../src/protocol/run-status.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { compareLogs, comparePrefixes, eventsOf, isCompleted, named, shown } from '../shared/compare-runs.ts';
import { FOUNDATIONS, OF_A_REPLAY } from '../shared/foundations.ts';
import { withFacts } from '../shared/happened.ts';
import { declaring } from '../shared/volatile.ts';
import { codeInEvent, codeInSnapshot, isDivergence, nodeOf } from '../shared/read-event.ts';
import { FAILING_FIXTURES, isPassedOver, startFirst } from '../shared/first-run.ts';
import { needForks, runOf, runsOf, type RecordedRun } from '../shared/need.ts';
import type { Recordings } from '../shared/of-type.ts';
import { type ReadingObservation, readSeen } from '../shared/reading.ts';
import { forkPoints, replayOf, replays } from '../shared/replays.ts';
import { SOURCE_AGAIN } from '../shared/past-the-end.ts';
import { readAgain, type RunObservation, startRun } from '../shared/run-observation.ts';
import { errorWords, otherError } from '../shared/shown-error.ts';
import { isAgainstItsLog } from '../shared/snapshot-fault.ts';
import { type SweptWorkflow, sweptIn } from '../shared/swept-runs.ts';
import { calledAgain, type CallObservation, type CountedRuns, countedRuns, createCounter } from './calls.ts';
import { wrong } from './diagnoses.ts';
import { askedForAttempt, barrenRuns, COMPLETED, CUT_OFF, once, onceAsked, TRIED_AGAIN } from './external-calls.ts';
import { withoutTelemetry } from './judge-silent.ts';
import { sweptAgain } from './replays-of-forks.ts';

/** A run that takes more steps than it may (wire-contract, limits): it fails where hosts have no node that does. */
const CAPPED = { workflowId: 'conformance-cap-breach', inputs: {}, configurable: { recursionLimit: 3 } };
/** Replays of the failing run beside the one from its start. */
const LATER = 1;

/** A workflow whose node asks a model outside the host, and is tried again where the answer does not fit. */
const RETRIED = 'conformance-determinism-llm-retry';
/** What its node is answered. */
const MISFIT = { kind: 'valid', content: '{"valid":"perhaps"}' } as const;
const FIT = { kind: 'valid', content: '{"valid":true}' } as const;
/** It looks whole: that it is not, its finish_reason alone says. */
const CUT = { ...FIT, isCut: true } as const;

async function drive(probe: Probe): Promise<readonly (CallObservation | ReadingObservation)[]> {
  return (await Promise.all([driveFirst(probe), driveRetried(probe), driveCompleted(probe), driveCut(probe)])).flat();
}

async function driveRetried(probe: Probe): ReturnType<typeof drive> {
  const { source, seen } = await retried(probe, TRIED_AGAIN, [MISFIT], (run) => isTriedAgain(run) && isFailed(run));
  // What is written of another attempt is compared over every transport, too.
  return source === undefined ? [] : [...seen, ...(await readSeen(probe, source))];
}

async function driveCompleted(probe: Probe): ReturnType<typeof drive> {
  return (await retried(probe, COMPLETED, [MISFIT, FIT], (run) => isTriedAgain(run) && isCompleted(run))).seen;
}

/** Whether its node is tried again is the host's to say, and whether it fails. */
async function driveCut(probe: Probe): ReturnType<typeof drive> {
  return (await retried(probe, CUT_OFF, [CUT], isFailed)).seen;
}

interface Retried {
  readonly source?: RunObservation;
  readonly seen: readonly CallObservation[];
}

/** A run whose node is answered so, and its replay; none where it does not end as it is meant to. */
async function retried(
  probe: Probe,
  role: string,
  answers: readonly ChatAnswer[],
  isMeant: (run: RunObservation) => boolean,
): Promise<Retried> {
  if (probe.witness === undefined) return { seen: [] };
  const { visit, seen, take } = createCounter(probe.witness, ({ kind }) => kind === 'chat');
  visit.stageChat(answers);
  const source = take(await startRun(probe, { workflowId: RETRIED, inputs: { witnessUrl: visit.url } }, { role }));
  // One that could not ask fails by what it met outside.
  if (source.problem !== null || visit.calls().length === 0 || !isMeant(source)) return { seen: [] };
  take(await replayOf(probe, source, undefined, { role: `replay of the ${role}` }));
  return { source, seen };
}

function isTriedAgain(run: RunObservation): boolean {
  return eventsOf(run).some(isRetry);
}

function isFailed(run: RunObservation): boolean {
  return failureOf(run) !== undefined;
}

function isRetry({ type }: { readonly type: string }): boolean {
  return type === 'node.retried';
}

async function driveFirst(probe: Probe): Promise<readonly RunObservation[]> {
  const { run } = await startFirst(probe, FAILING_FIXTURES, 'source');
  const source = failureOf(run) === undefined ? await startRun(probe, CAPPED, { role: 'source' }) : run;
  if (failureOf(source) === undefined) return [run];
  const points = [undefined, ...forkPoints(source, [], LATER)];
  const forks = await Promise.all(points.map((fromSeq) => replayOf(probe, source, fromSeq)));
  return [source, ...forks, await readAgain(probe, source, { role: SOURCE_AGAIN })];
}

interface Failure {
  readonly code: string | undefined;
  /** The words of its message; '' where there is none. */
  readonly words: string;
  /** The node that failed last, where the log names one. */
  readonly nodeId: string | undefined;
}

/** How a run failed: the error's code, from its log, else from its snapshot, and where; undefined where it did not fail. */
function failureOf(run: RunObservation): Failure | undefined {
  const events = eventsOf(run);
  const end = events.find(({ type }) => terminalStatus(type) !== undefined);
  if (run.problem !== null || end?.type !== 'run.failed') return undefined;
  const node = events.findLast(({ type }) => type === 'node.failed');
  return {
    code: codeInEvent(end) ?? codeInSnapshot(run.snapshot),
    words: errorWords(member(member(end.payload, 'error'), 'message')),
    nodeId: node === undefined ? undefined : nodeOf(node),
  };
}

const SEED = 'seed conformance-failure';
const NO_FAILURE = 'it did not fail';

/** Whether a run is of another workflow than one that fails: the host has none of those, or cannot execute them. */
function isOther(run: RunObservation): boolean {
  return isPassedOver(run) || (run.problem === null && failureOf(run) === undefined);
}

/** replay.md, Use cases 1: a replay of a failing run fails in the same way, after the same events. What lies below its fork point is as fixed as any history. */
function judgeFailures(recorded: Recordings, volatile: readonly string[]): Outcome {
  const first = judgeFirst(recorded, volatile);
  if (first.kind === 'fail') return first;
  const asked = askedForAttempt(recorded);
  if (asked?.kind === 'fail') return rests(onceAsked, asked);
  const completed = otherAttempts(recorded, volatile);
  if (completed !== undefined) return completed;
  for (const role of [TRIED_AGAIN, CUT_OFF]) {
    const source = runOf(recorded, role);
    const failure = source && failureOf(source);
    if (source === undefined || failure === undefined) continue;
    const made = runsOf(recorded).filter((run) => isForkOf(run, source) && run.problem === null);
    const found = otherwiseIn(made, { source, failure, volatile });
    if (found !== undefined) return found;
  }
  return first;
}

/** A replay of a run that completed after another attempt, where it gets there by other attempts and does not say so, or asks nobody for them. */
function otherAttempts(recorded: Recordings, volatile: readonly string[]): Outcome | undefined {
  const source = runOf(recorded, COMPLETED);
  const replay = runsOf(recorded).find((run) => source !== undefined && isForkOf(run, source) && isCompleted(run));
  return source && replay && (attemptGone(recorded, replay, source) ?? otherWay(replay, source, volatile));
}

/** replay.md, C: each attempt has its own record. Who asks no model and tries less often serves one attempt what another was answered. */
function attemptGone(recorded: Recordings, replay: RecordedRun, source: RecordedRun): Outcome | undefined {
  const [before = 0, after = 0] = [source, replay].map((run) => eventsOf(run).filter(isRetry).length);
  const counted = countedRuns(recorded, COMPLETED);
  const called = isOutcome(counted) ? undefined : counted.replays.find(({ run }) => run === replay);
  const isUnasked = called?.calls !== undefined && called.calls.count === called.before;
  if (after >= before || !isUnasked || !eventsOf(replay).some(isDivergence)) return undefined;
  const expected = `node.retried ${before} times in ${named(replay)}, as in ${named(source)}: it asks no model, so that every attempt is served what is recorded of it`;
  return fail({ expected, actual: `${after} times`, diagnosis: wrong('failure-by-another-way') }, [replay, source]);
}

function isForkOf({ fork }: RecordedRun, { runId }: RecordedRun): boolean {
  return fork !== null && fork.sourceRunId === runId;
}

function judgeFirst(recorded: Recordings, volatile: readonly string[]): Outcome {
  const run = runOf(recorded, 'source');
  if (run !== undefined && isOther(run))
    return undecidedUntil(SEED, `${named(run)}: ${run.problem ?? NO_FAILURE}`, [run]);
  const forked = needForks(recorded, (fork) => run !== undefined && isForkOf(fork, run));
  if (isOutcome(forked)) return forked;
  const { source, replays: made } = forked;
  const failure = failureOf(source);
  if (failure === undefined) return undecidedUntil(SEED, `${named(source)}: ${NO_FAILURE}`, [source]);
  const found = otherwiseIn(made, { source, failure, volatile });
  if (found !== undefined) return found;
  const reason = failure.code === undefined ? 'the source shows no error code' : `each failed with ${failure.code}`;
  return declaring(pass([source, ...made], reason), volatile);
}

interface Failed {
  readonly source: RecordedRun;
  readonly failure: Failure;
  readonly volatile: readonly string[];
}

/** What one of these replays does otherwise than its source, which failed so; undefined where none does anything. */
function otherwiseIn(made: readonly RecordedRun[], { source, failure, volatile }: Failed): Outcome | undefined {
  for (const replay of made) {
    const found = otherEnd(replay, source, failure);
    if (found !== undefined) return found;
    const history = comparePrefixes(source, replay, replay.fork?.fromSeq ?? 0, volatile);
    if (history.kind === 'different')
      return fail({ restsOn: FOUNDATIONS.histories, ...history.mismatch }, [replay, source]);
    const otherwise = otherWay(replay, source, volatile);
    if (otherwise !== undefined) return otherwise;
  }
  return undefined;
}

function otherEnd(replay: RecordedRun, source: RecordedRun, { code, nodeId, words }: Failure): Outcome | undefined {
  const failed = failureOf(replay);
  if (failed === undefined) {
    const actual = `${eventsOf(replay).at(-1)?.type ?? 'no event'} at the end of ${named(replay)}`;
    const expected = `run.failed, as at the end of ${named(source)}`;
    return fail({ expected, actual, diagnosis: wrong('failure-gone') }, [replay, source]);
  }
  if (nodeId !== undefined && failed.nodeId !== undefined && failed.nodeId !== nodeId) {
    const expected = `node.failed of ${nodeId} in ${named(replay)}, as in ${named(source)}`;
    const actual = `node.failed of ${failed.nodeId}`;
    return fail({ expected, actual, diagnosis: wrong('failure-otherwise') }, [replay, source]);
  }
  // One log shows what another one and its own snapshot do not.
  const isSame = isAgainstItsLog(replay) && codeInSnapshot(replay.snapshot) === code;
  const restsOn = isSame ? FOUNDATIONS.snapshots : undefined;
  if (code !== undefined && failed.code !== code) {
    const expected = `error code ${code} in ${named(replay)}, as in ${named(source)}`;
    const actual = failed.code ?? 'no error code';
    return fail({ expected, actual, diagnosis: wrong('failure-otherwise'), restsOn }, [replay, source]);
  }
  if (words === '' || failed.words === '' || failed.words === words) return undefined;
  const expected = `the message ${shown(words)} in ${named(replay)}, as in ${named(source)}`;
  return fail({ expected, actual: shown(failed.words), diagnosis: wrong('failure-otherwise') }, [replay, source]);
}

/** A replay that fails like its source by other nodes, attempts or errors of a node, and does not say so, shows nobody what led to the failure. */
function otherWay(replay: RecordedRun, source: RecordedRun, volatile: readonly string[]): Outcome | undefined {
  if (eventsOf(replay).some(isDivergence)) return undefined;
  const other = otherNodesError(replay, source);
  if (other !== undefined) return other;
  const compared = compareLogs(wayOf(source), wayOf(replay), volatile);
  if (compared.kind !== 'different') return otherAttempt(replay, source);
  const { expected, actual, restsOn = FOUNDATIONS.silence } = compared.mismatch;
  const mismatch = { expected: `${expected}; or replay.diverged in ${named(replay)}`, actual, restsOn };
  return fail({ ...mismatch, diagnosis: wrong('failure-by-another-way') }, [replay, source]);
}

/** A replay that gives an attempt another number than its source does, where both give one. */
function otherAttempt(replay: RecordedRun, source: RecordedRun): Outcome | undefined {
  const [before = [], after = []] = [source, replay].map((run) => eventsOf(run).filter(isRetry));
  for (const [index, { payload }] of before.entries()) {
    const [number, other] = [payload, after[index]?.payload].map((each) => member(each, 'attempt'));
    if (typeof number !== 'number' || typeof other !== 'number' || number === other) continue;
    const expected = `attempt ${number} in node.retried of ${named(replay)}, as in ${named(source)}; or replay.diverged there`;
    const mismatch = { expected, actual: String(other), restsOn: FOUNDATIONS.silence };
    return fail({ ...mismatch, diagnosis: wrong('failure-by-another-way') }, [replay, source]);
  }
  return undefined;
}

/** The failure of a replay whose node failed with another error, and that does not say so. */
function otherNodesError(replay: RecordedRun, source: RecordedRun): Outcome | undefined {
  if (eventsOf(replay).some(isDivergence)) return undefined;
  const [before, after] = [source, replay].map((run) => eventsOf(run).findLast(({ type }) => type === 'node.failed'));
  const other = otherError(before, after);
  if (other === undefined) return undefined;
  const expected = `${other.expected} in node.failed of ${named(replay)}, as in ${named(source)}`;
  const mismatch = { expected: `${expected}; or replay.diverged there`, actual: other.actual };
  return fail({ ...mismatch, diagnosis: wrong('failure-otherwise') }, [replay, source]);
}

/** What happened in a run on the way to its failure, its attempts among it. */
function wayOf(run: RecordedRun): RecordedRun {
  return withFacts(withoutTelemetry(run), 'node.retried');
}

/** Failing runs of other workflows with their replays, as a sweep made them: each is replayed by the same way to the same end. */
function judgeSwept(swept: readonly SweptWorkflow[], volatile: readonly string[]): Outcome | undefined {
  for (const { source, replays: made } of swept) {
    const failure = failureOf(source);
    if (failure === undefined) continue;
    for (const replay of made.filter(({ fork }) => fork?.mode === 'replay')) {
      const found = otherEnd(replay, source, failure) ?? otherWay(replay, source, volatile);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** Replays of replays that failed, as a sweep made them. What they do otherwise beside that the row about them says. */
function judgeAgain(pairs: ReturnType<typeof sweptAgain>): Outcome | undefined {
  for (const { source, replay } of pairs) {
    const failure = failureOf(source);
    const found = failure && (otherEnd(replay, source, failure) ?? otherNodesError(replay, source));
    if (found?.kind === 'fail') return rests(`${OF_A_REPLAY}.every-fixture`, found);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Replays of runs whose tool failed: the failure is what was recorded of it. Whoever calls the tool again is named for that, and one that
 * says that it differs hides nothing.
 */
function judgeTools(runs: readonly CountedRuns[]): Outcome | undefined {
  for (const counted of runs) {
    const failure = failureOf(counted.source);
    if (failure === undefined || calledAgain(counted) !== undefined) continue;
    for (const { run } of counted.replays) {
      if (run.problem !== null || eventsOf(run).some(isDivergence)) continue;
      const found = otherEnd(run, counted.source, failure) ?? otherNodesError(run, counted.source);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** The use that replays were made for: to see a failure again. */
export const failures = defineScenario({
  id: 'replay.same-failure',
  suite: 'replay-determinism',
  title: 'A run that failed is replayed',
  needs: [replays],
  witnessHelps: true,
  foundation: true,
  drive,
  checks: [
    {
      id: 'replay.same-failure',
      title: 'A failing run fails again with the same error, after the same history, events and attempts',
      judge: (recorded, { options: { volatile }, everything }) => {
        const own = judgeFailures(recorded, volatile);
        if (own.kind === 'fail') return own;
        const ofTools = barrenRuns(everything.filter(({ scenario }) => scenario === once));
        return (
          judgeSwept(sweptIn(everything), volatile) ?? judgeTools(ofTools) ?? judgeAgain(sweptAgain(everything)) ?? own
        );
      },
    },
  ],
});
