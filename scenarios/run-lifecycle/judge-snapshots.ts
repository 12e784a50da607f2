import { member } from '../../src/contract/discovery.ts';
import { fail, pass, rests, undecided, type Outcome } from '../../src/contract/outcome.ts';
import { noneRan } from '../../src/contract/remedy.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Judging } from '../../src/runner/define-scenario.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { OWN_IDS, runIdsAgain } from '../../src/runner/shared-runs.ts';
import { CANCELLED, endedEarly, WAITING } from './waiting.ts';
import { VARIABLE_FIXTURES, VARIABLES } from './fixtures.ts';
import { wrong } from './diagnoses.ts';
import { faultBesideSource } from '../shared/beside-source.ts';
import { shownRunsIn } from '../shared/every-run.ts';
import { named } from '../shared/compare-runs.ts';
import { isPassedOver } from '../shared/first-run.ts';
import { runsOf } from '../shared/need.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import {
  readSnapshotAgainstLog,
  showsVariablesOfNoEvent,
  type SnapshotAnswer,
  type SnapshotFault,
} from '../shared/snapshot-fault.ts';

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
  const read = all.map((run) => ({ run, answer: answerOf(run, all) }));
  // What two runs of one id show may be of either: those that have an id of their own decide first.
  const answers = [...read.filter((each) => !isShared(each)), ...read.filter(isShared)];
  for (const { run, answer } of answers) {
    if (!('fault' in answer)) continue;
    const isWrong = ownIds.has(run.id) || (answer.kind === 'differs' && !(isLate && mayLag(answer.fault)));
    if (!isWrong) continue;
    const { code, ...mismatch } = answer.fault;
    // A fork of a run whose id another one has is of either's workflow.
    const isOfEither = isShared({ run }) || (again.size > 0 && code === 'snapshot-other-workflow');
    const later = code === 'snapshot-ended-early' ? laterOf(run, all) : undefined;
    const evidence = [run, ...(later === undefined ? [] : [later])];
    return fail({ ...mismatch, diagnosis: wrong(code), restsOn: isOfEither ? OWN_IDS : undefined }, evidence);
  }
  const hidden = answers.find(({ answer }) => answer.kind === 'none')?.run;
  if (hidden !== undefined) {
    return undecided(`the snapshot of ${named(hidden)} shows no status to compare with its log`, [hidden]);
  }
  const agreeing = answers.filter((each) => each.answer.kind === 'agrees' && !isShared(each)).map(({ run }) => run);
  const writing = own.find((run) => run.role === VARIABLES && WRITING.has(member(run.snapshot, 'workflowId')));
  if (writing !== undefined && showsVariablesOfNoEvent(writing)) {
    const why = `the snapshot of ${named(writing)} shows variables, and no event of its log gives one a value`;
    return undecided(`${why}: show what the run writes as variable.changed`, [writing]);
  }
  if (agreeing.length > 0)
    return pass(agreeing, `${agreeing.length} snapshots beside their logs${unshownIn(agreeing)}`);
  const none = 'no run was seen to end and to show a snapshot';
  const without = undecided(own.length > 0 && own.every(isPassedOver) ? noneRan(none) : none, own);
  return again.size === 0 ? without : rests(OWN_IDS, without);
}

/** What a snapshot says beside its log, and beside its source's where it is a fork's. */
function answerOf(run: RunObservation, all: readonly RunObservation[]): SnapshotAnswer {
  const answer = readSnapshotAgainstLog(run);
  const fault = answer.kind === 'agrees' ? faultBesideSource(run, all) : earlyEnd(run, all);
  return fault === undefined ? answer : { kind: 'differs', fault };
}

/** An end that the snapshot of a run showed while it waited, and that it did not come to. */
function earlyEnd(run: RunObservation, all: readonly RunObservation[]): SnapshotFault | undefined {
  const later = run.role === WAITING ? laterOf(run, all) : undefined;
  return later && endedEarly(run, later);
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
  return [
    unshown === '' ? '' : `, none of which shows ${unshown}, as they may`,
    listed === '' ? '' : `, which show lists in the place of ${listed}: what these say was not compared`,
  ].join('');
}

const WRITING: ReadonlySet<unknown> = new Set(VARIABLE_FIXTURES);

/** Values may lag on a host whose snapshots were seen to; an end that is another one does not. */
function mayLag({ code }: SnapshotFault): boolean {
  return code !== 'snapshot-other-end';
}

/** A run that is read again later may have been changed by then: that is for the rows about it to judge. */
function firstOfEach(runs: readonly Recorded<RunObservation>[]): readonly Recorded<RunObservation>[] {
  const found = new Set<string | null>();
  return runs.filter(({ runId }) => {
    const isFirst = !found.has(runId);
    found.add(runId);
    return isFirst;
  });
}
