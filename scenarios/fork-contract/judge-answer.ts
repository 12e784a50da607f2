import { member } from '../../src/contract/discovery.ts';
import type { Judgement } from '../../src/contract/verdict.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { requestsOf, shownAnswer, whyUndecided, type RequestedObservation } from '../shared/requested.ts';
import { shown, bounds } from '../shared/compare-runs.ts';
import type { EventsUrlObservation } from '../shared/requested-fork.ts';
import { runOf, unseen } from '../shared/judge-run.ts';
import type { RunObservation } from '../shared/run-observation.ts';

interface AnswerRow {
  readonly check: string;
  /** The role of the fork. */
  readonly role: string;
}

const EXPECTED = '201 with runId, sourceRunId, fromSeq, mode, status and eventsUrl, and a URL that answers 200';

/** Judges the answer that created a fork (replay.md, Endpoint and Response). */
export function judgeAnswer(observations: readonly Recorded<Observation>[], { check, role }: AnswerRow): Judgement {
  const source = runOf(observations, 'source');
  const asked = requestsOf(observations, 'fork').find(({ name }) => name === role);
  const fork = runOf(observations, role);
  if (source === undefined || asked === undefined || fork === undefined) {
    return unseen(check, [source]) ?? inconclusive(check, 'the fork was not driven', []);
  }
  const evidence = [asked.id];
  const why = whyUndecided(asked);
  if (why !== undefined) return inconclusive(check, why, evidence);
  const created = asked.answer.kind === 'answer' && asked.answer.status < 300;
  const refused = created ? undefined : unseen(check, [fork]);
  if (refused !== undefined) return refused;
  const problems = answerProblems(asked, { source, fork });
  if (problems.length > 0) {
    return { check, verdict: 'fail', expected: EXPECTED, actual: problems.join('; '), evidence };
  }
  const url = observations.find((each) => isEventsUrl(each) && each.role === role);
  return judgeUrl(check, url as Recorded<EventsUrlObservation> | undefined, evidence);
}

function isEventsUrl(observation: Observation): observation is EventsUrlObservation {
  return observation.type === 'events-url';
}

/** What is wrong with the answer, member by member. */
function answerProblems(
  asked: RequestedObservation,
  { source, fork }: { readonly source: RunObservation; readonly fork: RunObservation },
): readonly string[] {
  const { answer } = asked;
  if (answer.kind === 'failure') return [];
  const status = answer.status === 201 ? [] : [`status ${answer.status}`];
  if (!answer.body.json) return [...status, answer.body.why];
  const { value } = answer.body;
  const is = (name: string): unknown => member(value, name);
  const wrong = (name: string, expected: string): string => `${name} is ${shown(is(name))}, not ${expected}`;
  const from = fork.fork?.fromSeq ?? null;
  const starts = from === null ? [0, bounds(source).first] : [from];
  return [
    ...status,
    ...(isText(is('runId')) ? [] : [wrong('runId', 'the id of a run')]),
    ...(is('sourceRunId') === source.runId ? [] : [wrong('sourceRunId', String(source.runId))]),
    ...(starts.some((start) => start === is('fromSeq')) ? [] : [wrong('fromSeq', starts.join(' or '))]),
    ...(is('mode') === fork.fork?.mode ? [] : [wrong('mode', fork.fork?.mode ?? '')]),
    ...(isText(is('status')) ? [] : [wrong('status', 'a status')]),
    ...(isText(is('eventsUrl')) ? [] : [wrong('eventsUrl', 'a URL')]),
  ];
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function judgeUrl(
  check: string,
  url: Recorded<EventsUrlObservation> | undefined,
  before: readonly string[],
): Judgement {
  if (url === undefined) return inconclusive(check, 'eventsUrl was not asked for', before);
  const evidence = [url.id, ...before];
  const { path, status, problem, sameOrigin } = url;
  const elsewhere = sameOrigin ? '' : 'eventsUrl names another origin, whose path was asked for at the base URL';
  if (status === 200) return { check, verdict: 'pass', ...(sameOrigin ? {} : { reason: elsewhere }), evidence };
  if (path === null) return { check, verdict: 'fail', expected: EXPECTED, actual: 'eventsUrl is no URL', evidence };
  const got = `GET ${path}: ${String(status ?? problem)}`;
  if (!sameOrigin) return inconclusive(check, `${elsewhere}: ${got}`, evidence);
  const asked = { name: `GET ${path}`, answer: answerOf(url) };
  const why = whyUndecided(asked);
  if (why !== undefined) return inconclusive(check, why, evidence);
  return { check, verdict: 'fail', expected: EXPECTED, actual: `GET ${path}: ${shownAnswer(asked)}`, evidence };
}

function answerOf({ status, problem }: EventsUrlObservation): RequestedObservation['answer'] {
  if (status === null) return { kind: 'failure', reason: problem ?? 'no answer', message: '' };
  return { kind: 'answer', status, body: { json: false, why: 'where 200 is expected' } };
}

function inconclusive(check: string, reason: string, evidence: readonly string[]): Judgement {
  return { check, verdict: 'inconclusive', reason, evidence };
}
