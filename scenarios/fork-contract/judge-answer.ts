import { member } from '../../src/contract/discovery.ts';
import { fail, pass, undecided, undecidedUntil, type Outcome } from '../../src/contract/outcome.ts';
import { runPath } from '../../src/protocol/paths.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { bounds, eventsOf, shown } from '../shared/compare-runs.ts';
import { leftWithout, runOf, type SeenRun, leftUndriven } from '../shared/need.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import type { EventsUrlObservation } from '../shared/requested-fork.ts';
import {
  accepted,
  requestsOf,
  shownAnswer,
  whyUndecided,
  type Requested,
  type RequestedObservation,
} from '../shared/requested.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { wrong } from './diagnoses.ts';

type EventsUrl = Recorded<EventsUrlObservation>;

const EXPECTED = '201 with runId, sourceRunId, fromSeq, mode, status and eventsUrl, and a URL that answers 200';

/** Judges the answer that created the fork of a role, made of the run of another (replay.md, Endpoint and Response). */
export function judgeAnswer(recorded: Recordings, role: string, sourceRole = 'source'): Outcome {
  const [source, fork] = [runOf(recorded, sourceRole), runOf(recorded, role)];
  const requested = requestsOf(recorded, 'fork').find(({ name }) => name === role);
  if (source === undefined || requested === undefined || fork === undefined) {
    return leftWithout([source ?? sourceRole]) ?? leftUndriven(role, source === undefined ? [] : [source]);
  }
  const why = whyUndecided(requested);
  if (why !== undefined) return undecided(why, [requested]);
  const refused = accepted(requested) ? undefined : leftWithout([fork]);
  if (refused !== undefined) return refused;
  const problems = answerProblems(requested, { source, fork });
  if (problems.length > 0) return fail({ expected: EXPECTED, actual: problems.join('; ') }, [requested]);
  const url = ofType<EventsUrlObservation>(recorded, 'events-url').find((each) => each.role === role);
  if (url === undefined) return undecided('eventsUrl was not requested', [requested]);
  return otherLog(url, source, fork) ?? noRun(url, fork, requested) ?? judgeUrl(url, requested);
}

/** What is wrong with the answer, member by member. */
function answerProblems(
  { answer }: Requested,
  { source, fork: made }: { readonly source: RunObservation; readonly fork: RunObservation },
): readonly string[] {
  if (answer.kind === 'failure') return [];
  const status = answer.status === 201 ? [] : [`status ${answer.status}`];
  if (!answer.body.json) return [...status, answer.body.why];
  const { value } = answer.body;
  const from = made.fork?.fromSeq ?? null;
  const starts: readonly unknown[] = from === null ? [...new Set([0, bounds(source).first])] : [from];
  const members: readonly (readonly [name: string, isRight: (value: unknown) => boolean, expected: string])[] = [
    ['runId', isText, 'the id of a run'],
    ['sourceRunId', (id) => id === source.runId, String(source.runId)],
    ['fromSeq', (start) => starts.includes(start), starts.join(' or ')],
    ['mode', (mode) => mode === made.fork?.mode, made.fork?.mode ?? ''],
    ['status', isText, 'a status'],
    ['eventsUrl', isText, 'a URL'],
  ];
  const bad = members.filter(([name, isRight]) => !isRight(member(value, name)));
  return [...status, ...bad.map(([name, , expected]) => `${name} is ${shown(member(value, name))}, not ${expected}`)];
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function judgeUrl(url: EventsUrl, requested: Requested): Outcome {
  const evidence = [url, requested];
  const { path, status, problem, sameOrigin } = url;
  const elsewhere = 'eventsUrl names another origin, whose path was requested at the base URL';
  if (status === 200) return pass(evidence, sameOrigin ? undefined : elsewhere);
  if (path === null) return fail({ expected: EXPECTED, actual: 'eventsUrl is no URL' }, evidence);
  if (!sameOrigin)
    return undecidedUntil(
      'let eventsUrl name the origin of --base-url, or a path there',
      `${elsewhere}: GET ${path}: ${String(status ?? problem)}`,
      evidence,
    );
  const got = { name: `GET ${path}`, answer: answerOf(url) };
  const why = whyUndecided(got);
  if (why !== undefined) return undecided(why, evidence);
  return fail({ expected: EXPECTED, actual: `GET ${path}: ${shownAnswer(got)}` }, evidence);
}

/** A URL that answers with the log of the source, which is not the fork's; nothing where the two cannot be told apart. */
function otherLog(url: EventsUrl, source: SeenRun, fork: SeenRun): Outcome | undefined {
  const { eventIds = [], path, sameOrigin } = url;
  const own = idsOf(fork);
  const others = idsOf(source);
  if (!sameOrigin || eventIds.some((id) => own.has(id)) || !eventIds.some((id) => others.has(id)) || own.size === 0)
    return undefined;
  const actual = `GET ${path ?? ''} holds the events of the source ${String(source.runId)}`;
  const expected = `the log of the fork ${String(fork.runId)} at its eventsUrl`;
  return fail({ expected, actual, diagnosis: wrong('events-of-the-source') }, [url, fork, source]);
}

/** An answer that names a run that nobody can read: whoever follows the runId and not the URL has lost the fork. */
function noRun(url: EventsUrl, fork: SeenRun, requested: Requested): Outcome | undefined {
  if (fork.problem === null || url.status !== 200 || url.snapshotStatus !== 404) return undefined;
  const expected = `a run ${String(fork.runId)} that can be read, as the answer names it`;
  const actual = `GET ${runPath(String(fork.runId))}: 404; ${fork.problem}`;
  return fail({ expected, actual, diagnosis: wrong('names-no-run') }, [url, fork, requested]);
}

function idsOf(run: RunObservation): ReadonlySet<string> {
  return new Set(eventsOf(run).map(({ eventId }) => eventId));
}

function answerOf({ status, problem }: EventsUrlObservation): RequestedObservation['answer'] {
  if (status === null) return { kind: 'failure', reason: problem ?? 'no answer', message: '' };
  return { kind: 'answer', status, body: { json: false, why: 'where 200 is expected' } };
}
