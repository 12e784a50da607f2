import { member } from '../../src/contract/discovery.ts';
import { fail, type Outcome, pass, rests, undecided, undecidedUntil } from '../../src/contract/outcome.ts';
import { noneRan } from '../../src/contract/remedy.ts';
import { copyPacked, keepMember } from '../../src/evidence/pack.ts';
import type { Observation } from '../../src/evidence/types.ts';
import { repeatPaced } from '../../src/host/paced.ts';
import type { Probe } from '../../src/host/probe.ts';
import { endOf, isEnded, isOwnWord, kindOfStatus } from '../../src/protocol/run-status.ts';
import { isNoRoute, isServerError } from '../../src/protocol/status.ts';
import { isWorkflow } from '../../src/protocol/workflow-id.ts';
import { defineScenario, type Judging } from '../../src/runner/define-scenario.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { OWN_IDS, runIdsAgain } from '../../src/runner/shared-runs.ts';
import { addedBeside, faultBesideSource } from '../shared/beside-source.ts';
import { CANCELLED_AFTER_ITS_END } from '../shared/cancel.ts';
import { bounds, eventsOf, named, shown } from '../shared/compare-runs.ts';
import { childRunsIn, runsIn, shownRunsIn } from '../shared/every-run.ts';
import { FAILING_FIXTURES, isPassedOver, PUBLIC_FIXTURES, startFirst } from '../shared/first-run.ts';
import { sharedCause } from '../shared/diagnoses.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { runOf, runsOf } from '../shared/need.ts';
import { agreedBefore } from '../shared/steady-snapshot.ts';
import type { Recordings } from '../shared/of-type.ts';
import {
  accepted,
  bodyOf,
  type RequestedObservation,
  requestsOf,
  shownAnswer,
  statusOf,
  whyUndecided,
} from '../shared/requested.ts';
import { offersMode, type RunObservation, startFork, startRun } from '../shared/run-observation.ts';
import {
  channelsOfNoEvent,
  channelsOfOwnForm,
  isAgainstItsLog,
  isOfValues,
  readSnapshotAgainstLog,
  showsVariablesOfNoEvent,
  variablesHidden,
  type SnapshotAnswer,
  type SnapshotFault,
} from '../shared/snapshot-fault.ts';
import { readSnapshot, statusIn } from '../shared/snapshot.ts';
import { cancelledOtherwise } from './cancel-answers.ts';
import { wrong } from './diagnoses.ts';
import { hiddenErrors, hidesError } from './hidden-error.ts';
import { oneWordForTwoEnds } from './one-word.ts';
import {
  CANCEL,
  CANCEL_UNKNOWN,
  CANCELLED,
  addedByCancelling,
  cancelWaiting,
  endedEarly,
  VARIABLE_FIXTURES,
  VARIABLES,
  WAITING,
} from './waiting.ts';
import type { LateObservation } from './observation.ts';

/**
 * Judges the snapshots of a scenario's own runs, and of every run that another one followed to its end. Only the own ones
 * were given the time to catch up with their logs.
 */
export function judgeSnapshots(
  recorded: readonly Recorded<Observation>[],
  { everything }: Pick<Judging, 'everything'>,
): Outcome {
  const own = runsOf(recorded);
  const isLate = recorded.some(({ type }) => type === 'late');
  const ownIds = new Set(own.map(({ id }) => id));
  const others = firstOfEach(shownRunsIn(everything).filter(({ id }) => !ownIds.has(id)));
  const again = new Set<string | null>(runIdsAgain(everything).map(({ runId }) => runId));
  const isShared = ({ run: { runId } }: { readonly run: RunObservation }): boolean => again.has(runId);
  const all = [...own, ...others];
  const read = [
    ...all.map((run) => ({ run, answer: answerOf(run, all) })),
    ...childrenShownOtherwise(everything, runOf(own, ALONE)),
  ];
  // What two runs of one id show may be of either: those that have an id of their own decide first.
  const answers = [...read.filter((each) => !isShared(each)), ...read.filter(isShared)];
  for (const { run, answer } of answers) {
    if (!('fault' in answer)) continue;
    const isWrong = ownIds.has(run.id) || (answer.kind === 'differs' && !(isLate && isOfValues(answer.fault)));
    if (!isWrong) continue;
    const { code, restsOn, ...mismatch } = answer.fault;
    const other = code === 'snapshot-ended-early' ? laterOf(run, all) : agreedBefore(run, all);
    const evidence = [run, ...(other === undefined ? [] : [other])];
    return fail({ ...mismatch, diagnosis: wrong(code), restsOn: isShared({ run }) ? OWN_IDS : restsOn }, evidence);
  }
  const agreed = answers.filter((each) => each.answer.kind === 'agrees' && !isShared(each)).map(({ run }) => run);
  const hiding = hiddenErrors(agreed).find(({ run }) => ownIds.has(run.id) || !isLate);
  if (hiding !== undefined) {
    const { code, ...mismatch } = hiding.fault;
    return fail({ ...mismatch, diagnosis: wrong(code) }, [hiding.run, hiding.other]);
  }
  const alike = oneWordForTwoEnds(
    answers.flatMap(({ run, answer }) =>
      answer.kind === 'agrees' && ownIds.has(run.id) && !isShared({ run }) ? [run] : [],
    ),
  );
  if (alike !== undefined) {
    const { run, other, mismatch } = alike;
    return fail({ ...mismatch, diagnosis: wrong('snapshot-other-end') }, [run, other]);
  }
  const empty = answers.find(({ run, answer }) => answer.kind === 'none' && run.snapshotIsEmpty === true)?.run;
  if (empty !== undefined) {
    const expected = `a snapshot of ${named(empty)}, whose log has ended, at GET /v1/runs/{runId}`;
    return fail({ expected, actual: '200 without a body', diagnosis: wrong('snapshot-empty') }, [empty]);
  }
  const hidden = answers.find(({ answer }) => answer.kind === 'none')?.run;
  if (hidden !== undefined) {
    const why = hidden.snapshot === null ? 'could not be read' : 'shows no status';
    const without = undecided(`the snapshot of ${named(hidden)} ${why} to compare with its log`, [hidden]);
    return hidden.snapshot === null ? without : rests(FOUNDATIONS.snapshotShapes, without);
  }
  const writing = own.find((run) => run.role === VARIABLES && isOfWriting(run));
  if (writing !== undefined && showsVariablesOfNoEvent(writing)) {
    const why = `the snapshot of ${named(writing)} shows variables, and no event of its log gives one a value`;
    return undecided(`${why}: show what the run writes as variable.changed`, [writing]);
  }
  if (writing !== undefined && variablesHidden(writing).areAll) {
    const why = `the snapshot of ${named(writing)} or its log hides the values of all variables that the run writes`;
    return undecided(`${why}: show plain values of a workflow without secrets in both`, [writing]);
  }
  if (agreed.length > 0) return pass(agreed, `${agreed.length} snapshots beside their logs${unshownIn(agreed)}`);
  const none = 'no run was seen to end and to show a snapshot';
  const without = undecided(own.length > 0 && own.every(isPassedOver) ? noneRan(none) : none, own);
  return again.size === 0 ? without : rests(OWN_IDS, without);
}

/**
 * The children of runs whose snapshots show something else than their logs, or values of which neither their logs
 * know nor a run of the same workflow that nobody dispatched.
 */
function childrenShownOtherwise(
  everything: Judging['everything'],
  alone: RunObservation | undefined,
): readonly { readonly run: Recorded<RunObservation>; readonly answer: SnapshotAnswer }[] {
  return childRunsIn(everything).flatMap((run) => {
    const answer = readSnapshotAgainstLog(run);
    if (answer.kind === 'differs') return [{ run, answer }];
    const isAlike = alone?.problem === null && [run, alone].every(isOfHandoffChild);
    if (answer.kind !== 'agrees' || !isAlike) return [];
    const parent = runsIn(everything).find(({ role, scenario }) => role === run.parent && scenario === run.scenario);
    const fault = addedBeside(run, alone, parent);
    return fault === undefined ? [] : [{ run, answer: { kind: 'differs', fault } }];
  });
}

function isOfHandoffChild({ snapshot: document }: Pick<RunObservation, 'snapshot'>): boolean {
  return isWorkflow(member(document, 'workflowId'), HANDOFF_CHILD);
}

/** What a snapshot says beside its log, and beside its source's where it is a fork's. */
function answerOf(run: RunObservation, all: readonly RunObservation[]): SnapshotAnswer {
  const answer = readSnapshotAgainstLog(run);
  const fault = answer.kind === 'agrees' ? (faultBesideSource(run, all) ?? afterWaiting(run, all)) : earlyEnd(run, all);
  return fault === undefined ? answer : { kind: 'differs', fault };
}

/** An end that the snapshot of a run showed while it waited, and that it did not come to. */
function earlyEnd(run: RunObservation, all: readonly RunObservation[]): SnapshotFault | undefined {
  const later = run.role === WAITING ? laterOf(run, all) : undefined;
  return later && endedEarly(run, later);
}

/** What the snapshot of a run that was cancelled shows, and did not while it waited. */
function afterWaiting(run: RunObservation, all: readonly RunObservation[]): SnapshotFault | undefined {
  if (run.role !== CANCELLED) return undefined;
  const waiting = all.find(({ role, runId }) => role === WAITING && runId === run.runId);
  return waiting && addedByCancelling(waiting, run);
}

/** A run that waited, as it was after it was cancelled. */
function laterOf<Run extends RunObservation>({ runId }: RunObservation, all: readonly Run[]): Run | undefined {
  return all.find((run) => run.role === CANCELLED && run.runId === runId);
}

/** The members that none of these snapshots shows, as they may (wire-contract, Documents), or shows as a list: nothing was compared there. */
function unshownIn(runs: readonly RunObservation[]): string {
  const names = (isMeant: (value: unknown) => boolean): string =>
    ['variables', 'channels']
      .filter((name) => runs.every(({ snapshot }) => isMeant(member(snapshot, name))))
      .join(' or ');
  const [unshown, listed] = [names((value) => (value ?? null) === null), names((value) => Array.isArray(value))];
  const allNamed = (of: (run: RunObservation) => readonly string[]): string =>
    runs
      .flatMap((run) => of(run).map((name) => `${name} (${named(run)})`))
      .slice(0, SHOWN)
      .join(', ');
  const [made, unwritten] = [allNamed(channelsOfOwnForm), allNamed(channelsOfNoEvent)];
  const hidden = allNamed((run) => variablesHidden(run).names);
  return [
    unshown === '' ? '' : `, none of which shows ${unshown}, as they may`,
    runs.some(hidesError) ? ', of which those of failed runs show no error, as they may' : '',
    listed === '' ? '' : `, which show lists in the place of ${listed}: what these say was not compared`,
    hidden === '' ? '' : `; variables whose values the snapshot or its log hides were not compared: ${hidden}`,
    made === ''
      ? ''
      : `; what was written is not seen in channels that hold something else made of it, as they may: ${made}`,
    unwritten === '' ? '' : `; no event of their logs names these channels, which hold something: ${unwritten}`,
  ].join('');
}

/** How many variables or channels are named. */
const SHOWN = 3;

/** Whether a run is of a workflow that writes variables. */
function isOfWriting({ snapshot }: RunObservation): boolean {
  return VARIABLE_FIXTURES.some((workflowId) => isWorkflow(member(snapshot, 'workflowId'), workflowId));
}

/** A run that is read again later may have been changed by then: that is for the rows about it to judge, but for a cancellation that came too late. */
function firstOfEach(runs: readonly Recorded<RunObservation>[]): readonly Recorded<RunObservation>[] {
  const found = new Set<string | null>();
  return runs.filter(({ runId, role }) => {
    const isFirst = !found.has(runId);
    found.add(runId);
    return isFirst || role.endsWith(CANCELLED_AFTER_ITS_END);
  });
}

/** The role of a run that completes. */
const RUN = 'run';

/** A run that completes, one that fails, and those that leave values behind: each the first one that the host knows. */
const SOURCES: readonly (readonly [role: string, ...workflowIds: string[]])[] = [
  [RUN, ...PUBLIC_FIXTURES],
  ['failing run', ...FAILING_FIXTURES],
  [VARIABLES, ...VARIABLE_FIXTURES],
  ['run with channels', 'conformance-determinism-channel-write', 'conformance-conversation-replay'],
];

type SnapshotObservation = RunObservation | LateObservation | RequestedObservation;

async function drive(probe: Probe): Promise<readonly SnapshotObservation[]> {
  const runs = await Promise.all([
    ...SOURCES.map(([role, ...workflowIds]) => runAndReplay(probe, role, workflowIds)),
    runAlone(probe),
    cancelWaiting(probe),
  ]);
  const settled = await Promise.all(
    runs.flat().map(async (run) => (run.type === 'run' ? observedLate(run, await caughtUp(probe, run)) : [run])),
  );
  const seen = settled.flat();
  // A word of a host's own may be one for a run that goes on: it is given the time of one.
  if (oneWordForTwoEnds(runsOfWords(seen)) === undefined) return seen;
  const again = seen.map(async (run) =>
    run.type === 'run' ? observedLate(run, await pastOwnWord(probe, run)) : [run],
  );
  return (await Promise.all(again)).flat();
}

/** A run as it was read last, and that this was later than before where its snapshot agrees with its log, or shows its error, only then. */
function observedLate(before: RunObservation, last: RunObservation): readonly (RunObservation | LateObservation)[] {
  const isLate = last !== before && agrees(last) && !(agrees(before) && hidesError(last));
  return isLate ? [last, { type: 'late', role: last.role, exchanges: last.exchanges }] : [last];
}

/** The runs whose snapshots agree with their logs: some may do so by a word of the host's own. */
function runsOfWords(seen: readonly SnapshotObservation[]): readonly RunObservation[] {
  return seen.filter((each) => each.type === 'run').filter(agrees);
}

/** The role of a run of a workflow whose runs others dispatch, and that workflow. */
const [ALONE, HANDOFF_CHILD] = ['run that nobody dispatched', 'conformance-multi-agent-handoff-child'];

/** None where the host does not know it. */
async function runAlone(probe: Probe): Promise<readonly RunObservation[]> {
  const run = await startRun(probe, { workflowId: HANDOFF_CHILD, inputs: {} }, { role: ALONE });
  return run.problem === null ? [run] : [];
}

async function runAndReplay(
  probe: Probe,
  role: string,
  workflowIds: readonly string[],
): Promise<readonly RunObservation[]> {
  const { run } = await startFirst(probe, workflowIds, role);
  const again = agrees(run) ? await readOnce(probe, run) : run;
  const read = isAgainstItsLog(again) ? [run, { ...again, role: `${role}, whose snapshot is read again` }] : [run];
  if (run.problem !== null || !offersMode(probe.discovery, 'replay')) return read;
  const forks = [
    startFork(probe, run, { mode: 'replay' }, { role: `replay of the ${role}` }),
    ...(role === RUN ? laterPoints(run) : []).map((fromSeq) =>
      startFork(probe, run, { mode: 'replay', fromSeq }, { role: `replay of the ${role} from ${fromSeq}` }),
    ),
  ];
  return [...read, ...(await Promise.all(forks))];
}

/** Where a replay has something of its source's log before it, or all of that but its end. */
function laterPoints(run: RunObservation): readonly number[] {
  const { middle, last } = bounds(run);
  return [...new Set([middle, last])];
}

/** How long values may lag behind a status that shows the end, in milliseconds. */
const VALUES = 5_000;

/** A snapshot may be built after the log: it is read for one more time-out before its status counts as wrong. */
async function caughtUp(probe: Probe, run: RunObservation): Promise<RunObservation> {
  const { kind } = readSnapshotAgainstLog(run);
  if (kind !== 'behind' && kind !== 'differs' && !hidesError(run)) return run;
  const patienceMs = kind === 'behind' ? probe.timeoutMs : Math.min(VALUES, probe.timeoutMs);
  return readUntil(probe, run, { patienceMs, isEnough: saysAll });
}

/** Whether a snapshot says what its log ends with, its error as well. */
function saysAll(run: RunObservation): boolean {
  return agrees(run) && !hidesError(run);
}

function agrees(run: RunObservation): boolean {
  return readSnapshotAgainstLog(run).kind === 'agrees';
}

/** A run, read until its snapshot shows another status than a word of the host's own. */
async function pastOwnWord(probe: Probe, run: RunObservation): Promise<RunObservation> {
  if (!isOwnWord(statusIn(run.snapshot)) || !agrees(run)) return run;
  const last = await readUntil(probe, run, { patienceMs: probe.timeoutMs, isEnough: hasNoOwnWord });
  return hasNoOwnWord(last) ? last : run;
}

function hasNoOwnWord(run: RunObservation): boolean {
  return !isOwnWord(statusIn(run.snapshot));
}

/** How long a snapshot is read, and what has to be seen in it. */
interface Until {
  readonly patienceMs: number;
  readonly isEnough: (run: RunObservation) => boolean;
}

async function readUntil(probe: Probe, run: RunObservation, { patienceMs, isEnough }: Until): Promise<RunObservation> {
  return repeatPaced(() => readOnce(probe, run), isEnough, { patienceMs, signal: probe.signal });
}

/** A run with its snapshot as it is now; as it was where none is read. */
async function readOnce(probe: Probe, run: RunObservation): Promise<RunObservation> {
  if (run.runId === null) return run;
  const { snapshot: last, exchanges } = await readSnapshot(probe, probe.host, { runId: run.runId, ended: undefined });
  const read = copyPacked(run, { exchanges: [...run.exchanges, ...exchanges] });
  if (last !== null) keepMember(read, 'snapshot', last);
  return read;
}

/** Whoever polls the snapshot alone must be shown the run that the log tells of. */
export const snapshot = defineScenario<SnapshotObservation>({
  id: 'run.snapshot',
  suite: 'run-lifecycle',
  title: 'The snapshot of a finished run says what its log ends with',
  foundation: true,
  judgesRunIds: true,
  drive,
  checks: [
    {
      id: 'run.snapshot-agrees',
      title: 'Status, error code, variables and channels of a finished run are those that its log ends with',
      judge: judgeSnapshots,
    },
    {
      id: 'run.cancel',
      title:
        'The answer to a cancellation names the run, and says how it goes on; a run that there is not is not cancelled',
      judge: judgeCancelled,
    },
  ],
});

/** Judges what is answered to the cancellation of a run that waits, by how that run goes on, and to any other (wire-contract, Endpoints). */
export function judgeCancelled(recorded: Recordings, { everything }: Pick<Judging, 'everything'>): Outcome {
  const own = judgeWaiting(recorded);
  return own.kind === 'fail' ? own : (cancelledOtherwise(everything) ?? own);
}

function judgeWaiting(recorded: Recordings): Outcome {
  const [requested] = requestsOf(recorded, CANCEL);
  const [waiting, later] = [runOf(recorded, WAITING), runOf(recorded, CANCELLED)];
  if (requested === undefined || waiting === undefined) {
    const why = 'no run that waits for an answer was there to cancel';
    return undecidedUntil('run conformance-approval, which asks', why, runsOf(recorded));
  }
  const status = statusOf(requested);
  if (isNoRoute(status)) {
    return undecidedUntil('cancel runs that wait, at POST /v1/runs/{runId}/cancel', `it is answered with ${status}`, [
      requested,
    ]);
  }
  const why = whyUndecided(requested);
  if (why !== undefined) return undecided(why, [requested]);
  if (isServerError(status)) {
    const expected = `200, or a refusal, for the cancellation of ${named(waiting)}`;
    return fail({ expected, actual: shownAnswer(requested), diagnosis: sharedCause('server-error') }, [
      requested,
      waiting,
    ]);
  }
  if (!accepted(requested)) return undecided(`it was refused: ${shownAnswer(requested)}`, [requested]);
  const [runId, said] = ['runId', 'status'].map((name) => member(bodyOf(requested), name));
  const diagnosis = wrong('cancel-untrue');
  if (typeof runId === 'string' && runId !== waiting.runId) {
    const expected = `runId ${shown(waiting.runId)} in the answer to the cancellation of ${named(waiting)}`;
    return fail({ expected, actual: shown(runId), diagnosis }, [requested, waiting]);
  }
  const unknown = requestsOf(recorded, CANCEL_UNKNOWN).find((each) => accepted(each) || isServerError(statusOf(each)));
  if (unknown !== undefined) {
    const expected = `404 for ${unknown.name}`;
    const cause = sharedCause(accepted(unknown) ? 'carried-out' : 'server-error');
    return fail({ expected, actual: shownAnswer(unknown), diagnosis: cause }, [unknown, requested]);
  }
  if (status === 200 && (typeof runId !== 'string' || typeof said !== 'string')) {
    const expected = `runId and status in the answer to the cancellation of ${named(waiting)}`;
    return fail({ diagnosis: wrong('cancel-untold'), expected, actual: shown(bodyOf(requested)) }, [
      requested,
      waiting,
    ]);
  }
  if (later === undefined || (later.problem !== null && eventsOf(later).length === 0))
    return undecided(`${named(waiting)} was not read again`, [requested, waiting]);
  const end = endOf(eventsOf(later)) ?? openStatus(later.snapshot);
  if (end === undefined && isEnded(said) && later.problem !== null && isAsBefore(later, waiting)) {
    const expected = `an event that ends the log of ${named(later)}, as the answer to its cancellation says (${shown(said)})`;
    return fail({ expected, actual: `none was written${lastOf(later)}`, diagnosis }, [requested, waiting, later]);
  }
  if (end === undefined)
    return undecidedUntil(SHOW_END, `${named(later)} does not show how it goes on${lastOf(later)}`, [requested, later]);
  if (end === said) return pass([requested, later]);
  if (!isEnded(said)) {
    const [answered, goesOn] = [`the answer says ${shown(said)}`, `${named(later)} goes on as before`];
    if (end === 'cancelled' || end === 'failed') return pass([requested, later], `${answered}, and it ends so: ${end}`);
    if (!isEnded(end))
      return undecided(`${answered}, and ${goesOn} (${end}): its end was not seen`, [requested, later]);
  }
  const expected = `status ${shown(isEnded(said) ? said : 'cancelled')} of ${named(later)}, as the answer to its cancellation says (${shown(said)})`;
  // Where the snapshot says so as well, the row about snapshots does.
  const restsOn = statusIn(later.snapshot) === said ? FOUNDATIONS.snapshots : undefined;
  return fail({ expected, actual: shown(end), diagnosis, restsOn }, [requested, later]);
}

const SHOW_END = 'show run.cancelled in the log and the status cancelled in the snapshot';

/** Whether nothing was written to the log of a run since it was read first. */
function isAsBefore(later: RunObservation, before: RunObservation): boolean {
  const last = eventsOf(before).at(-1)?.sequence;
  return last !== undefined && eventsOf(later).at(-1)?.sequence === last;
}

/** The last event of a run, and its status, in words: a host may spell them otherwise. */
function lastOf(run: RunObservation): string {
  const last = eventsOf(run).at(-1)?.type;
  const status = statusIn(run.snapshot);
  const parts = [last && `its log ends with ${last}`, status && `its snapshot shows ${status}`].filter(Boolean);
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

/** The status of a run that goes on and is not about to be cancelled. */
function openStatus(document: unknown): string | undefined {
  const status = statusIn(document);
  return kindOfStatus(status) === 'open' && status !== 'cancelling' ? status : undefined;
}
