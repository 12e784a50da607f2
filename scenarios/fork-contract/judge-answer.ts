import { member } from '../../src/contract/discovery.ts';
import { fail, pass, undecided, undecidedUntil, type Outcome } from '../../src/contract/outcome.ts';
import { runPath } from '../../src/protocol/paths.ts';
import { isSuccess, saysNothing } from '../../src/protocol/status.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { bounds, eventsOf, shown } from '../shared/compare-runs.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { leftWithout, runOf, type RecordedRun, leftUndriven } from '../shared/need.ts';
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
  const requested = requestOf(recorded, role);
  if (source === undefined || requested === undefined || fork === undefined) {
    return leftWithout([source ?? sourceRole]) ?? leftUndriven(role, source === undefined ? [] : [source]);
  }
  const why = whyUndecided(requested);
  if (why !== undefined) return undecided(why, [requested]);
  const refused = accepted(requested) ? undefined : leftWithout([fork]);
  if (refused !== undefined) return refused;
  const problems = answerProblems(requested, { source, fork });
  if (problems.length > 0) {
    const actual = problems.map(({ text }) => text).join('; ');
    return fail(
      { expected: EXPECTED, actual, diagnosis: namesSource(problems, requested, source) ?? wrong('other-fork-answer') },
      [requested],
    );
  }
  const url = ofType<EventsUrlObservation>(recorded, 'events-url').find((each) => each.role === role);
  if (url === undefined) return undecided('eventsUrl was not requested', [requested]);
  const unread =
    noRun(url, fork, requested) ?? noSnapshot(url, { source, fork }, requested) ?? noLog(url, fork, requested);
  return otherLog(url, source, fork) ?? unread ?? judgeUrl(url, requested);
}

/** What is wrong with the answer, member by member. */
function answerProblems(
  { answer }: Requested,
  { source, fork }: { readonly source: RunObservation; readonly fork: RunObservation },
): readonly Fault[] {
  if (answer.kind === 'failure') return [];
  const { status, body } = answer;
  const faults = status === 201 ? [] : [{ name: `status ${status}`, text: `status ${status}` }];
  if (body.json) return [...faults, ...wrongMembers(body.value, fork, source)];
  return [...faults, { name: 'body', text: faults.length === 0 ? `status ${status}, ${body.why}` : body.why }];
}

/** Something that is wrong with the answer to a fork. */
export interface Fault {
  /** The member, or what else of the answer. */
  readonly name: string;
  readonly text: string;
}

/** The members that the answer to a fork lacks or has wrong (replay.md, Response). */
export function wrongMembers(answer: unknown, { fork }: RunObservation, source: RunObservation): readonly Fault[] {
  const from = fork?.fromSeq ?? null;
  // A whole run may be said to begin at 0, or at the first number of its log.
  const starts: readonly unknown[] = (from ?? 0) === 0 ? [...new Set([0, bounds(source).first])] : [from];
  const members: readonly (readonly [name: string, isRight: (value: unknown) => boolean, expected: string])[] = [
    ['runId', isText, 'the id of a run'],
    ['sourceRunId', (id) => id === source.runId, String(source.runId)],
    ['fromSeq', (start) => starts.includes(start), starts.join(' or ')],
    ['mode', (mode) => mode === fork?.mode, fork?.mode ?? ''],
    ['status', isText, 'a status'],
    ['eventsUrl', (url) => isText(url) && !isOfAnother(url, source, answer), 'a URL of the fork'],
  ];
  const bad = members.filter(([name, isRight]) => !isRight(member(answer, name)));
  return bad.map(([name, , expected]) => ({
    name,
    text: `${name} is ${shown(member(answer, name))}, not ${expected}`,
  }));
}

/** Whether a URL names the source and not the fork. */
export function isOfAnother(url: string, source: Pick<RunObservation, 'runId'>, answer: unknown): boolean {
  const parts: readonly unknown[] = url.split(/[/?&=]/u);
  return parts.includes(source.runId) && !parts.includes(member(answer, 'runId'));
}

/** The mistake of an answer of which nothing is wrong but that its URL names the source. */
function namesSource(problems: readonly Fault[], { answer }: Requested, source: RunObservation) {
  if (problems.some(({ name }) => name !== 'eventsUrl') || answer.kind === 'failure' || !answer.body.json)
    return undefined;
  const { value } = answer.body;
  const url = member(value, 'eventsUrl');
  return isText(url) && isOfAnother(url, source, value) ? wrong('events-of-the-source') : undefined;
}

/** The names of what is wrong with the answer to the fork of a role; none where nothing is, or nothing is known of it. */
export function faultsOf(recorded: Recordings, role: string): readonly string[] {
  const [source, fork] = [runOf(recorded, 'source'), runOf(recorded, role)];
  const requested = requestOf(recorded, role);
  const outcome = judgeAnswer(recorded, role);
  if (outcome.kind !== 'fail' || source === undefined || fork === undefined || requested === undefined) return [];
  const names = answerProblems(requested, { source, fork }).map(({ name }) => name);
  return names.length > 0 ? names : [outcome.diagnosis?.code ?? 'eventsUrl'];
}

function requestOf(recorded: Recordings, role: string): Requested | undefined {
  return requestsOf(recorded, 'fork').find(({ name }) => name === role);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function judgeUrl(url: EventsUrl, requested: Requested): Outcome {
  const evidence = [url, requested];
  const { path, status, problem, sameOrigin } = url;
  const elsewhere = 'eventsUrl names another origin, whose path was requested at the base URL';
  if (url.isSnapshot === true && sameOrigin)
    return fail(
      {
        diagnosis: wrong('other-fork-answer'),
        expected: EXPECTED,
        actual: `eventsUrl, GET ${String(path)}: a snapshot, no events`,
      },
      evidence,
    );
  if (status === 200) return pass(evidence, sameOrigin ? undefined : elsewhere);
  if (path === null)
    return fail({ diagnosis: wrong('other-fork-answer'), expected: EXPECTED, actual: 'eventsUrl is no URL' }, evidence);
  if (!sameOrigin)
    return undecidedUntil(
      'let eventsUrl name the origin of --base-url, or a path there',
      `${elsewhere}: GET ${path}: ${String(status ?? problem)}`,
      evidence,
    );
  const got = { name: `GET ${path}`, answer: answerOf(url) };
  const why = whyUndecided(got);
  if (why !== undefined) return undecided(why, evidence);
  return fail(
    {
      diagnosis: wrong('other-fork-answer'),
      expected: EXPECTED,
      actual: `eventsUrl, GET ${path}: ${shownAnswer(got)}`,
    },
    evidence,
  );
}

/** A URL that answers with the log of the source, or of a third run; nothing where they cannot be told apart by the ids of events. */
function otherLog(url: EventsUrl, source: RecordedRun, fork: RecordedRun): Outcome | undefined {
  const { eventIds = [], path } = url;
  const own = idsOf(fork);
  const others = idsOf(source);
  if (eventIds.length === 0 || eventIds.some((id) => own.has(id)) || own.size === 0) return undefined;
  const isSource = eventIds.some((id) => others.has(id));
  // At another origin's path somebody else may answer here.
  if (!isSource && !url.sameOrigin) return undefined;
  const whose = isSource ? `the events of the source ${String(source.runId)}` : 'no event of the fork';
  const expected = `the log of the fork ${String(fork.runId)} at its eventsUrl`;
  const diagnosis = wrong(isSource ? 'events-of-the-source' : 'events-of-another-run');
  // Ids that are others at each reading are no event's own.
  const restsOn = isSource ? undefined : FOUNDATIONS.readings;
  // The request for the log alone, which may be sound, does not show that the fork's answer leads there.
  const actual = `GET ${path ?? ''} holds ${whose}`;
  return fail({ expected, actual, diagnosis, restsOn, steps: [] }, [url, fork, source]);
}

/** An answer that names a run that nobody can read: whoever follows the runId and not the URL has lost the fork. */
function noRun(url: EventsUrl, fork: RecordedRun, requested: Requested): Outcome | undefined {
  if (fork.problem === null || url.status !== 200 || url.snapshotStatus !== 404) return undefined;
  const expected = `a run ${String(fork.runId)} that can be read, as the answer names it`;
  const actual = `GET ${runPath(String(fork.runId))}: 404; ${fork.problem}`;
  return fail({ expected, actual, diagnosis: wrong('names-no-run') }, [url, fork, requested]);
}

/** A fork that is followed to its end, and whose snapshot is refused where its source's is not: it is a run like any other. */
function noSnapshot(
  { snapshotStatus = 200, ...url }: EventsUrl,
  { source, fork }: { readonly source: RecordedRun; readonly fork: RecordedRun },
  requested: Requested,
): Outcome | undefined {
  const isRefused = !isSuccess(snapshotStatus) && !saysNothing(snapshotStatus, 'action');
  if (!isRefused || fork.problem !== null || fork.snapshot !== null || source.snapshot === null) return undefined;
  const expected = `200 with the snapshot of the fork ${String(fork.runId)}, as for its source`;
  const actual = `GET ${runPath(String(fork.runId))}: ${snapshotStatus}`;
  return fail({ expected, actual, diagnosis: wrong('fork-snapshot-refused') }, [url, fork, requested]);
}

/** A fork that ended, whose log is answered, and holds nothing. */
function noLog(url: EventsUrl, fork: RecordedRun, requested: Requested): Outcome | undefined {
  const isEmpty = url.status === 200 && url.eventIds?.length === 0 && fork.events.length === 0;
  if (fork.problem === null || !isEmpty || url.snapshotEnd === undefined) return undefined;
  const expected = `the events of the fork ${String(fork.runId)}: its snapshot says ${url.snapshotEnd}`;
  return fail({ expected, actual: 'a log without any event', diagnosis: wrong('fork-log-empty') }, [
    url,
    fork,
    requested,
  ]);
}

function idsOf(run: RunObservation): ReadonlySet<string> {
  return new Set(eventsOf(run).map(({ eventId }) => eventId));
}

function answerOf({ status, problem }: EventsUrlObservation): RequestedObservation['answer'] {
  if (status === null) return { kind: 'failure', reason: problem ?? 'no answer', message: '' };
  return { kind: 'answer', status, body: { json: false, why: 'where 200 is expected' } };
}
