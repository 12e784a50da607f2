import { isDeepStrictEqual } from 'node:util';
import { member } from '../../src/contract/discovery.ts';
import { fail, type Outcome, pass, rests, undecided } from '../../src/contract/outcome.ts';
import { noneRan } from '../../src/contract/remedy.ts';
import { placeOf, writtenValue } from '../../src/event-log/index.ts';
import type { Observation } from '../../src/evidence/types.ts';
import { isRecord } from '../../src/host/run-event.ts';
import { isWorkflow } from '../../src/protocol/workflow-id.ts';
import { defineScenario, type Judging } from '../../src/runner/define-scenario.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { OWN_IDS, runIdsAgain } from '../../src/runner/shared-runs.ts';
import { addedBeside, faultBesideSource } from '../shared/beside-source.ts';
import { CANCELLED_AFTER_ITS_END } from '../shared/cancel.ts';
import { eventsOf, named } from '../shared/compare-runs.ts';
import { childRunsIn, runsIn, shownRunsIn } from '../shared/every-run.ts';
import { isPassedOver } from '../shared/first-run.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { runOf, runsOf } from '../shared/need.ts';
import { agreedBefore } from '../shared/steady-snapshot.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import {
  channelsOfOwnForm,
  isOfValues,
  namesOfNoEvent,
  readSnapshotAgainstLog,
  showsVariablesOfNoEvent,
  variablesHidden,
  type SnapshotAnswer,
  type SnapshotFault,
} from '../shared/snapshot-fault.ts';
import { wrong } from './diagnoses.ts';
import { hiddenErrors, hidesError } from './hidden-error.ts';
import { oneWordForTwoEnds } from './one-word.ts';
import { CANCELLED, addedByCancelling, endedEarly, VARIABLE_FIXTURES, VARIABLES, WAITING } from './waiting.ts';
import { judgeCancelled } from './snapshot-cancelled.ts';
import { ALONE, HANDOFF_CHILD, type SnapshotObservation, driveSnapshots } from './snapshot-drive.ts';

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
    ...all.flatMap(shownAgain).filter(({ answer: { fault } }) => !(isLate && isOfValues(fault))),
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
    const isOfFork = code.endsWith('-variable') && showsAnotherFork(run, all);
    const owner = restsOn ?? (isOfFork ? FOUNDATIONS.sameStates : undefined);
    return fail({ ...mismatch, diagnosis: wrong(code), restsOn: isShared({ run }) ? OWN_IDS : owner }, evidence);
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

/** A run whose snapshot agreed with its log, and did not when it was read once more at once: a finished run does not change. */
function shownAgain(run: Recorded<RunObservation>) {
  const { snapshotAgain = null } = run;
  if (snapshotAgain === null || readSnapshotAgainstLog(run).kind !== 'agrees') return [];
  const again = { ...run, role: `${run.role}, read once more`, snapshot: snapshotAgain };
  const answer = readSnapshotAgainstLog(again);
  return answer.kind === 'differs' ? [{ run: again, answer }] : [];
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

/** Whether the snapshot of a fork shows what another fork of its source wrote into a variable, and it did not: their states are one. */
function showsAnotherFork(run: RunObservation, all: readonly RunObservation[]): boolean {
  const source = run.fork?.sourceRunId ?? null;
  const variables = member(run.snapshot, 'variables');
  if (source === null || !isRecord(variables)) return false;
  const others = all.filter(({ runId, fork }) => fork?.sourceRunId === source && runId !== run.runId);
  const writes = (by: RunObservation, name: string): boolean =>
    eventsOf(by).some((event) => {
      const place = placeOf(event);
      const isOfName = place?.part === 'variables' && place.name === name;
      return isOfName && isDeepStrictEqual(writtenValue(event), variables[name]);
    });
  return Object.keys(variables).some((name) => !writes(run, name) && others.some((other) => writes(other, name)));
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
  const made = allNamed(channelsOfOwnForm);
  const hidden = allNamed((run) => variablesHidden(run).names);
  const late = runs.filter(({ valuesLate }) => valuesLate).map(named);
  return [
    unshown === '' ? '' : `, none of which shows ${unshown}, as they may`,
    runs.some(hidesError) ? ', of which those of failed runs show no error, as they may' : '',
    listed === '' ? '' : `, which show lists in the place of ${listed}: what these say was not compared`,
    late.length === 0
      ? ''
      : `; first they showed the end and other values, in ${late.length} of them: ${late.slice(0, SHOWN).join(', ')}`,
    hidden === '' ? '' : `; variables whose values the snapshot or its log hides were not compared: ${hidden}`,
    made === ''
      ? ''
      : `; what was written is not seen in channels that hold something else made of it, as they may: ${made}`,
    ...(['variables', 'channels'] as const).map((part) => {
      const unwritten = allNamed((run) => namesOfNoEvent(run, part));
      return unwritten === '' ? '' : `; no event of their logs names these ${part}, which hold something: ${unwritten}`;
    }),
  ].join('');
}

/** How many variables or channels are named. */
const SHOWN = 3;

/** Whether a run is of a workflow that writes variables. */
function isOfWriting({ snapshot }: RunObservation): boolean {
  return VARIABLE_FIXTURES.some((workflowId) => isWorkflow(member(snapshot, 'workflowId'), workflowId));
}

/** A run that is read again later may have been changed by then: that is for the rows about it to judge, but for its cancellation. */
function firstOfEach(runs: readonly Recorded<RunObservation>[]): readonly Recorded<RunObservation>[] {
  const found = new Set<string | null>();
  return runs.filter(({ runId, role }) => {
    const isFirst = !found.has(runId);
    found.add(runId);
    return isFirst || role.endsWith(CANCELLED_AFTER_ITS_END) || IS_CANCELLED.test(role);
  });
}

/** What a run is to any scenario that cancelled it while it waited. */
const IS_CANCELLED = /^cancelled /u;

/** Whoever polls the snapshot alone must be shown the run that the log tells of. */
export const snapshot = defineScenario<SnapshotObservation>({
  id: 'run.snapshot',
  suite: 'run-lifecycle',
  title: 'The snapshot of a finished run says what its log ends with',
  foundation: true,
  judgesRunIds: true,
  drive: driveSnapshots,
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
