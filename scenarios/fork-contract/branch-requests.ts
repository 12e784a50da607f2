import { randomUUID } from 'node:crypto';
import { type Outcome, pass, undecided, undecidedUntil } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { forkPath } from '../../src/protocol/paths.ts';
import type { JudgedCheck } from '../../src/runner/define-scenario.ts';
import { bounds } from '../shared/compare-runs.ts';
import { runOf } from '../shared/need.ts';
import type { Recordings } from '../shared/of-type.ts';
import type { Source } from '../shared/requested-fork.ts';
import { forkRequest } from '../shared/run-observation.ts';
import { accepted, bodyOf, namedRun, requestsOf, sendRequest, shownAnswer } from '../shared/requested.ts';
import { executedAgain, readRequestedAgain } from './executed-again.ts';
import { refusal, type Refusing } from './judge-refusals.ts';
import { numbersOf, REFUSED_BRANCHES } from './refusal-table.ts';
import { judgeRepeated } from './repeated-answer.ts';
import { forkUnknown, judgeUnknown } from './unknown-run.ts';

/** The row of the branches that are requested under one key. */
export const UNDER_A_KEY = 'branch under a key';

/** Requests one branch twice under one Idempotency-Key, and reads its log. */
export async function branchTwice(probe: Probe, source: Source): Promise<readonly Observation[]> {
  const headers = { 'idempotency-key': randomUUID() };
  const body = forkRequest({ mode: 'branch', fromSeq: bounds(source).first });
  const send = (name: string) =>
    sendRequest(probe.host, forkPath(source.runId), { row: UNDER_A_KEY, name, body, headers });
  const requested = [await send(UNDER_A_KEY), await send('duplicate of a branch')];
  const made = requested.map(namedRun).find((runId) => runId !== undefined);
  return [...requested, ...(await readRequestedAgain(probe, UNDER_A_KEY, made))];
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
  const source = runOf(recorded, 'source');
  const again = source?.problem === null ? executedAgain(recorded, UNDER_A_KEY, source) : undefined;
  if (again !== undefined) return again;
  const evidence = [first, duplicate];
  if (runOf(recorded, other)?.runId !== runId) return pass(evidence);
  const why = `the branch without a key is the same run ${runId}, so nothing shows that keys are heeded`;
  return undecidedUntil('make a run of its own for every other Idempotency-Key', why, evidence);
}

/** Requests branches that a host must refuse. */
export async function requestRefused(probe: Probe, source: Source): Promise<readonly Observation[]> {
  const path = forkPath(source.runId);
  const body = forkRequest({ mode: 'branch', fromSeq: bounds(source).middle });
  const [unknown, ...requested] = await Promise.all([
    forkUnknown(probe, source.runId, body),
    ...REFUSED_BRANCHES.map(({ row, name, send }) =>
      sendRequest(probe.host, path, { row, name, ...send(numbersOf(source)) }),
    ),
    sendRequest(probe.host, path, { row: 'no-credential', name: 'no credential', body, anonymous: true }),
  ]);
  return [...requested, ...unknown];
}

/** The rules about refusals that hold for both modes, and the one of this mode alone. */
export const branchRefusals: readonly JudgedCheck<Refusing>[] = [
  refusal('fork.branch-needs-from-seq', 'A branch without fromSeq is refused with 400 or 422', {
    row: 'branch-start',
    expected: '400, or 422',
  }),
  refusal('fork.rejects-bad-from-seq.branch', 'A branch from what is no sequence number is refused with 400', {
    row: 'bad-from-seq',
    expected: '400',
  }),
  refusal('fork.rejects-absent-sequence.branch', 'A branch from past the end of the log is refused with 422 or 400', {
    row: 'absent-sequence',
    expected: '422, or 400',
  }),
  {
    id: 'fork.unknown-run.branch',
    title: 'A branch of a run that there is not is answered with 404',
    judge: ({ recorded, left }) => judgeUnknown(recorded, left),
  },
  refusal('fork.requires-credentials.branch', 'A branch without a credential is refused with 401', {
    row: 'no-credential',
    expected: '401',
  }),
];
