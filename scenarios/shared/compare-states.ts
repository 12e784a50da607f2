import { member } from '../../src/contract/discovery.ts';
import {
  diffSteps,
  diffValues,
  foldEvents,
  foldSteps,
  type LogState,
  type StateStep,
} from '../../src/event-log/index.ts';
import { isRecord } from '../../src/host/run-event.ts';
import { ancestorsOf, withOwnId } from './ancestors.ts';
import { eventsOf, named, prefixesOf, rawOf, shown } from './compare-runs.ts';
import type { Compared } from './compared.ts';
import { FOUNDATIONS } from './foundations.ts';
import type { RunObservation } from './run-observation.ts';
import { readSnapshotAgainstLog } from './snapshot-fault.ts';
import { sharedCause } from './diagnoses.ts';

/**
 * Compares the states of a replay with its source's: folded at the fork point, folded on the way through both logs, and
 * as the snapshots give them at the end (0041 §C.2; readings: interior by folding).
 */
export function compareFullStates(source: RunObservation, fork: RunObservation, fromSeq: number): Compared {
  for (const compare of [compareForkPoints, compareWays]) {
    const compared = compare(source, fork, fromSeq);
    if (compared.kind !== 'same') return compared;
  }
  return compareStates(source, fork);
}

/** Compares the states at a fork point, folded from the history below it. */
export function compareForkPoints(source: RunObservation, fork: RunObservation, fromSeq: number): Compared {
  const { below, inherited } = prefixesOf(source, fork, fromSeq);
  const [a, b] = [foldEvents(rawOf(below)), foldEvents(rawOf(inherited))];
  if (!a.ok) return unreadable(source, a);
  if (!b.ok) return unreadable(fork, b);
  const steps = [{ sequence: fromSeq, state: a.state }] as const;
  const found = diffSteps(steps, [{ sequence: fromSeq, state: b.state }], idsOf(source, fork));
  if (found?.difference === undefined) return { kind: 'same' };
  const { pointer, source: wanted, replay } = found.difference;
  return {
    kind: 'different',
    mismatch: {
      diagnosis: sharedCause('state-differs'),
      expected: `${pointer}: ${shown(wanted)} before sequence ${fromSeq}, folded from ${named(source)}`,
      actual: `${pointer}: ${shown(replay)}, folded from the history of ${named(fork)}`,
    },
  };
}

function compareWays(source: RunObservation, fork: RunObservation): Compared {
  const [a, b] = [foldSteps(withoutWaiting(source)), foldSteps(withoutWaiting(fork))];
  if (!a.ok) return unreadable(source, a);
  if (!b.ok) return unreadable(fork, b);
  const found = diffSteps(a.steps, b.steps, idsOf(source, fork));
  if (found === undefined) return { kind: 'same' };
  const { difference } = found;
  const text = (step: StateStep | undefined, value: unknown): string =>
    step === undefined
      ? 'no further state'
      : difference === undefined
        ? `sequence ${step.sequence}: ${shown(plain(step.state))}`
        : `sequence ${step.sequence} ${difference.pointer}: ${shown(value)}`;
  return {
    kind: 'different',
    mismatch: {
      diagnosis: sharedCause('state-differs'),
      expected: `${text(found.source, difference?.source)}, folded from ${named(source)}`,
      actual: `${text(found.replay, difference?.replay)}, folded from ${named(fork)}`,
    },
  };
}

/** An interrupt that short-circuits need not show that it waits (replay.md, Determinism 2). */
function withoutWaiting(run: RunObservation) {
  return rawOf(eventsOf(run).filter(({ type }) => !type.startsWith('interrupt.')));
}

function idsOf(source: RunObservation, fork: RunObservation) {
  return { sourceRunId: source.runId ?? '', replayRunId: fork.runId ?? '' };
}

function unreadable(run: RunObservation, { at, message }: { readonly at: string; readonly message: string }): Compared {
  return { kind: 'unreadable', reason: `the log of ${named(run)}, ${at}: ${message}` };
}

function plain({ status, variables, channels }: LogState): object {
  return { status, variables: Object.fromEntries(variables), channels: Object.fromEntries(channels) };
}

/** The checks that say so where one of two snapshots lacks a member: every snapshot has a status. */
const LEFT_OUT = {
  status: FOUNDATIONS.snapshotShapes,
  variables: 'sequence.state-equal',
  channels: 'sequence.state-equal',
} as const;

/** Whether a snapshot was read before it showed the end of its log: how late that may be, another row says (run.snapshot-agrees). */
function isBehind(run: RunObservation): boolean {
  return readSnapshotAgainstLog(run).kind === 'behind';
}

/** Compares status, variables and channels of two runs at their ends (0041 §C.2). */
export function compareStates(source: RunObservation, replay: RunObservation): Compared {
  const run = [source, replay].find(({ snapshot }) => !isRecord(snapshot));
  if (run !== undefined) {
    return { kind: 'unreadable', reason: `the snapshot of the ${run.role} could not be read` };
  }
  const ancestors = ancestorsOf(source, replay);
  for (const name of ['status', 'variables', 'channels'] as const) {
    const ids = { sourceRunId: source.runId ?? '', replayRunId: replay.runId ?? '' };
    const [a, b] = [source, replay].map((each) => withOwnId(member(each.snapshot, name), each, ancestors));
    const [difference] = diffValues(a ?? null, b ?? null, { pointer: `/${name}`, ...ids });
    if (difference === undefined) continue;
    const late = name === 'status' ? [source, replay].find(isBehind) : undefined;
    if (late !== undefined) {
      return {
        kind: 'unreadable',
        reason: `the snapshot of ${named(late)}, whose log has ended, says ${shown(late === source ? a : b)}`,
      };
    }
    const { pointer } = difference;
    const isLeftOut = (a ?? null) === null || (b ?? null) === null;
    return {
      kind: 'different',
      mismatch: {
        diagnosis: sharedCause('state-differs'),
        ...(isLeftOut && { restsOn: LEFT_OUT[name] }),
        expected: `${pointer}: ${shown(difference.source)} as in the snapshot of ${named(source)}`,
        actual: `${pointer}: ${shown(difference.replay)} in the snapshot of ${named(replay)}`,
      },
    };
  }
  return { kind: 'same' };
}
