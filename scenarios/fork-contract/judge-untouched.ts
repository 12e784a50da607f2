import { isDeepStrictEqual } from 'node:util';
import { member } from '../../src/contract/discovery.ts';
import type { Judgement } from '../../src/contract/verdict.ts';
import type { Observation } from '../../src/evidence/types.ts';
import { terminalStatus } from '../../src/host/run-event.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { eventsOf, named, shown } from '../shared/compare-runs.ts';
import type { Difference } from '../shared/compared.ts';
import { withoutTwin } from './without-twin.ts';
import { runOf, unseen } from '../shared/judge-run.ts';
import type { RunObservation } from '../shared/run-observation.ts';

interface UntouchedRow {
  readonly check: string;
  /** The roles of the run before and after. */
  readonly before: string;
  readonly after: string;
  /** The role of a fork that was carried out in between. */
  readonly twin: string;
}

/** Judges that a run is after forks what it was before (replay.md, Two modes: the original run is unmodified). */
export function judgeUntouched(observations: readonly Recorded<Observation>[], row: UntouchedRow): Judgement {
  const { check } = row;
  const missing = withoutTwin(observations, row);
  if (missing !== undefined) return missing;
  const [before, after] = [runOf(observations, row.before), runOf(observations, row.after)];
  const notSeen = unseen(check, [before, after]);
  if (notSeen !== undefined || before === undefined || after === undefined) {
    return notSeen ?? { check, verdict: 'inconclusive', reason: 'a run was not read', evidence: [] };
  }
  const evidence = [after.id, before.id];
  const mismatch = logChange(before, after) ?? snapshotChange(before, after);
  if (mismatch !== undefined) return { check, verdict: 'fail', ...mismatch, evidence };
  const stale = unread(before) ?? unread(after);
  if (stale !== undefined) return { check, verdict: 'inconclusive', reason: stale, evidence };
  const advice = changedMembers(before, after, isUndocumented);
  const reason = `members of the snapshot that no document names changed: ${advice.join(', ')}`;
  return { check, verdict: 'pass', ...(advice.length === 0 ? {} : { reason }), evidence };
}

const EVENT_MEMBERS = ['eventId', 'runId', 'type', 'sequence', 'seq', 'nodeId', 'causationId', 'timestamp'];
const PAYLOADS = ['payload', 'data'];

/** Where the log of a run is not what it was, or undefined. A member that is null is as good as absent. */
export function logChange(before: RunObservation, after: RunObservation): Difference | undefined {
  const [a, b] = [eventsOf(before), eventsOf(after)];
  if (a.length !== b.length) {
    const sides = [`${a.length} events in ${named(before)}`, `${b.length} events in ${named(after)}`];
    return { expected: `${sides[0]}, as before`, actual: `${sides[1]}, the last of them ${b.at(-1)?.type ?? 'none'}` };
  }
  for (const [index, event] of a.entries()) {
    const other = b[index]?.raw;
    for (const name of [...EVENT_MEMBERS, ...PAYLOADS]) {
      const [was, is] = [member(event.raw, name) ?? null, member(other, name) ?? null];
      if (isDeepStrictEqual(was, is)) continue;
      const place = `sequence ${event.sequence} (${event.type}) /${name}`;
      return {
        expected: `${place}: ${shown(was)} as in ${named(before)}`,
        actual: `${shown(is)} in ${named(after)}`,
      };
    }
  }
  return undefined;
}

/** The members of a snapshot that a document names (wire-contract, Documents). */
const SNAPSHOT_MEMBERS = new Set(
  `runId workflowId status startedAt completedAt endedAt currentNodeId variables channels error tags metadata
   parentRunId forkMode nodeStates`.split(/\s+/u),
);

function isUndocumented(name: string): boolean {
  return !SNAPSHOT_MEMBERS.has(name);
}

/** A snapshot that could not be read, or that had not caught up with the log, shows no change. */
export function unread(run: RunObservation): string | undefined {
  if (run.snapshot === null) return `the snapshot of ${named(run)} could not be read`;
  const status = eventsOf(run)
    .map(({ type }) => terminalStatus(type))
    .find((each) => each !== undefined);
  const shownStatus = member(run.snapshot, 'status');
  if (shownStatus === status) return undefined;
  return `the snapshot of ${named(run)} says ${shown(shownStatus)}, its log says ${shown(status)}`;
}

function snapshotChange(before: RunObservation, after: RunObservation): Difference | undefined {
  if (unread(before) !== undefined || after.snapshot === null) return undefined;
  const [name] = changedMembers(before, after, (each) => !isUndocumented(each));
  if (name === undefined) return undefined;
  return {
    expected: `snapshot /${name}: ${shown(member(before.snapshot, name))} as in ${named(before)}`,
    actual: `${shown(member(after.snapshot, name))} in ${named(after)}`,
  };
}

function changedMembers(
  before: RunObservation,
  after: RunObservation,
  counts: (name: string) => boolean,
): readonly string[] {
  const names = new Set([...Object.keys(before.snapshot ?? {}), ...Object.keys(after.snapshot ?? {})]);
  return [...names].filter(
    (name) => counts(name) && !isDeepStrictEqual(member(before.snapshot, name), member(after.snapshot, name)),
  );
}
