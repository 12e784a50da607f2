import { isDeepStrictEqual } from 'node:util';
import { member } from '../../src/contract/discovery.ts';
import { foldEvents } from '../../src/event-log/index.ts';
import { isRecord, type RunEvent } from '../../src/host/run-event.ts';
import { compareLogs, comparePrefixes, eventsOf, named, rawOf, shown } from '../shared/compare-runs.ts';
import type { Compared } from '../shared/compared.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import type { SeenRun } from '../shared/need.ts';
import { nodeOf } from '../shared/node-of.ts';
import { wrong } from './diagnoses.ts';
import { RAISED, statusOf } from './met.ts';
import { textMember } from './node-in-log.ts';

/** What the history of a replay is measured by: its source, the node that diverged, and what was declared volatile. */
export interface Standing {
  readonly source: SeenRun;
  readonly nodeId: string;
  readonly volatile: readonly string[];
}

/**
 * Compares what a replay has before its diverging call with its source's: the fixed history of one that starts at a
 * sequence number (0041 §C.1), else all events before the first one of that node; then the variables that were written
 * there, where the snapshot shows variables (0041 §B, §C.2).
 */
export function compareHistories({ source, nodeId, volatile }: Standing, replay: SeenRun): Compared {
  const [ours, theirs] = [before(source, nodeId), before(replay, nodeId)];
  if (ours === undefined || theirs === undefined) {
    const run = ours === undefined ? source : replay;
    return { kind: 'unreadable', reason: `no event of ${named(run)} is about ${nodeId}` };
  }
  const fromSeq = replay.fork?.fromSeq ?? null;
  const compared =
    fromSeq === null
      ? compareLogs({ ...source, events: rawOf(ours) }, { ...replay, events: rawOf(theirs) }, volatile)
      : comparePrefixes(source, replay, fromSeq, volatile);
  return compared.kind === 'same' ? compareVariables(source, replay, theirs) : compared;
}

/** The events before the first one that is about a node, or says that the replay diverged. */
function before(run: SeenRun, nodeId: string): readonly RunEvent[] | undefined {
  const events = eventsOf(run);
  const at = events.findIndex((event) => nodeOf(event) === nodeId || event.type === RAISED);
  return at === -1 ? undefined : events.slice(0, at);
}

/** Whether the snapshot of the failed replay still has what its history wrote; one that lags behind says nothing. */
function compareVariables(source: SeenRun, replay: SeenRun, history: readonly RunEvent[]): Compared {
  const same: Compared = { kind: 'same' };
  const variables = member(replay.snapshot, 'variables');
  if (!isRecord(variables) || textMember(replay.snapshot, 'status') !== statusOf(replay)) return same;
  const [written, end] = [variablesAfter(rawOf(history)), variablesAfter(replay.events)];
  for (const [name, value] of written) {
    // What the call itself wrote anew is another check's matter.
    if (!isDeepStrictEqual(end.get(name), value) || !showsVariable(source, name)) continue;
    const is = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (isDeepStrictEqual(is, value)) continue;
    const at = `/variables/${name}`;
    const expected = `${at}: ${shown(value)} in the snapshot of ${named(replay)}, as written in its history`;
    return {
      kind: 'different',
      mismatch: {
        expected,
        actual: `${at}: ${shown(is)}`,
        diagnosis: wrong('history-lost'),
        restsOn: FOUNDATIONS.snapshots,
      },
    };
  }
  return same;
}

/** Whether a run's snapshot shows a variable as its log says: a host that shows another one there does so in replays too. */
function showsVariable(run: SeenRun, name: string): boolean {
  const variables = member(run.snapshot, 'variables');
  const value = variablesAfter(run.events).get(name);
  return isRecord(variables) && Object.hasOwn(variables, name) && isDeepStrictEqual(variables[name], value);
}

function variablesAfter(events: readonly unknown[]): ReadonlyMap<string, unknown> {
  const folded = foldEvents(events);
  return folded.ok ? folded.state.variables : new Map();
}
