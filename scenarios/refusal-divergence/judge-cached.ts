import { fail, isOutcome, type Mismatch, type Mistake, pass, rests, type Outcome } from '../../src/contract/outcome.ts';
import { diffValues } from '../../src/event-log/index.ts';
import { eventsOf, named, shown } from '../shared/compare-runs.ts';
import { sharedCause } from '../shared/diagnoses.ts';
import type { RecordedRun } from '../shared/need.ts';
import { nodeOf } from '../shared/read-event.ts';
import { declaring, withoutVolatile } from '../shared/volatile.ts';
import { wrong } from './diagnoses.ts';
import { overSources, RAISED, runOn, saysRefused, saysValid, showsRefusal, statusOf } from './met.ts';
import { outputOf } from './node-in-log.ts';
import { undecidedOn, type Situation } from './observation.ts';
import { otherRefusal } from './other-refusal.ts';

const diagnosis = sharedCause('second-call');

/** Where a run gets the response that another one recorded, a mock model's answers do not show who was asked. */
const NOT_SHARED = 'cache-key.not-a-security-boundary.no-shared-response';
/** Where a replay that is refused like its source says otherwise. */
const FALSE_ALARM = 'refusal.no-false-alarm.refusal-to-refusal';
const PUT_OFF =
  'a request for a run was put off with 503 and sent again, and the first one may have used up an answer of the mock program';
const UNCOUNTED = 'a later run does not show how far the mock program was used up, so calls cannot be counted';

/**
 * 0041 §A, the response being a refusal: the replay ends as its source did, and asks nobody. What the mock model is asked
 * cannot be counted where a node asks again when it was refused: all entries of its program have to refuse then.
 */
export function judgeCachedRefusal(situations: readonly Situation[]): Outcome {
  return overSources(situations, 'refusal', (situation, source) => {
    const replay = runOn(situation, 'cached');
    return [onShared(situation, isOutcome(replay) ? replay : judgeRefusedReplay(situation, source, replay))];
  });
}

function judgeRefusedReplay(situation: Situation, source: RecordedRun, replay: RecordedRun): Outcome {
  const { facts } = situation;
  const evidence = [replay.id, source.id, facts.id];
  const called = calledAgain(situation, replay);
  if (called !== undefined) return fail(called, evidence);
  const raised = raisedIn(replay);
  if (raised !== undefined && facts.counted === true) {
    return fail({ ...raised, diagnosis, restsOn: FALSE_ALARM }, evidence);
  }
  const [expected, actual] = [statusOf(source) ?? 'unknown', statusOf(replay) ?? 'unknown'];
  if (expected !== actual || !showsRefusal(replay, facts.nodeId)) {
    const isRefused = showsRefusal(replay, facts.nodeId);
    return fail(
      {
        diagnosis: isRefused ? wrong('ends-otherwise') : sharedCause('recorded-answer-lost'),
        expected: `a refusal, and then the end ${expected}, as in ${named(source)}`,
        actual: `${isRefused ? 'the refusal, and then' : 'no refusal, and'} ${actual} in ${named(replay)}`,
      },
      evidence,
    );
  }
  const other = otherRefusal(source, replay, facts.nodeId);
  if (other !== undefined) return fail({ ...other, diagnosis: wrong('refusal-otherwise') }, evidence);
  if (facts.way === 'witness') return pass(evidence);
  if (facts.counted === true) return judgeNextAnswer(situation, evidence);
  return undecidedOn(situation, 'a refusal that was asked for again looks like the recorded one', evidence);
}

/** A run that comes later gets the next answer of the program, or the one behind it where the replay took that. */
function judgeNextAnswer(situation: Situation, evidence: readonly string[]): Outcome {
  const { facts } = situation;
  const fresh = runOn(situation, 'fresh');
  if (isOutcome(fresh)) return fresh;
  const output = outputOf(fresh, facts.nodeId);
  if (saysValid(output, false)) return pass([...evidence, fresh]);
  if (!saysValid(output, true)) return undecidedOn(situation, UNCOUNTED, evidence);
  if (wasPutOff(situation)) return undecidedOn(situation, PUT_OFF, [...evidence, fresh]);
  const expected = `the next answer of the program, false, for ${named(fresh)}`;
  const actual = `${shown(output)}: the replay has used up the one before`;
  return fail({ expected, actual, diagnosis }, [...evidence, fresh]);
}

/** Whether the host may have carried out a run that nobody sees. */
function wasPutOff({ facts }: Situation): boolean {
  return (facts.again ?? []).length > 0;
}

/** A divergence that a replay reports although what is recorded is there. */
function raisedIn(replay: RecordedRun): Mismatch | undefined {
  const raised = eventsOf(replay).find(({ type }) => type === RAISED);
  if (raised === undefined) return undefined;
  const actual = `one at sequence ${raised.sequence} of ${named(replay)}`;
  return { expected: `no ${RAISED}`, actual };
}

/** A response that other runs share is no answer of this run's model. */
function onShared({ facts }: Situation, outcome: Outcome): Outcome {
  return outcome.kind === 'fail' && facts.way === 'mock' ? rests(NOT_SHARED, outcome) : outcome;
}

/** Calls of the model during the replay of what is recorded. */
function calledAgain({ facts }: Situation, replay: RecordedRun): Mistake | undefined {
  const calls = facts.asked['cached'] ?? 0;
  if (calls === 0) return undefined;
  const actual = `${calls} at the witness during ${named(replay)}`;
  return { expected: 'no call of the model', actual, diagnosis };
}

/** 0041 §A: while the recorded response is there the replay uses it, whatever the model would say now, and asks nobody. */
export function judgeCached(situations: readonly Situation[], volatile: readonly string[]): Outcome {
  const outcome = overSources(situations, 'valid', (situation, source) => {
    const replay = runOn(situation, 'cached');
    if (isOutcome(replay)) return [onShared(situation, replay)];
    const [had, has] = [source, replay].map((run) => outputOf(withoutVolatile(run, volatile), situation.facts.nodeId));
    return [onShared(situation, judgeReplay(situation, { source, had }, { replay, has }))];
  });
  return declaring(outcome, volatile);
}

/** A run, and what its node put out that is compared. */
interface Source {
  readonly source: RecordedRun;
  readonly had: unknown;
}

interface Replay {
  readonly replay: RecordedRun;
  readonly has: unknown;
}

function judgeReplay(situation: Situation, { source, had }: Source, { replay, has }: Replay): Outcome {
  const { facts } = situation;
  const evidence = [replay.id, source.id, facts.id];
  const called = calledAgain(situation, replay);
  if (called !== undefined) return fail(called, evidence);
  const raised = raisedIn(replay);
  // What the witness was not asked for is no second call.
  const cause = facts.way === 'mock' && { diagnosis };
  if (raised !== undefined) return fail({ diagnosis: wrong('raised-for-same-kind'), ...raised, ...cause }, evidence);
  const status = statusOf(replay);
  if (status !== 'completed') {
    const actual = `${status ?? 'unknown'}: ${named(replay)}`;
    return fail(
      { diagnosis: sharedCause('recorded-answer-lost'), expected: 'completed, as the source', actual, ...cause },
      evidence,
    );
  }
  const ids = { sourceRunId: source.runId ?? '', replayRunId: replay.runId ?? '' };
  if (diffValues(had, has, { pointer: '', ...ids }).length > 0) {
    const expected = `${shown(had)} as in ${named(source)}`;
    return fail(
      {
        diagnosis: sharedCause('recorded-answer-lost'),
        expected,
        actual: `${shown(has)} in ${named(replay)}`,
        ...cause,
      },
      evidence,
    );
  }
  return facts.way === 'witness' ? pass(evidence) : judgeFreshRun(situation, evidence);
}

/**
 * Calls of the mock model cannot be counted, but a run that comes later gets the next entry of its program: the refusal,
 * where the replay took none.
 */
function judgeFreshRun(situation: Situation, evidence: readonly string[]): Outcome {
  const { facts } = situation;
  const fresh = runOn(situation, 'fresh');
  if (isOutcome(fresh)) return fresh;
  // The refusal was left for it, whatever a node that asks again was answered after it.
  if (saysRefused(fresh, facts.nodeId)) return pass([...evidence, fresh]);
  const output = outputOf(fresh, facts.nodeId);
  if (saysValid(output, false)) {
    if (askedAgain(fresh, facts.nodeId)) return undecidedOn(situation, UNCOUNTED, [...evidence, fresh]);
    const source = runOn(situation, 'source');
    if (!isOutcome(source) && saysValid(outputOf(source, facts.nodeId), false)) {
      const why = `${named(source)} shows ${shown(output)}, and not the answer that was staged for it: let the mock model answer what is staged`;
      return undecidedOn(situation, why, [...evidence, fresh]);
    }
    if (wasPutOff(situation)) return undecidedOn(situation, PUT_OFF, [...evidence, fresh]);
    const expected = `a refusal for ${named(fresh)}: the next entry of the program`;
    const actual = `${shown(output)}: the replay has used up the refusal`;
    return fail({ expected, actual, diagnosis }, [...evidence, fresh]);
  }
  if (showsRefusal(fresh, facts.nodeId)) return pass([...evidence, fresh]);
  return undecidedOn(situation, UNCOUNTED, evidence);
}

/** Whether a run says that its node was tried again: what it was answered first nobody sees. */
function askedAgain(run: RecordedRun, nodeId: string): boolean {
  const again = ['node.retried', 'node.failed'];
  return eventsOf(run).some((event) => again.includes(event.type) && nodeOf(event) === nodeId);
}
