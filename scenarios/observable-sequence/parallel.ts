import { phase4 } from '../../src/contract/gates.ts';
import { fail, isOutcome, pass, undecided, undecidedUntil, type Outcome } from '../../src/contract/outcome.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { compareLogs, eventsOf } from '../shared/compare-runs.ts';
import { declaring } from '../shared/declared.ts';
import { need, needForks } from '../shared/need.ts';
import type { Recordings } from '../shared/of-type.ts';
import { startFork, startRun, type RunObservation } from '../shared/run-observation.ts';
import { callsAfter, callsOf, notCalled, type CallsObservation } from '../shared/witnessed-run.ts';

const id = 'sequence.parallel-branches';
const title = 'Concurrent branches replay in the recorded order';
const workflowId = 'conformance-determinism-parallel';
/** The order in which the branches are answered: neither the definition's nor its reverse. */
const ANSWERED = ['branch-c', 'branch-a', 'branch-b'] as const;
const REPLAYS = 3;
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
  return [source, calls, ...replays];
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
    const orders = `recorded order ${order.join(', ')}; replayed order ${orderOf(replay).join(', ')}`;
    return fail({ ...mismatch, reason: reason === undefined ? orders : `${orders}; ${reason}` }, [source, replay]);
  }
  const reason = `${replays.length} replays in the recorded order ${order.join(', ')}`;
  return declaring(pass([source, ...replays], reason), volatile);
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
  checks: [{ id, title, judge: (recorded, { options }) => judgeParallel(recorded, options.volatile) }],
});
