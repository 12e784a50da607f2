import { randomUUID } from 'node:crypto';
import { pass, undecided, undecidedUntil, type Outcome } from '../../src/contract/outcome.ts';
import type { Probe } from '../../src/host/probe.ts';
import { forkPath } from '../../src/protocol/paths.ts';
import { bounds } from '../shared/compare-runs.ts';
import { runOf } from '../shared/need.ts';
import type { Recordings } from '../shared/of-type.ts';
import type { Source } from '../shared/requested-fork.ts';
import {
  accepted,
  bodyOf,
  namedRun,
  requestsOf,
  sendRequest,
  shownAnswer,
  type RequestedObservation,
} from '../shared/requested.ts';
import { judgeRepeated } from './repeated-answer.ts';

/** The row of the branches that are requested under one key. */
export const UNDER_A_KEY = 'branch under a key';

/** Requests one branch twice under one Idempotency-Key. */
export async function branchTwice(probe: Probe, source: Source): Promise<readonly RequestedObservation[]> {
  const headers = { 'idempotency-key': randomUUID() };
  const body = JSON.stringify({ mode: 'branch', fromSeq: bounds(source).first });
  const send = (name: string) =>
    sendRequest(probe.host, forkPath(source.runId), { row: UNDER_A_KEY, name, body, headers });
  return [await send(UNDER_A_KEY), await send('duplicate of a branch')];
}

/** Judges the duplicate; `other` is the role of a branch without a key, which is another run where keys are heeded. */
export function judgeBranchKey(recorded: Recordings, other: string): Outcome {
  const [first, duplicate] = requestsOf(recorded, UNDER_A_KEY);
  if (first === undefined || duplicate === undefined) return undecided('no branch was requested under a key', []);
  const runId = namedRun(first);
  if (!accepted(first) || runId === undefined) {
    return undecided(`a branch under a key got ${shownAnswer(first)}`, [first]);
  }
  const outcome = judgeRepeated(duplicate, { id: first.id, runId, body: bodyOf(first) });
  if (outcome.kind !== 'pass') return outcome;
  const evidence = [first, duplicate];
  if (runOf(recorded, other)?.runId !== runId) return pass(evidence);
  const why = `the branch without a key is the same run ${runId}, so nothing shows that keys are heeded`;
  return undecidedUntil('make a run of its own for every other Idempotency-Key', why, evidence);
}
