import { isDeepStrictEqual } from 'node:util';
import type { Recorded } from '../../src/runner/scenario.ts';
import { eventsOf, named, shown } from '../shared/compare-runs.ts';
import { compareStates } from '../shared/compare-snapshots.ts';
import { situationsOf, wayText, type RefusalObservation, type SeenRun, type Situation } from './observation.ts';
import type { Outcome } from './outcome.ts';
import { lagsBehind } from './whole-log.ts';

/** replay.md, Two modes: a run is after its replays what it was before them, its log and its state. */
export function judgeUntouched(observations: readonly Recorded<RefusalObservation>[]): readonly Outcome[] {
  return situationsOf(observations).map((situation) => {
    const { facts, run } = situation;
    const open = (reason: string): Outcome => {
      return { kind: 'open', reason: `${wayText(situation)}: ${reason}`, evidence: [facts.id] };
    };
    const [source, before, after, replay] = [run('source'), run('before'), run('after'), run('changed')];
    if (source === undefined || before === undefined || after === undefined) {
      return open(facts.problem ?? 'the source was not read again');
    }
    if (before.problem !== null || after.problem !== null) return open('the source could not be read again');
    if (typeof replay?.runId !== 'string') return open('no replay was made');
    return compare(before, after, situation);
  });
}

function compare(before: SeenRun, after: SeenRun, situation: Situation): Outcome {
  const evidence = [after.id, before.id, situation.facts.id];
  const [was, is] = [eventsOf(before).map(told), eventsOf(after).map(told)];
  const at = Array.from({ length: Math.max(was.length, is.length) }, (_, index) => index).find(
    (index) => !isDeepStrictEqual(was[index], is[index]),
  );
  if (at !== undefined) {
    return {
      kind: 'fail',
      expected: `event ${at + 1} of ${named(after)}: ${shown(was[at])}`,
      actual: was[at] === undefined ? `one more event: ${shown(is[at])}` : shown(is[at]),
      evidence,
    };
  }
  if (before.snapshot === null || after.snapshot === null) return { kind: 'pass', evidence };
  if (lagsBehind(before)) {
    const reason = `${wayText(situation)}: the snapshot of ${named(before)} did not show the end that its log shows`;
    return { kind: 'open', reason, evidence };
  }
  const states = compareStates(before, after);
  return states.kind === 'different' ? { kind: 'fail', ...states.mismatch, evidence } : { kind: 'pass', evidence };
}

/** What an event tells, whatever else a host adds while it is read. */
function told({ eventId, sequence, type, nodeId, payload }: ReturnType<typeof eventsOf>[number]): object {
  return { eventId, sequence, type, nodeId: nodeId ?? null, payload };
}
