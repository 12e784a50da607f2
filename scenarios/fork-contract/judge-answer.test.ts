import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/evidence/types.ts';
import {
  answered,
  requested,
  fork,
  judged,
  recorded,
  refusedFork,
  run,
  short,
  LOG,
  UNANSWERED,
} from '../../test/fork-observations.ts';
import { type EventsUrlObservation, placesOf } from '../shared/requested-fork.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { judgeAnswer } from './judge-answer.ts';

const ANSWER = {
  runId: 'run_b',
  sourceRunId: 'run_a',
  fromSeq: 0,
  mode: 'replay',
  status: 'pending',
  eventsUrl: '/v1/runs/run_b/events',
};

function url(more: Partial<EventsUrlObservation> = {}): EventsUrlObservation {
  const path = '/v1/runs/run_b/events';
  const common = { type: 'events-url', role: 'replay', exchanges: ['x3'] } as const;
  return { ...common, sameOrigin: true, path, status: 200, problem: null, ...more };
}

interface Recorded {
  readonly status?: number;
  readonly body?: { readonly [name: string]: Json };
  readonly fromSeq?: number | null;
  readonly events?: EventsUrlObservation;
}

function judge({ status = 201, body = ANSWER, fromSeq = null, events = url() }: Recorded) {
  const observations = recorded(
    run('source'),
    requested('fork', 'replay', status, body),
    fork('replay', 'run_b', { fromSeq }),
    events,
  );
  return judged(judgeAnswer(observations, 'replay'));
}

function without(name: keyof typeof ANSWER): { readonly [name: string]: Json } {
  return Object.fromEntries(Object.entries(ANSWER).filter(([each]) => each !== name));
}

function refused(status: number, advertised: boolean) {
  const unmade = refusedFork('replay', status, 'replay', advertised);
  const observations = recorded(run('source'), requested('fork', 'replay', status), unmade);
  return judged(judgeAnswer(observations, 'replay'));
}

describe('the answer to a fork', () => {
  it('passes with all six members, other members beside them, and a URL that answers', () => {
    expect(judge({})).toMatchObject({ verdict: 'pass', evidence: ['o4', 'o2'] });
    expect(short(judge({ body: { ...ANSWER, trace: 't' } }))).toBe('pass');
    expect(short(judge({ body: { ...ANSWER, fromSeq: 2 }, fromSeq: 2 }))).toBe('pass');
  });

  it.each(Object.keys(ANSWER) as (keyof typeof ANSWER)[])('fails without %s', (name) => {
    const judgement = judge({ body: without(name) });
    expect(judgement).toMatchObject({ verdict: 'fail' });
    expect(judgement.actual).toContain(`${name} is nothing`);
  });

  it.each([
    ['another source', { sourceRunId: 'run_c' }],
    ['fromSeq as a text', { fromSeq: '0' }],
    ['another fromSeq', { fromSeq: 1 }],
    ['another mode', { mode: 'branch' }],
    ['a status that is none', { status: 1 }],
    ['an empty URL', { eventsUrl: '' }],
  ])('fails with %s', (_, members) => {
    expect(short(judge({ body: { ...ANSWER, ...members } }))).toBe('fail other-fork-answer');
  });

  it('names the mistake of an answer whose URL is that of the source, and nothing else wrong', () => {
    const eventsUrl = '/v1/runs/run_a/events';
    expect(short(judge({ body: { ...ANSWER, eventsUrl } }))).toBe('fail events-of-the-source');
    expect(short(judge({ body: { ...ANSWER, eventsUrl, mode: 'branch' } }))).toBe('fail other-fork-answer');
    expect(short(judge({ body: { ...ANSWER, eventsUrl: '' } }))).toBe('fail other-fork-answer');
  });

  it.each([
    [201, 'status 201, the body is no JSON'],
    [200, 'status 200; the body is no JSON'],
  ])('says that the body of %d is no JSON', (status, actual) => {
    const answer = { kind: 'answer', status, body: { json: false, why: 'the body is no JSON' } } as const;
    const asked = { ...requested('fork', 'replay', status), answer };
    expect(judged(judgeAnswer(recorded(run('source'), asked, fork('replay', 'run_b')), 'replay')).actual).toBe(actual);
  });

  it('fails 200 and 202, and a URL that leads nowhere', () => {
    expect(judge({ status: 200 }).actual).toBe('status 200');
    expect(short(judge({ status: 202 }))).toBe('fail other-fork-answer');
    expect(short(judge({ events: url({ status: 404 }) }))).toBe('fail other-fork-answer');
    expect(judge({ events: url({ isSnapshot: true }) }).actual).toContain('a snapshot, no events');
    expect(short(judge({ events: url({ isSnapshot: true, sameOrigin: false }) }))).toBe('pass');
    expect(short(judge({ events: url({ path: null, status: null, problem: 'no URL' }) }))).toBe(
      'fail other-fork-answer',
    );
  });

  it('fails a URL at which the log of the source is, where the two can be told apart', () => {
    const own = LOG.map((each, index) => ({ ...(each as object), eventId: `f${index}` }));
    const judgeUrl = (eventIds: readonly string[], events: readonly Json[] = own, sameOrigin = true): string => {
      const made = [requested('fork', 'replay', 201, ANSWER), fork('replay', 'run_b', { fromSeq: null, events })];
      return short(judged(judgeAnswer(recorded(run('source'), ...made, url({ eventIds, sameOrigin })), 'replay')));
    };
    expect(judgeUrl(['e0', 'e1'])).toBe('fail events-of-the-source');
    expect(judgeUrl(['f0', 'f1'])).toBe('pass');
    expect(judgeUrl([])).toBe('pass');
    expect(judgeUrl(['e0'], LOG)).toBe('pass');
    expect(judgeUrl(['e0'], own, false)).toBe('fail events-of-the-source');
    expect(judgeUrl(['f0'], own, false)).toBe('pass');
    expect(judgeUrl(['g0'], own)).toBe('fail events-of-another-run');
    const made = [requested('fork', 'replay', 201, ANSWER), fork('replay', 'run_b', { fromSeq: null, events: own })];
    // The request for a sound log shows nothing of the answer that led there.
    expect(judged(judgeAnswer(recorded(run('source'), ...made, url({ eventIds: ['g0'] })), 'replay'))).toMatchObject({
      steps: [],
    });
    expect(judgeUrl(['g0'], own, false)).toBe('pass');
  });

  it('notes a URL of another origin, and decides nothing by one that does not answer here', () => {
    expect(judge({ events: url({ sameOrigin: false }) })).toMatchObject({ verdict: 'pass' });
    expect(judge({ events: url({ sameOrigin: false }) }).reason).toContain('another origin');
    expect(short(judge({ events: url({ sameOrigin: false, status: 404 }) }))).toBe('inconclusive');
    expect(short(judge({ events: url({ status: null, problem: 'timeout' }) }))).toBe('inconclusive');
    expect(short(judge({ events: url({ status: 503 }) }))).toBe('inconclusive');
  });

  it('fails a refused fork where its mode is advertised, and is undecided otherwise', () => {
    expect(short(refused(501, true))).toBe('fail fork-refused');
    expect(short(refused(501, false))).toBe('inconclusive');
    expect(short(refused(401, true))).toBe('inconclusive');
  });

  it('is undecided without a source or an answer', () => {
    expect(short(judged(judgeAnswer(recorded(), 'replay')))).toBe('inconclusive');
    const unanswered = recorded(
      run('source'),
      answered('fork', 'replay', UNANSWERED),
      run('replay', { runId: null, answered: null, problem: 'no answer' }),
    );
    expect(short(judged(judgeAnswer(unanswered, 'replay')))).toBe('inconclusive');
  });
});

const at = (path: string, sameOrigin = true) => [{ sameOrigin, path }];

describe('the places of a URL', () => {
  it.each([
    ['http://h', '/v1/a?b=c', at('/v1/a?b=c')],
    ['http://h/api', '/api/v1/a', at('/v1/a')],
    ['http://h/api', '/v1/a', at('/v1/a')],
    ['http://h', 'http://h/v1/a', at('/v1/a')],
    ['http://h', 'https://other.example/v1/a', at('/v1/a', false)],
    ['http://h', '//other.example/v1/a', at('/v1/a', false)],
    ['http://h', 'x/events', [...at('/v1/runs/x/events'), ...at('/x/events')]],
    ['http://h/api', 'x/events', [...at('/v1/runs/x/events'), ...at('/x/events')]],
    ['http://h/api/', 'v1/runs/x/events', [...at('/v1/runs/v1/runs/x/events'), ...at('/v1/runs/x/events')]],
    ['http://h', 'mailto:x', []],
    ['http://h', 'http://[', []],
    ['http://h', '', []],
  ])('below %s of %s', (base, of, expected) => {
    expect(placesOf(base, '/v1/runs/a:fork', of)).toEqual(expected);
  });
});

/** A fork that was not followed to its end, as its answer and its eventsUrl came. */
function unfollowed(events: EventsUrlObservation) {
  const base = { fromSeq: null, problem: 'GET its log answered 404', events: [] };
  const lost = fork('replay', 'run_b', { ...base, snapshot: null });
  const observations = recorded(run('source'), requested('fork', 'replay', 201, ANSWER), lost, events);
  return judged(judgeAnswer(observations, 'replay'));
}

/** A fork that was followed to its end, its snapshot requested once more. */
function judgeFork(snapshotStatus: number, more: Partial<RunObservation> = { snapshot: null }): string {
  const made = fork('replay', 'run_b', { fromSeq: null, ...more });
  const asked = [requested('fork', 'replay', 201, ANSWER), made, url({ snapshotStatus })];
  return short(judged(judgeAnswer(recorded(run('source'), ...asked), 'replay')));
}

describe('a fork that is not found under its own id', () => {
  it('fails where its snapshot is answered with 404 and its eventsUrl with 200', () => {
    const judgement = unfollowed(url({ snapshotStatus: 404 }));
    expect(short(judgement)).toBe('fail names-no-run');
    expect(judgement.actual).toBe('GET /v1/runs/run_b: 404; GET its log answered 404');
  });

  it('is no fault of the answer where the fork was seen, or where another status or none came', () => {
    expect(short(judge({ events: url({ snapshotStatus: 404 }) }))).toBe('pass');
    expect(short(unfollowed(url({ snapshotStatus: 503 })))).toBe('pass');
    expect(short(unfollowed(url()))).toBe('pass');
  });

  it('fails where it is followed and its snapshot is refused, which that of its source is not', () => {
    expect(judgeFork(404)).toBe('fail fork-snapshot-refused');
    expect(judgeFork(500)).toBe('fail fork-snapshot-refused');
    expect(judgeFork(503)).toBe('pass');
    expect(judgeFork(403)).toBe('pass');
    expect(judgeFork(404, {})).toBe('pass');
  });

  it('fails where it has ended and its log is answered without events', () => {
    const ended = { snapshotStatus: 200, snapshotEnd: 'completed' };
    expect(short(unfollowed(url({ eventIds: [], ...ended })))).toBe('fail fork-log-empty');
    expect(short(unfollowed(url({ eventIds: [], snapshotStatus: 200 })))).toBe('pass');
    expect(short(unfollowed(url({ eventIds: ['e1'], ...ended })))).toBe('pass');
    expect(short(unfollowed(url({ status: 503, ...ended })))).toBe('inconclusive');
  });

  it('is the fault of the URL where that is not answered either', () => {
    expect(short(unfollowed(url({ status: 404, snapshotStatus: 404 })))).toBe('fail other-fork-answer');
  });
});
