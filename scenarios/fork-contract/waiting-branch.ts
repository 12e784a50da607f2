import {
  fail,
  isOutcome,
  notApplicable,
  pass,
  rests,
  undecided,
  undecidedUntil,
  type Outcome,
} from '../../src/contract/outcome.ts';
import { copyPacked } from '../../src/evidence/pack.ts';
import type { Observation } from '../../src/evidence/types.ts';
import { readNow } from '../../src/host/log/now.ts';
import type { Probe } from '../../src/host/probe.ts';
import { cancelPath } from '../../src/protocol/paths.ts';
import { endOf, endSaidBy, endsRun, goesOn } from '../../src/protocol/run-status.ts';
import { isClientError, isNoRoute, saysNothing } from '../../src/protocol/status.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { type AnswerObservation, answerRun, isAccepted, startAsking } from '../shared/answering.ts';
import { cancelRun } from '../shared/cancel.ts';
import { bounds, eventsOf, named } from '../shared/compare-runs.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { need, type RecordedRun, refusedWrongly, runOf } from '../shared/need.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import { isAsking } from '../shared/open-question.ts';
import { ASKING, branchPastQuestion, hasEnded, type PastQuestion } from '../shared/past-question.ts';
import { branches } from '../shared/replays.ts';
import { accepted, type RequestedObservation, requestsOf, sendRequest } from '../shared/requested.ts';
import { isObserved, readAgain, type RunObservation, startFork } from '../shared/run-observation.ts';
import { allPass } from '../shared/settle.ts';
import { isOfValues, readSnapshotAgainstLog } from '../shared/snapshot-fault.ts';
import { awaitStatus, statusIn } from '../shared/snapshot.ts';
import { isClosed, notCancelled, unanswerable } from './behind-question.ts';
import { ROW as BRANCH_ACTS, startOf } from './branch-acts.ts';
import { awaitedAs, CANCEL, CANCELLED, CANCELLED_BRANCH, DUPLICATE, ROLES, WAITING } from './waiting-roles.ts';
import { wrong } from './diagnoses.ts';

export { ROLES } from './waiting-roles.ts';

/** A run that waits, and branches of it: one is answered and one is cancelled, then the run itself is answered, then the last. */
async function driveAnswers(probe: Probe): Promise<readonly Observation[]> {
  const { candidate, run: source } = await startAsking(probe, ROLES.source);
  if (!isObserved(source) || hasEnded(source)) return [source];
  const { nodeId, goesOn: resumeValue } = candidate;
  const fromSeq = startOf(source, nodeId);
  if (fromSeq === undefined) return [source];
  const answer = async ({ replay, waits, status }: PastQuestion): Promise<readonly AnswerObservation[]> => {
    if (!waits) return [];
    const given = await answerRun(probe, replay, nodeId, resumeValue);
    return [status === undefined ? given : { ...given, status }];
  };
  const branchAs = (role: string, from = fromSeq) => branchPastQuestion(probe, source, { role, fromSeq: from });
  const last = await lastOf(probe, source);
  const [behind, left, other] = await Promise.all([
    branchAs(ROLES.behind, last),
    branchAs(ROLES.left),
    branchAs(ROLES.other),
  ]);
  const given = await answer(behind);
  const first: Observation[] = [behind.replay, ...given];
  if (!given.some(isAccepted)) {
    const branch = await branchAs(ROLES.branch);
    first.push(branch.replay, ...(await answer(branch)));
  }
  const cancelled = other.waits ? await cancel(probe, other.replay, ROLES.cancelled) : [];
  // The source is brought to its end in any case.
  const second = await answer({ replay: source, waits: true });
  const third = await answer(left);
  const again = await readAgain(probe, source, { role: ROLES.again });
  return [source, left.replay, other.replay, ...first, ...cancelled, ...second, ...third, again];
}

/** The last event of a log as it stands. */
async function lastOf({ host }: Probe, run: RunObservation): Promise<number> {
  const { events } = await readNow(host, run.runId ?? '', isAsking);
  return events?.at(-1)?.sequence ?? bounds(run).last;
}

/** Another run that waits, and a branch of it: the run is cancelled, then the branch is answered, and read again where it took that. */
async function driveCancelled(probe: Probe): Promise<readonly Observation[]> {
  const { candidate, run: source } = await startAsking(probe, ROLES.second);
  if (!isObserved(source) || hasEnded(source)) return [source];
  const { nodeId, goesOn: resumeValue } = candidate;
  const fromSeq = startOf(source, nodeId);
  if (fromSeq === undefined) return [source, ...(await cancel(probe, source, ROLES.gone))];
  const { replay: branch, waits } = await branchPastQuestion(probe, source, { role: ROLES.orphan, fromSeq });
  const cancelled = await cancel(probe, source, ROLES.gone);
  const gone = [...cancelled, ...(await refusedBranch(probe, cancelled))];
  if (!waits) return [source, branch, ...gone];
  const answer = await answerRun(probe, branch, nodeId, resumeValue);
  const again = isAccepted(answer) ? [await readAgain(probe, branch, { role: ROLES.orphanAgain })] : [];
  return [source, branch, ...gone, answer, ...again];
}

/** A branch from the end of a run that was cancelled, where that is refused. */
async function refusedBranch(
  probe: Probe,
  cancelled: readonly (RunObservation | RequestedObservation)[],
): Promise<readonly RunObservation[]> {
  const run = cancelled.find((each) => each.type === 'run');
  const end = run === undefined ? undefined : eventsOf(run).find(endsRun);
  if (run === undefined || end === undefined || !isObserved(run)) return [];
  const body = { mode: 'branch', fromSeq: end.sequence } as const;
  const branch = await startFork(probe, run, body, { role: CANCELLED_BRANCH, until: () => true });
  await cancelRun(probe, branch.runId);
  return refusedWrongly(branch) ? [branch] : [];
}

/** Cancels a run and reads it again, where the host cancels it. */
async function cancel(
  probe: Probe,
  run: RunObservation,
  role: string,
): Promise<readonly (RunObservation | RequestedObservation)[]> {
  const about = { row: CANCEL, name: role, body: '{}' };
  const requested = await sendRequest(probe.host, cancelPath(run.runId ?? ''), about);
  if (!accepted(requested)) return [requested];
  const read = await readAgain(probe, run, { role });
  return [requested, read, ...(await awaited(probe, read))];
}

/** A run that was cancelled, as its snapshot shows it after a time-out, where it showed at first that the run goes on. */
async function awaited(probe: Probe, run: RunObservation): Promise<readonly RunObservation[]> {
  if (readSnapshotAgainstLog(run).kind !== 'behind') return [];
  const awaiting = { runId: run.runId, isEnough: isOver, patienceMs: probe.timeoutMs };
  const { snapshot, exchanges } = await awaitStatus(probe, awaiting);
  return [copyPacked(run, { role: awaitedAs(run.role), snapshot, exchanges: [...run.exchanges, ...exchanges] })];
}

function isOver(status: string | undefined): boolean {
  return !goesOn(status);
}

type Answer = Recorded<AnswerObservation>;

/** The answer to the question of a run. */
function answerTo(recorded: Recordings, role: string): Answer | undefined {
  return ofType<AnswerObservation>(recorded, 'answer').find((answer) => answer.role === role);
}

/** replay.md, Two modes: what becomes of a branch, which is fully independent, changes nothing of its source, nor the reverse. */
export function judgeWaiting(recorded: Recordings): Outcome {
  const runs = need(recorded, ROLES.source);
  if (isOutcome(runs)) return runs;
  const { source } = runs;
  const answeredAs = (role: string) => ({ run: runOf(recorded, role), answer: answerTo(recorded, role) });
  const fromStart = answeredAs(ROLES.branch);
  const closed =
    unanswerable(answeredAs(ROLES.behind), fromStart) ??
    unanswerable(fromStart, answeredAs(ROLES.source), `${BRANCH_ACTS}.approval`);
  if (closed !== undefined) return closed;
  // The one from behind the question is absent in old evidence, and the other one where that took its answer.
  const role = runOf(recorded, ROLES.branch) === undefined ? ROLES.behind : ROLES.branch;
  const branch = runOf(recorded, role);
  const [first, second] = [answerTo(recorded, role), answerTo(recorded, ROLES.source)];
  if (branch === undefined || second === undefined) {
    const why = `${named(source)} does not show where it asks, or did not wait`;
    return undecidedUntil('write its events with its nodeId, show interrupt.requested, and wait', why, [source]);
  }
  if (branch.runId === null) return notBranched(source, branch);
  const evidence = [second, branch, source];
  if (first === undefined || !isAccepted(first)) {
    const why = `${named(branch)} ${first === undefined ? 'did not wait' : `was answered with ${first.answered ?? 'nothing'}`}`;
    return undecidedUntil('let a branch from the start of a question ask it, and take the answer', why, evidence);
  }
  const when = 'its branch was answered';
  const ofSource =
    (isAccepted(second) ? cancelledToo(runOf(recorded, ROLES.again), when, CANCELLED) : undefined) ??
    stillOpen(recorded, source, second, when);
  const [left, last] = [runOf(recorded, ROLES.left), answerTo(recorded, ROLES.left)];
  // Absent in old evidence.
  const ofBranch = left && last && stillOpen(recorded, left, last, 'its source was answered, and another branch of it');
  return allPass([pass([branch, first]), ofSource, ...(ofBranch === undefined ? [] : [ofBranch])]);
}

/** replay.md, Two modes, of cancelling: neither a branch nor its source is cancelled with the other. */
export function judgeCancelled(recorded: Recordings): Outcome {
  const runs = need(recorded, ROLES.source);
  if (isOutcome(runs)) return runs;
  const { source } = runs;
  const branch = runOf(recorded, ROLES.other);
  if (branch?.runId === null) return notBranched(source, branch);
  const request = (role: string) => requestsOf(recorded, CANCEL).find(({ name }) => name === role);
  const refused = notCancelled(
    { run: branch, requested: request(ROLES.cancelled) },
    { run: runOf(recorded, ROLES.second), requested: request(ROLES.gone) },
  );
  if (refused !== undefined) return refused;
  const outcomes = [
    { cancelled: ROLES.cancelled, other: ROLES.source, again: ROLES.again, when: 'its branch was cancelled' },
    { cancelled: ROLES.gone, other: ROLES.orphan, again: ROLES.orphanAgain, when: 'its source was cancelled' },
  ].flatMap(({ cancelled: role, other, again, when }): readonly Outcome[] => {
    const [cancelled, run, answer] = [runOf(recorded, role), runOf(recorded, other), answerTo(recorded, other)];
    if (cancelled === undefined || run === undefined || answer === undefined) return [];
    const end = endOf(eventsOf(cancelled));
    if (end !== 'cancelled') {
      const why = `the log of ${named(cancelled)} ends with ${end ?? 'nothing'}`;
      return [undecidedUntil('cancel a run that waits where that is answered with a success', why, [cancelled])];
    }
    const later = runOf(recorded, awaitedAs(role));
    const behind = later === undefined ? undefined : goingOn(later);
    if (behind !== undefined) return [behind];
    if (isAccepted(answer)) {
      const after = runOf(recorded, again);
      return [cancelledToo(after, when) ?? shownOtherwise(after, when) ?? pass([answer, run, cancelled])];
    }
    // Whoever takes no answer of this form closed nothing.
    const taken = ofType<AnswerObservation>(recorded, 'answer').filter(isAccepted);
    if (taken.length === 0) return [];
    // Its twins are other branches: where none of them takes an answer, cancelling closed nothing.
    if (other === ROLES.orphan && taken.every(({ role: name }) => name === ROLES.source)) {
      const why = `no branch took an answer, nor did ${named(run)} when ${when}`;
      return [rests(WAITING, undecided(why, [answer, run]))];
    }
    return [closedBy(run, answer, { when, isMeant: other === ROLES.orphan || isCancelled(recorded), owner: WAITING })];
  });
  if (outcomes.length > 0) return allPass(outcomes);
  const why = 'no run that waits was cancelled, or none of the others took an answer';
  return undecidedUntil('cancel runs that wait, at POST /v1/runs/{runId}/cancel', why, [source]);
}

/** A run whose log ends cancelled and whose snapshot still says that it goes on: where those of others do so too, their row says so. */
function goingOn(run: RecordedRun): Outcome | undefined {
  const read = readSnapshotAgainstLog(run);
  if (read.kind !== 'behind') return undefined;
  const { expected, actual } = read.fault;
  return fail({ diagnosis: wrong('not-independent'), expected, actual, restsOn: FOUNDATIONS.snapshots }, [run]);
}

/** A run whose snapshot shows another end than it came to, since another one was cancelled. */
function shownOtherwise(again: RecordedRun | undefined, when: string): Outcome | undefined {
  const read = again && readSnapshotAgainstLog(again);
  if (again === undefined || read?.kind !== 'differs' || isOfValues(read.fault)) return undefined;
  const { expected, actual, restsOn = FOUNDATIONS.snapshots } = read.fault;
  // Another end is not that of the run that was cancelled.
  if (endSaidBy(statusIn(again.snapshot)) !== 'cancelled')
    return rests(restsOn, undecided(`${actual} in the place of ${expected}`, [again]));
  return fail({ diagnosis: wrong('not-independent'), expected: `${expected}, also when ${when}`, actual, restsOn }, [
    again,
  ]);
}

/** The source, which nobody cancelled, ends as if somebody had. */
function isCancelled(recorded: Recordings): boolean {
  const again = runOf(recorded, ROLES.again);
  return again !== undefined && endOf(eventsOf(again)) === 'cancelled';
}

/** What is wrong with a run that was answered and ends cancelled, though nobody cancelled it. */
function cancelledToo(again: RecordedRun | undefined, when: string, restsOn?: string): Outcome | undefined {
  if (again === undefined || endOf(eventsOf(again)) !== 'cancelled') return undefined;
  const expected = `${named(again)} still waits when ${when}, and goes on with an answer of its own`;
  return fail(
    {
      diagnosis: wrong('not-independent'),
      expected,
      actual: `its answer was taken, and its log ends with run.cancelled`,
      restsOn,
    },
    [again],
  );
}

/** The documents leave open whether a run that waits is branched, which is for branches that work; a refusal says so, but for 409, as its row says. */
function notBranched(source: RecordedRun, branch: RecordedRun): Outcome {
  const { answered } = branch;
  const why = `a branch of a run that waits was answered with ${answered ?? 'nothing'}`;
  const evidence = [branch, source];
  const left =
    answered !== null && answered !== DUPLICATE && isRefusal(answered)
      ? notApplicable(`${why}; whether there are such is left open by the documents`, evidence)
      : undecidedUntil('make a branch of a run that waits, or refuse it with 422', why, evidence);
  return rests(FOUNDATIONS.branches, left);
}

/** Whether the host looked at what was requested and will not do it. */
function isRefusal(status: number): boolean {
  return !saysNothing(status, 'action') && (isClientError(status) || isNoRoute(status));
}

/** Judges that a question is open until it is answered itself. */
function stillOpen(recorded: Recordings, run: RecordedRun, answer: Answer, when: string): Outcome {
  if (isAccepted(answer)) return pass([answer, run]);
  return closedBy(run, answer, { when, isMeant: !isCancelled(recorded), owner: CANCELLED });
}

interface Closing {
  readonly when: string;
  /** Whether what happened then closed it, and not what another check is about. */
  readonly isMeant: boolean;
  readonly owner: string;
}

function closedBy(run: RecordedRun, answer: Answer, { when, isMeant, owner }: Closing): Outcome {
  const actual = `the answer to the question of ${named(run)} was answered with ${answer.answered ?? 'nothing'}`;
  if (!isClosed(answer)) return undecidedUntil('take the answer', actual, [answer, run]);
  const expected = `${named(run)} still waits when ${when}, and takes an answer of its own`;
  return fail({ diagnosis: wrong('not-independent'), expected, actual, restsOn: isMeant ? undefined : owner }, [
    answer,
    run,
  ]);
}

export const waitingBranch = defineScenario({
  id: WAITING,
  suite: 'fork-contract',
  title: 'A branch of a run that waits is answered and cancelled for itself alone',
  needs: [branches, { kind: 'one-of', candidates: ASKING }],
  drive: async (probe) => (await Promise.all([driveAnswers(probe), driveCancelled(probe)])).flat(),
  checks: [
    {
      id: WAITING,
      title:
        'The answer to a branch leaves the question of its source open, and that to the source those of its branches',
      judge: judgeWaiting,
    },
    {
      id: CANCELLED,
      title: 'Cancelling a branch leaves its source waiting, and cancelling the source its branch',
      judge: judgeCancelled,
    },
  ],
});
