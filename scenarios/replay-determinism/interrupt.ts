import { randomUUID } from 'node:crypto';
import { always } from '../../src/contract/gates.ts';
import type { Judgement } from '../../src/contract/verdict.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { interruptPath } from '../../src/protocol/paths.ts';
import { defineJudgedScenario } from '../../src/runner/define-judged.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { eventsOf, named } from '../shared/compare-runs.ts';
import { runOf, unseen } from '../shared/judge-run.ts';
import { failing, passing, type SeenRun, undecided } from '../shared/judging.ts';
import { hasEnded, isQuestion, replayPastQuestion } from '../shared/past-question.ts';
import { replays } from '../shared/replays.ts';
import { readAgain, type RunObservation, startRun } from '../shared/run-observation.ts';
import { compareValues, shownValues, type Watched } from '../shared/shown-values.ts';
import { wrong } from './diagnoses.ts';

const INTERRUPT = 'conformance-determinism-interrupt';
const NODE = 'ask';
const WATCHED: Watched = { variables: ['approval', 'approvalCopy'], nodes: ['ask', 'after'] };

const unasked = 'replay.interrupt-short-circuits';
const sameValue = `${unasked}.recorded-value`;

/** An answer that was given to a run's question, and the host's status for it. */
interface AnswerObservation extends Observation {
  readonly type: 'answer';
  readonly role: string;
  /** What can be told apart in the answer; its name is one that no host takes for a secret's. */
  readonly mark: string;
  readonly answered: number | null;
}

type InterruptObservation = RunObservation | AnswerObservation;

async function drive(probe: Probe): Promise<readonly InterruptObservation[]> {
  const asking = await startRun(probe, { workflowId: INTERRUPT, inputs: {} }, { role: 'source', until: isQuestion });
  if (asking.problem !== null || hasEnded(asking)) return [asking];
  const answer = await respond(probe, asking);
  if (!isAccepted(answer)) return [asking, answer];
  const source = await readAgain(probe, asking, { role: 'source' });
  const points = source.problem === null ? [undefined, afterQuestion(source)] : [];
  const seen: InterruptObservation[] = [source, answer];
  for (const [index, fromSeq] of points.entries()) {
    if (index === 0 || fromSeq !== undefined) seen.push(...(await replayAndAnswer(probe, source, fromSeq)));
  }
  return seen;
}

/** In the source's node, between the question and its answer. */
function afterQuestion(source: RunObservation): number | undefined {
  const events = eventsOf(source);
  return events[events.findIndex(isQuestion) + 1]?.sequence;
}

/**
 * Replays the run. Where a question shows and the run does not go on by itself, it is answered, with another value: a host
 * that takes that has asked again.
 */
async function replayAndAnswer(
  probe: Probe,
  source: RunObservation,
  fromSeq: number | undefined,
): Promise<readonly InterruptObservation[]> {
  const role = fromSeq === undefined ? 'full replay' : `replay from ${fromSeq}`;
  const { replay, waits } = await replayPastQuestion(probe, source, { role, fromSeq });
  if (!waits) return [replay];
  const answer = await respond(probe, replay);
  return [await readAgain(probe, replay, { role }), answer];
}

async function respond(probe: Probe, { runId, role }: RunObservation): Promise<AnswerObservation> {
  const mark = randomUUID();
  const path = interruptPath(runId ?? '', NODE);
  // Hosts hide the values of members with a name such as `token`.
  const body = JSON.stringify({ resumeValue: { approved: true, mark } });
  const exchange = await probe.host.exchange({ method: 'POST', path, body });
  const answered = exchange.kind === 'response' ? exchange.status : null;
  return { type: 'answer', role, mark, answered, exchanges: [exchange.id] };
}

function isAccepted({ answered }: AnswerObservation): boolean {
  return answered !== null && answered >= 200 && answered <= 299;
}

type Seen = readonly Recorded<InterruptObservation>[];

function answersOf(seen: Seen, role: string): readonly Recorded<AnswerObservation>[] {
  return seen.filter(
    (each): each is Recorded<AnswerObservation> => each.type === 'answer' && (each as AnswerObservation).role === role,
  );
}

interface Answered {
  readonly source: SeenRun;
  readonly replays: readonly SeenRun[];
}

/** The source that was asked and answered, or the judgement that is left. */
function answeredOf(check: string, seen: Seen): Answered | Judgement {
  const source = runOf(seen, 'source');
  const missing = unseen(check, [source]);
  if (missing !== undefined || source === undefined) return missing ?? undecided(check, 'no run was driven', []);
  const [answer] = answersOf(seen, 'source');
  if (answer === undefined) return undecided(check, `${named(source)} ended without interrupt.requested`, [source]);
  if (!isAccepted(answer)) {
    const path = `POST /v1/runs/{runId}/interrupts/${NODE}`;
    return undecided(check, `${path} answered ${answer.answered ?? 'nothing'} to the source's question`, [
      source,
      answer,
    ]);
  }
  const forks = seen.filter((each): each is SeenRun => each.type === 'run' && each.fork !== null);
  return forks.length === 0 ? undecided(check, 'no replay was driven', [source]) : { source, replays: forks };
}

const ASKED = wrong('asked-again');

function judgeUnasked(seen: Seen): Judgement {
  const found = answeredOf(unasked, seen);
  if ('verdict' in found) return found;
  const { source, replays: forks } = found;
  for (const replay of forks) {
    const accepted = answersOf(seen, replay.role).find(isAccepted);
    if (accepted === undefined) continue;
    if (!JSON.stringify([replay.events, replay.snapshot]).includes(accepted.mark)) {
      const reason = `${named(replay)} accepted another answer and does not show it: raise --timeout, if the host is slow`;
      return undecided(unasked, reason, [replay, accepted]);
    }
    const expected = `${named(replay)} takes the answer that ${named(source)} was given`;
    const actual = `it took another one, which was answered with ${accepted.answered ?? ''}`;
    return failing(unasked, { expected, actual, diagnosis: ASKED }, [replay, accepted, source]);
  }
  const missing = unseen(unasked, forks);
  if (missing !== undefined) return missing;
  const cut = forks.find((replay) => !hasCompleted(replay));
  if (cut !== undefined)
    return undecided(unasked, `${named(cut)} did not complete as ${named(source)} did`, [cut, source]);
  return passing(unasked, [...forks, source]);
}

function hasCompleted(run: RunObservation): boolean {
  return eventsOf(run).some(({ type }) => type === 'run.completed');
}

const OTHER = wrong('other-resume-value');

function judgeValue(seen: Seen): Judgement {
  const found = answeredOf(sameValue, seen);
  if ('verdict' in found) return found;
  const { source, replays: forks } = found;
  const missing = unseen(sameValue, forks);
  if (missing !== undefined) return missing;
  if (shownValues(source, WATCHED).size === 0) {
    const where = 'hands it on in the variables approval and approvalCopy';
    return undecided(sameValue, `the run does not show the answer: ${INTERRUPT} ${where}`, [source]);
  }
  for (const replay of forks) {
    const compared = compareValues(source, replay, WATCHED);
    if (compared.kind === 'nothing') return undecided(sameValue, `${named(replay)} shows no answer`, [replay, source]);
    if (compared.kind === 'other') {
      return failing(sameValue, { ...compared.mismatch, diagnosis: OTHER }, [replay, source]);
    }
  }
  return passing(sameValue, [...forks, source]);
}

/** replay.md, Determinism 2. */
export const interrupt = defineJudgedScenario<InterruptObservation>({
  id: unasked,
  suite: 'replay-determinism',
  title: 'A question that somebody answered',
  checks: [
    { id: unasked, requirement: unasked, title: 'An interrupt resolved in the source is not asked again' },
    { id: sameValue, requirement: unasked, title: 'The replay goes on with the value that the source was given' },
  ],
  gate: always,
  needs: [replays, { kind: 'fixture', workflowId: INTERRUPT }],
  exclusive: [],
  drive,
  judge: (observations) => [judgeUnasked(observations), judgeValue(observations)],
});
