import { fail, isOutcome, pass, undecided, type Outcome } from '../../src/contract/outcome.ts';
import type { Probe } from '../../src/host/probe.ts';
import { answeredWith, post } from '../../src/host/exchanged.ts';
import { interruptPath } from '../../src/protocol/paths.ts';
import { endOf, isParked } from '../../src/protocol/run-status.ts';
import { isSuccess } from '../../src/protocol/status.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { cancelRun } from '../shared/cancel.ts';
import { eventsOf, named } from '../shared/compare-runs.ts';
import { need, leftWithout, runOf } from '../shared/need.ts';
import type { Recordings } from '../shared/of-type.ts';
import { isAsking } from '../shared/open-question.ts';
import { ASKING, ASKS_AGAIN, hasEnded, replayPastQuestion } from '../shared/past-question.ts';
import { replays } from '../shared/replays.ts';
import { isSeen, readAgain, startRun, type RunObservation } from '../shared/run-observation.ts';
import { compareValues, type Watched } from '../shared/shown-values.ts';
import { wrong } from './diagnoses.ts';

const [, { workflowId, nodeId }] = ASKING;
const WATCHED: Watched = { variables: ['approval', 'approvalCopy'], nodes: ['ask', 'after'] };

/** An answer that is none to whoever looks whether there is one by its value. */
const EMPTY = 0;
const FULL = 'full replay';

async function drive(probe: Probe): Promise<readonly RunObservation[]> {
  const role = 'source';
  const asking = await startRun(probe, { workflowId, inputs: {} }, { role, until: isAsking });
  if (!isSeen(asking) || hasEnded(asking)) return [asking];
  const taken = await post(probe.host, interruptPath(asking.runId, nodeId), { resumeValue: EMPTY });
  const source = isSuccess(answeredWith(taken)) ? await readAgain(probe, asking, { role }) : asking;
  if (!hasEnded(source)) {
    await cancelRun(probe, source.runId);
    return [source];
  }
  const { replay, waits, status } = await replayPastQuestion(probe, source, { role: FULL, fromSeq: undefined });
  if (!waits) return [source, replay];
  await cancelRun(probe, replay.runId);
  return [source, { ...replay, problem: isParked(status) ? ASKS_AGAIN : 'it has not ended' }];
}

const UNASKED = 'replay.interrupt-short-circuits';

/** replay.md, Determinism 2: whatever was answered, it is not asked again. */
function judge(recorded: Recordings): Outcome {
  const runs = need(recorded, 'source');
  if (isOutcome(runs)) return runs;
  const { source } = runs;
  const replay = runOf(recorded, FULL);
  if (replay === undefined || endOf(eventsOf(source)) !== 'completed') {
    return undecided(`${named(source)} did not go on with the answer ${EMPTY}: a host need not take it`, [source]);
  }
  const evidence = [replay, source];
  if (replay.problem === ASKS_AGAIN) {
    const expected = `${named(replay)} goes on with the answer ${EMPTY} that ${named(source)} was given`;
    const actual = 'it asked again, and waited until it was cancelled';
    return fail({ expected, actual, diagnosis: wrong('asked-again'), restsOn: UNASKED }, evidence);
  }
  const left = leftWithout([replay]);
  if (left !== undefined) return left;
  const compared = compareValues(source, replay, WATCHED);
  if (compared.kind === 'other') {
    const restsOn = `${UNASKED}.recorded-value`;
    return fail({ ...compared.mismatch, diagnosis: wrong('other-resume-value'), restsOn }, evidence);
  }
  return endOf(eventsOf(replay)) === 'completed'
    ? pass(evidence)
    : undecided(`${named(replay)} did not complete as ${named(source)} did`, evidence);
}

const id = `${UNASKED}.empty-answer`;
const title = 'An answer that is 0 is not asked for again';

/** An answer that looks like none. */
export const emptyAnswer = defineScenario({
  id,
  suite: 'replay-determinism',
  title,
  needs: [replays, { kind: 'fixture', workflowId }],
  drive,
  checks: [{ id, title, judge }],
});
