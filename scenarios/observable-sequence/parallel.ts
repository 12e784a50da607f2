import { phase4 } from '../../src/contract/gates.ts';
import { fail, isOutcome, type Outcome, pass, undecided, undecidedUntil } from '../../src/contract/outcome.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { compareLogs, eventsOf, isCompleted, named } from '../shared/compare-runs.ts';
import { declaring } from '../shared/volatile.ts';
import { sharedCause } from '../shared/diagnoses.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { need, needForks } from '../shared/need.ts';
import type { Recordings } from '../shared/of-type.ts';
import { type RunObservation, startFork, startRun } from '../shared/run-observation.ts';
import { callsAfter, type CallsObservation, callsOf, notCalled } from '../shared/witnessed-run.ts';

const id = 'sequence.parallel-branches';
const title = 'Concurrent branches replay in the recorded order';
const workflowId = 'conformance-determinism-parallel';
/** The order in which the branches are answered: neither the definition's nor its reverse. */
const ANSWERED = ['branch-c', 'branch-a', 'branch-b'] as const;
const REPLAYS = 3;
/** What had happened when the calls were counted once more. */
const REPLAYED = 'replays';
/** What owns a second call: the same of one tool alone. */
const ONCE = 'replay.no-second-external-call';
/** How long an answer waits for its predecessors; a host that calls one after the other waits this long twice at most. */
const PATIENCE_MS = 500;

type ParallelObservation = RunObservation | CallsObservation;

async function drive(probe: Probe): Promise<readonly ParallelObservation[]> {
  const visit = probe.witness?.visit();
  if (visit === undefined) return [];
  visit.answerInOrder(ANSWERED, PATIENCE_MS);
  const source = await startRun(probe, { workflowId, inputs: { witnessUrl: visit.url } }, { role: 'source' });
  const calls = callsAfter('source', visit);
  const replays = await Promise.all(
    Array.from({ length: REPLAYS }, (_, index) =>
      startFork(probe, source, { mode: 'replay' }, { role: `replay ${index + 1}` }),
    ),
  );
  return [source, calls, ...replays, callsAfter(REPLAYED, visit)];
}

/** The branches in the order in which they completed. */
function orderOf(run: RunObservation): readonly string[] {
  const names: readonly string[] = ANSWERED;
  const ended = eventsOf(run).filter(({ type, nodeId }) => type === 'node.completed' && names.includes(nodeId ?? ''));
  return ended.map(({ nodeId }) => nodeId ?? '');
}

/** Judges the replays of a run whose branches were answered out of their order in the definition. */
function judgeParallel(recorded: Recordings, volatile: readonly string[]): Outcome {
  const begun = need(recorded, 'source');
  if (isOutcome(begun)) return begun;
  const calls = callsOf(recorded, 'source');
  if (calls?.calls.length === 0) return undecided(notCalled(calls, begun.source), [calls]);
  const runs = needForks(recorded);
  if (isOutcome(runs)) return runs;
  const { source, replays } = runs;
  const order = orderOf(source);
  if (new Set(order).size < ANSWERED.length) {
    return undecidedUntil(
      'write node.completed of each node, with its nodeId',
      `the source's log shows not all branches: ${order.join(', ') || 'none'}`,
      [source],
    );
  }
  for (const replay of replays) {
    const compared = compareLogs(source, replay, volatile);
    if (compared.kind === 'unreadable') return undecided(compared.reason, [source, replay]);
    if (compared.kind === 'same') continue;
    const { reason, ...mismatch } = compared.mismatch;
    const [before, after] = [order, orderOf(replay)].map((each) => each.join(', '));
    const orders = before === after ? [] : [`recorded order ${before}; replayed order ${after || 'none'}`];
    const why = [...orders, ...(reason === undefined ? [] : [reason])].join('; ');
    // An event more leaves the order of the others as it is.
    const isMore = mismatch.diagnosis.code === 'extra' && [...new Set(orderOf(replay))].join(', ') === before;
    const restsOn = isMore ? FOUNDATIONS.sameAgain : mismatch.restsOn;
    return fail({ ...mismatch, restsOn, reason: why === '' ? undefined : why }, [source, replay]);
  }
  const reason = `${replays.length} replays in the recorded order ${order.join(', ')}`;
  return declaring(pass([source, ...replays], reason), volatile);
}

/**
 * Judges that no tool was called once more when all replays had ended. A replay that did not complete may have stopped before its
 * call, and calls of a source that did not complete may still have been on their way when these were counted.
 */
function judgeCalledOnce(recorded: Recordings): Outcome {
  const begun = need(recorded, 'source');
  if (isOutcome(begun)) return begun;
  const [calls, later] = [callsOf(recorded, 'source'), callsOf(recorded, REPLAYED)];
  if (calls === undefined || later === undefined) return undecided('no calls were counted', [begun.source]);
  if (calls.calls.length === 0) return undecided(notCalled(calls, begun.source), [calls]);
  if (!isCompleted(begun.source)) return undecided(`${named(begun.source)} did not complete`, [begun.source, calls]);
  const more = later.calls.length - calls.calls.length;
  if (more > 0) {
    const expected = `no call beside the ${calls.calls.length} of ${named(begun.source)}`;
    const diagnosis = sharedCause('second-call');
    return fail({ expected, actual: `${more} more after its replays`, diagnosis, restsOn: ONCE }, [later, calls]);
  }
  const runs = needForks(recorded);
  if (isOutcome(runs)) return runs;
  const cut = runs.replays.find((run) => !isCompleted(run));
  return cut === undefined
    ? pass([later, calls, ...runs.replays])
    : undecided(`${named(cut)} did not complete`, [cut, later]);
}

/** 0041 §C: the sequence of events is what a replay reproduces, also where branches ran at the same time. */
export const parallelBranches = defineScenario<ParallelObservation>({
  id,
  suite: 'observable-sequence',
  title,
  gate: phase4,
  needs: [
    { kind: 'fork', mode: 'replay', absent: 'inconclusive' },
    { kind: 'witness' },
    { kind: 'fixture', workflowId },
  ],
  drive,
  checks: [
    { id, title, judge: (recorded, { options }) => judgeParallel(recorded, options.volatile) },
    {
      id: `${ONCE}.parallel`,
      title: 'Tools of concurrent branches are not called again on replay',
      judge: judgeCalledOnce,
    },
  ],
});
