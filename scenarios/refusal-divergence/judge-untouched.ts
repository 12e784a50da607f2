import { isDeepStrictEqual } from 'node:util';
import { member } from '../../src/contract/discovery.ts';
import { fail, type Outcome, pass } from '../../src/contract/outcome.ts';
import { endsRun, kindOfStatus } from '../../src/protocol/run-status.ts';
import { eventsOf, named, shown } from '../shared/compare-runs.ts';
import { compareStates } from '../shared/compare-states.ts';
import type { RecordedRun } from '../shared/need.ts';
import { settle } from '../shared/settle.ts';
import { EVENT_MEMBERS, logChange, snapshotChange } from '../shared/source-change.ts';
import { SOURCE_UNTOUCHED } from '../shared/foundations.ts';
import { type Situation, undecidedOn } from './observation.ts';
import { sharedCause } from '../shared/diagnoses.ts';

/** replay.md, Two modes: a run is after its replays what it was before them, its log and its state. */
export function judgeUntouched(situations: readonly Situation[]): Outcome {
  return settle(
    situations.map((situation) => {
      const { facts, run, change } = situation;
      const [source, before, after, replay] = [run('source'), run('before'), run('after'), run('changed')];
      if (source === undefined || before === undefined || after === undefined) {
        return undecidedOn(situation, facts.problem ?? 'the source was not read again');
      }
      if (typeof replay?.runId !== 'string') return undecidedOn(situation, 'no replay was made');
      if (change !== undefined) return fail({ ...change.mismatch, restsOn: SOURCE_UNTOUCHED }, change.evidence);
      if (before.problem !== null || after.problem !== null) {
        return undecidedOn(situation, 'the source could not be read again');
      }
      return compare(before, after, situation);
    }),
  );
}

function compare(before: RecordedRun, after: RecordedRun, situation: Situation): Outcome {
  const evidence = [after, before, situation.facts];
  const [was, is] = [eventsOf(before).map(contentOf), eventsOf(after).map(contentOf)];
  const at = Array.from({ length: Math.max(was.length, is.length) }, (_, index) => index).find(
    (index) => !isDeepStrictEqual(was[index], is[index]),
  );
  if (at !== undefined) {
    const expected = `event ${at + 1} of ${named(after)}: ${shown(was[at])}`;
    const actual = was[at] === undefined ? `one more event: ${shown(is[at])}` : shown(is[at]);
    return fail({ diagnosis: sharedCause('source-changed'), expected, actual, restsOn: SOURCE_UNTOUCHED }, evidence);
  }
  const change = logChange(before, after, membersInBoth(before, after));
  if (change !== undefined) return fail({ ...change, restsOn: SOURCE_UNTOUCHED }, evidence);
  if (before.snapshot === null || after.snapshot === null) return pass(evidence);
  const states = compareStates(before, after);
  const mismatch = states.kind === 'different' ? states.mismatch : snapshotChange(before, after);
  if (mismatch === undefined) return pass(evidence);
  if (lagsBehind(before)) {
    const why = `the snapshot of ${named(before)} did not show the end that its log shows`;
    return undecidedOn(situation, why, evidence);
  }
  return fail({ ...mismatch, restsOn: SOURCE_UNTOUCHED }, evidence);
}

/** The members of events that both readings of a log show: one over another transport may leave some out. */
function membersInBoth(before: RecordedRun, after: RecordedRun): readonly string[] {
  return EVENT_MEMBERS.filter((name) =>
    [before, after].every((run) => eventsOf(run).some(({ raw }) => (member(raw, name) ?? null) !== null)),
  );
}

/** Whether a run's log has an end while its snapshot shows a run that goes on. */
function lagsBehind({ events, snapshot }: RecordedRun): boolean {
  const hasEnded = eventsOf({ events }).some(endsRun);
  return hasEnded && kindOfStatus(member(snapshot, 'status')) === 'open';
}

/** What an event says, whatever else a host adds while it is read. */
function contentOf({ eventId, sequence, type, nodeId, payload }: ReturnType<typeof eventsOf>[number]): object {
  return { eventId, sequence, type, nodeId: nodeId ?? null, payload };
}
