import { phase4 } from '../../src/contract/gates.ts';
import type { Judgement } from '../../src/contract/verdict.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineJudgedScenario } from '../../src/runner/define-judged.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { compareLogs, eventsOf } from '../shared/compare-runs.ts';
import { runOf, unseen } from '../shared/judge-run.ts';
import { startFork, startRun, type RunObservation } from '../shared/run-observation.ts';
import { declared } from '../shared/declared.ts';
import type { SeenRun } from './swept-log.ts';
import { callsAfter, callsOf, notCalled, type CallsObservation } from '../shared/witnessed-run.ts';

const check = 'sequence.parallel-branches';
const title = 'Concurrent branches replay in the recorded order';
const workflowId = 'conformance-determinism-parallel';
/** The order in which the branches are answered: neither the definition's nor its reverse. */
const ANSWERED = ['branch-c', 'branch-a', 'branch-b'] as const;
const REPLAYS = 3;
/** How long an answer waits for its predecessors; a host that calls one after the other waits this long twice at most. */
const PATIENCE_MS = 500;

type Seen = RunObservation | CallsObservation;

async function drive(probe: Probe): Promise<readonly Seen[]> {
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
export function judgeParallel(observations: readonly Recorded<Observation>[], volatile: readonly string[]): Judgement {
  const source = runOf(observations, 'source');
  const calls = callsOf(observations, 'source');
  const inconclusive = (reason: string): Judgement => ({ check, verdict: 'inconclusive', reason, evidence: [] });
  if (calls !== undefined && calls.calls.length === 0) return inconclusive(notCalled(calls));
  const replays = observations.filter(
    (each): each is SeenRun => each.type === 'run' && (each as SeenRun).fork !== null,
  );
  const missing = unseen(check, [source, ...(replays.length === 0 ? [undefined] : replays)]);
  if (missing !== undefined) return missing;
  if (source === undefined) return inconclusive('no run was driven');
  const order = orderOf(source);
  if (new Set(order).size < ANSWERED.length) {
    return inconclusive(`the source's log shows not all branches: ${order.join(', ') || 'none'}`);
  }
  for (const replay of replays) {
    const evidence = [source.id, replay.id];
    const compared = compareLogs(source, replay, volatile);
    if (compared.kind === 'unreadable') return inconclusive(compared.reason);
    if (compared.kind === 'same') continue;
    const orders = `recorded order ${order.join(', ')}; replayed order ${orderOf(replay).join(', ')}`;
    const { reason, ...mismatch } = compared.mismatch;
    return {
      check,
      verdict: 'fail',
      ...mismatch,
      reason: reason === undefined ? orders : `${orders}; ${reason}`,
      evidence,
    };
  }
  const reason = `${replays.length} replays in the recorded order ${order.join(', ')}`;
  const evidence = [source, ...replays].map(({ id }) => id);
  return declared({ check, verdict: 'pass', reason, evidence }, volatile);
}

/** 0041 §C: the sequence of events is what a replay reproduces, also where branches ran at the same time. */
export const parallelBranches = defineJudgedScenario<Seen>({
  id: check,
  suite: 'observable-sequence',
  title,
  checks: [{ id: check, requirement: check, title }],
  gate: phase4,
  needs: [
    { kind: 'fork', mode: 'replay', absent: 'inconclusive' },
    { kind: 'witness' },
    { kind: 'fixture', workflowId },
  ],
  exclusive: [],
  drive,
  judge: (observations, { volatile }) => [judgeParallel(observations, volatile)],
});
