import type { Judgement } from '../../src/contract/verdict.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { RunEvent } from '../../src/host/run-event.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import { declared } from '../shared/declared.ts';
import { runOf, unseen } from '../shared/judge-run.ts';
import { callsOf, noncesIn } from '../shared/witnessed-run.ts';
import { compareTold } from './compare-told.ts';
import { diagnose, says, toolRuns, type ToolRuns } from './judge-tool.ts';
import type { SeenRun } from './swept-log.ts';

/** What the seam that changes the workflow's code answered. */
export interface RevisionObservation extends Observation {
  readonly type: 'revision';
  readonly problem: string | null;
}

const check = 'sequence.content-addressed-tools';

/**
 * Judges whether the recorded call is found again when counters and clocks have moved: after an unrelated run, and by
 * code in which a node stands before the call (replay.md, Phase 4 §C).
 */
export function judgeContentAddressed(
  observations: readonly Recorded<Observation>[],
  volatile: readonly string[],
): Judgement {
  const runs = toolRuns(check, observations);
  if ('verdict' in runs) return runs;
  const revised = runOf(observations, 'revised replay');
  const missing = revised === undefined ? undefined : unseen(check, [revised]);
  if (missing !== undefined) return missing;
  const lost = runs.replays.find((replay) => differs(runs, replay, volatile));
  if (lost !== undefined) return failed({ runs, replay: lost, when: 'after another run', volatile });
  if (revised === undefined) return partly(runs, observations, volatile);
  const evidence = [revised.id, ...runs.evidence];
  const events = eventsOf(revised);
  const inserted = events.some(({ nodeId }) => nodeId === 'inserted');
  if (!inserted || !events.some(isToolResult)) return partly(runs, observations, volatile);
  if (differs(runs, revised, volatile)) {
    const later = noncesAfter(observations);
    const when = 'by code with a node more before it';
    return failed({ runs: { ...runs, replays: [revised], later }, replay: revised, when, volatile });
  }
  return declared({ check, verdict: 'pass', reason: 'after another run, and by revised code', evidence }, volatile);
}

function noncesAfter(observations: readonly Recorded<Observation>[]): readonly string[] {
  const calls = callsOf(observations, 'revised replay');
  return calls === undefined ? [] : noncesIn(calls);
}

/** What the seam that revises the workflow would have shown besides is told, not demanded. */
function partly(
  runs: ToolRuns,
  observations: readonly Recorded<Observation>[],
  volatile: readonly string[],
): Judgement {
  const seam = observations.find((each): each is Recorded<RevisionObservation> => each.type === 'revision');
  const why = seam?.problem ?? 'the replay does not show the revised code and the tool’s result';
  const reason = `after another run only; by revised code it was not seen: ${why}`;
  return declared({ check, verdict: 'pass', reason, evidence: runs.evidence }, volatile);
}

function differs(runs: ToolRuns, replay: SeenRun, volatile: readonly string[]): boolean {
  return compareResult(runs, replay, volatile).kind === 'different';
}

function compareResult({ source }: ToolRuns, replay: SeenRun, volatile: readonly string[]) {
  return compareTold({ source, replay, wanted: isToolResult, volatile });
}

function isToolResult({ type, nodeId }: RunEvent): boolean {
  return type === 'node.completed' && nodeId === 'call-tool';
}

interface Lost {
  readonly runs: ToolRuns;
  readonly replay: SeenRun;
  readonly when: string;
  readonly volatile: readonly string[];
}

function failed({ runs, replay, when, volatile }: Lost): Judgement {
  const compared = compareResult(runs, replay, volatile);
  const mismatch = compared.kind === 'different' ? compared.mismatch : {};
  const evidence = [replay.id, ...runs.evidence];
  const reason = says(replay, runs.nonce) ? undefined : `the recorded call was not found again ${when}`;
  return {
    check,
    verdict: 'fail',
    ...mismatch,
    ...(reason === undefined ? {} : { reason }),
    ...diagnose(runs),
    evidence,
  };
}
