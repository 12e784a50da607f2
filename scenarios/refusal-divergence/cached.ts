import { member } from '../../src/contract/discovery.ts';
import { diffValues } from '../../src/event-log/index.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { eventsOf, named, shown } from '../shared/compare-runs.ts';
import { unseen } from '../shared/judge-run.ts';
import { outcomeOf, RAISED, showsRefusal, sourceProblem, statusOf } from './met.ts';
import { situationsOf, wayText, type RefusalObservation, type SeenRun, type Situation } from './observation.ts';
import type { Outcome } from './outcome.ts';
import { nodeOf } from '../shared/node-of.ts';

const SECOND_CALL = { code: 'second-call', message: 'the model was asked although its response is recorded' };

/** 0041 §A: while the recorded response is there the replay uses it, whatever the model would say now, and asks nobody. */
export function judgeCached(observations: readonly Recorded<RefusalObservation>[]): readonly Outcome[] {
  return situationsOf(observations).map((situation) => {
    const unusable = sourceProblem(situation, 'valid');
    if (unusable !== undefined) return unusable;
    const { facts, run } = situation;
    const [source, replay] = [run('source'), run('cached')];
    if (source === undefined || replay === undefined) {
      return { kind: 'open', reason: `${wayText(situation)}: ${facts.problem ?? ''}`, evidence: [facts.id] };
    }
    const hidden = unseen('', [replay]);
    if (hidden !== undefined) return outcomeOf(hidden, situation);
    return judgeReplay(situation, source, replay);
  });
}

function judgeReplay(situation: Situation, source: SeenRun, replay: SeenRun): Outcome {
  const { facts } = situation;
  const evidence = [replay.id, source.id, facts.id];
  const fail = (expected: string, actual: string, asked = true): Outcome => {
    return { kind: 'fail', expected, actual, ...(asked ? { diagnosis: SECOND_CALL } : {}), evidence };
  };
  const calls = facts.asked['cached'] ?? 0;
  if (calls > 0) return fail('no call of the model', `${calls} at the witness during ${named(replay)}`);
  const raised = eventsOf(replay).find(({ type }) => type === RAISED);
  if (raised !== undefined) return fail(`no ${RAISED}`, `one at sequence ${raised.sequence} of ${named(replay)}`);
  const status = statusOf(replay);
  if (status !== 'completed') {
    return fail('completed, as the source', `${status ?? 'unknown'}: ${named(replay)}`, facts.way === 'mock');
  }
  const [had, has] = [outputOf(source, facts.nodeId), outputOf(replay, facts.nodeId)];
  const ids = { sourceRunId: source.runId ?? '', replayRunId: replay.runId ?? '' };
  if (diffValues(had, has, { pointer: '', ...ids }).length > 0) {
    return fail(`${shown(had)} as in ${named(source)}`, `${shown(has)} in ${named(replay)}`);
  }
  return facts.way === 'witness' ? { kind: 'pass', evidence } : judgeFreshRun(situation, evidence);
}

/**
 * Calls of the mock model cannot be counted, but a run that comes later gets the next entry of its program: the refusal,
 * where the replay took none.
 */
function judgeFreshRun(situation: Situation, evidence: readonly string[]): Outcome {
  const { facts, run } = situation;
  const fresh = run('fresh');
  const open = (reason: string): Outcome => ({ kind: 'open', reason: `${wayText(situation)}: ${reason}`, evidence });
  if (fresh === undefined || fresh.problem !== null) return open(facts.problem ?? 'no later run was seen');
  const seen = [...evidence, fresh.id];
  const output = JSON.stringify(outputOf(fresh, facts.nodeId)).replaceAll('\\', '');
  if (/"valid":\s*false/u.test(output)) {
    return {
      kind: 'fail',
      expected: `a refusal for ${named(fresh)}: the next entry of the program`,
      actual: `${shown(output)}: the replay has used up the refusal`,
      diagnosis: SECOND_CALL,
      evidence: seen,
    };
  }
  if (showsRefusal(fresh, facts.nodeId)) return { kind: 'pass', evidence: seen };
  return open('a later run does not show how far the mock program was used up, so calls cannot be counted');
}

/** What a node completed with: its output, or all that its event says where none is named; null where there is no event. */
function outputOf(run: SeenRun, nodeId: string): unknown {
  const completed = eventsOf(run).find((event) => event.type === 'node.completed' && nodeOf(event) === nodeId);
  return member(completed?.payload, 'output') ?? completed?.payload ?? null;
}
