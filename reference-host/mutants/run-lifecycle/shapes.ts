import { isObject, member, parseJson, type JsonObject } from '../../json.ts';
import { type Defect, type Defects, seenIn } from '../mutant.ts';
import { refusal, respond } from '../../types/answers.ts';
import { leftOut, namingSources } from '../shared/fork-parts.ts';
import { createMeeting } from '../shared/meeting.ts';
import { knowingForks } from '../shared/run-memory.ts';
import { answered, answeredInstead, answering, madeWithout201, showingEvents } from '../shared/run-wire.ts';
import { writingPayloads } from '../shared/silent-replays.ts';

/** A defect of the events of one type: they are shown otherwise, in every way of reading. */
function event(type: string, breaks: string, kills: string, change: (event: JsonObject) => JsonObject): Defect {
  return {
    breaks,
    kills: [kills],
    parts: () => ({
      middleware: showingEvents(
        () => true,
        (each) => [each['type'] === type ? change(each) : each],
      ),
    }),
  };
}

/** Writes of a type that do not say what was written. */
function withoutValue(type: string, breaks: string): Defect {
  return {
    ...event(type, breaks, 'schema.run-event.wire', (each) => ({
      ...each,
      payload: leftOut(Object(each['payload']), 'value'),
    })),
    alsoBreaks: { 'region.same-fork.log': 'the other region shows what was written' },
  };
}

/** A defect of the JSON answers of a path. */
function answer(
  of: readonly [method: string, path: RegExp],
  breaks: string,
  kills: string,
  change: (body: JsonObject) => JsonObject,
): Defect {
  return {
    breaks,
    kills: [kills],
    parts: answered(...of, async (given) => {
      const body: unknown = await given.json();
      return Response.json(isObject(body) ? change(body) : body, given);
    }),
  };
}

/** A refusal with its code and message inside of `error`. */
function nested({ error, message, ...rest }: JsonObject): JsonObject {
  return typeof error === 'string' ? { error: { code: error, message } } : { error, message, ...rest };
}

/** Takes answers to questions that the host refuses so. */
function refusedAs(status: number, code: string): Defect['parts'] {
  return answered('POST', INTERRUPTS, async (given) => {
    const body: unknown = given.status === status ? await given.clone().json() : null;
    return member(body, 'error') === code ? Response.json({ status: 'running' }) : given;
  });
}

/** An answered question of the public workflow that asks, with another payload. */
function resolved(each: JsonObject, change: (payload: JsonObject) => JsonObject): JsonObject {
  const { payload, nodeId } = each;
  return nodeId === 'gate' && isObject(payload) ? { ...each, payload: change(payload) } : each;
}

const SNAPSHOT = /^\/v1\/runs\/[^/:]+$/u;
const ANNOTATIONS = /\/annotations$/u;
const INTERRUPTS = /\/interrupts\/[^/]+$/u;
const DIFF = /:diff$/u;
const CANCELLATIONS = /\/cancel$/u;

/** Documents with a member that is missing or of another type, where no row of its own looks. */
export const defects: Defects = {
  'event-cause-as-number': event(
    'interrupt.requested',
    'The causationId of questions is a number.',
    'schema.run-event',
    (each) => ({ ...each, causationId: 7 }),
  ),
  'event-causes-itself': seenIn(
    'replay.facts',
    event(
      'memory.written',
      'The events that write a memory name themselves as their cause.',
      'schema.run-event.wire',
      (each) => ({ ...each, causationId: each['eventId'] }),
    ),
  ),
  'event-of-another-day': seenIn(
    'fork.of-a-branch',
    event(
      'memory.written',
      'The events that write a memory have a time of long before their run began.',
      'schema.run-event.wire',
      (each) => ({ ...each, timestamp: '2001-01-01T00:00:00Z' }),
    ),
  ),
  'event-of-two-nodes': event(
    'node.failed',
    'The payload of an event about a node that failed names another node than the event does.',
    'schema.run-event.wire',
    ({ payload, ...each }) => ({ ...each, payload: isObject(payload) ? { ...payload, nodeId: 'other' } : payload }),
  ),
  'event-without-timestamp': seenIn(
    'replay.facts',
    event('memory.written', 'The events that write a memory have no timestamp.', 'schema.run-event.wire', (each) =>
      leftOut(each, 'timestamp'),
    ),
  ),
  'event-at-no-time': seenIn(
    'replay.facts',
    event(
      'memory.written',
      'The events that write a memory have a text for a timestamp that is no time.',
      'schema.run-event.wire',
      (each) => ({ ...each, timestamp: 'a moment ago' }),
    ),
  ),
  'start-without-id': event('run.started', 'The first event of a log has no id.', 'schema.run-event', (each) =>
    leftOut(each, 'eventId'),
  ),
  'transitions-under-one-id': seenIn(
    'handoff.missing-worker',
    event(
      'core.workflowChain.event',
      'All events of a log that tell of handoffs have one id.',
      'schema.run-event',
      (each) => ({ ...each, eventId: 'evt_handoff' }),
    ),
  ),
  'start-of-a-branch-without-payload': seenIn(
    'sequence.parallel-branches',
    event(
      'node.started',
      'The event of a node that begins beside others has no payload.',
      'schema.run-event.wire',
      (each) => (each['nodeId'] === 'branch-b' ? leftOut(each, 'payload') : each),
    ),
  ),
  'written-without-run': seenIn(
    'cache-key.not-a-security-boundary.counted-at-witness',
    event(
      'variable.changed',
      'The events that write a variable do not name their run.',
      'schema.run-event.wire',
      (each) => leftOut(each, 'runId'),
    ),
  ),
  'written-without-value': seenIn(
    'run.snapshot',
    withoutValue('variable.changed', 'The events that write a variable do not say what.'),
  ),
  'channel-written-without-value': seenIn(
    'run.snapshot',
    withoutValue('channel.written', 'The events that write to a channel do not say what.'),
  ),
  'events-name-another-run': {
    breaks: 'All events of a log name another run, in every way of reading it.',
    kills: ['schema.run-event.wire'],
    parts: () => ({ eventOnWire: (shown) => ({ ...shown, runId: `${shown.runId}.1` }) }),
  },
  'replays-name-their-sources': {
    breaks: 'The events of a replay carry the run id of its source.',
    kills: ['schema.run-event.wire'],
    parts: namingSources('replay'),
  },
  'replays-name-another-run': {
    breaks: 'The events of a replay name a run that there is not.',
    kills: ['schema.run-event.wire'],
    parts: knowingForks((modeOf) => () => ({
      middleware: showingEvents(
        (runId) => modeOf(runId) === 'replay',
        (each) => [{ ...each, runId: 'run_of_nobody' }],
      ),
    })),
  },
  'replays-happen-in-1970': {
    breaks: 'Replays show the first day of 1970 as the time at which nodes completed.',
    kills: ['schema.run-event.wire'],
    parts: knowingForks((modeOf) => () => ({
      middleware: showingEvents(
        (runId) => modeOf(runId) === 'replay',
        (each) => [each['type'] === 'node.completed' ? { ...each, timestamp: '1970-01-01T00:00:00.000Z' } : each],
      ),
    })),
  },
  'payloads-under-another-name': {
    breaks: 'Events hold their payloads under another name.',
    kills: ['schema.run-event.wire'],
    parts: () => ({ eventOnWire: ({ payload, ...shown }) => ({ ...shown, content: payload }) }),
  },
  'payloads-empty': {
    breaks: 'The payloads of all events are empty objects.',
    kills: ['schema.run-event.wire'],
    alsoBreaks: { 'region.same-fork.log': 'the other region shows what stands in its payloads' },
    seenIn: 'replay.clock',
    parts: () => ({ eventOnWire: (shown) => ({ ...shown, payload: {} }) }),
  },
  'event-engine-version-as-object': event(
    'interrupt.resolved',
    'The engineVersion of answered questions is an object.',
    'schema.run-event.wire',
    (each) => ({ ...each, engineVersion: { major: 1 } }),
  ),
  'interrupt-without-kind': event(
    'interrupt.requested',
    'Questions do not say of which kind they are.',
    'schema.interrupt',
    (each) => ({ ...each, payload: isObject(each['payload']) ? leftOut(each['payload'], 'kind') : null }),
  ),
  'interrupt-key-as-number': event(
    'interrupt.resolved',
    'The key of an answered interrupt is a number.',
    'schema.interrupt',
    (each) => ({ ...each, payload: { ...(isObject(each['payload']) ? each['payload'] : {}), key: 1 } }),
  ),
  'interrupt-of-another-run': event(
    'interrupt.requested',
    'Questions name another run than their own.',
    'schema.interrupt',
    (each) => ({ ...each, payload: { ...(isObject(each['payload']) ? each['payload'] : {}), runId: 'run_other' } }),
  ),
  'interrupt-answered-as-another': event(
    'interrupt.resolved',
    'An answered question has another id than when it was asked.',
    'schema.interrupt',
    (each) => ({
      ...each,
      payload: { ...(isObject(each['payload']) ? each['payload'] : {}), interruptId: 'int_other' },
    }),
  ),
  'interrupt-of-no-node-answered': {
    breaks: 'An answer to a node that has asked nothing is taken, and nothing comes of it.',
    kills: ['schema.interrupt'],
    parts: refusedAs(404, 'interrupt_not_found'),
  },
  'interrupt-of-a-cancelled-run-answered': {
    breaks: 'An answer to a run that was cancelled is taken, and nothing comes of it.',
    kills: ['schema.interrupt'],
    seenIn: 'run.snapshot',
    parts: refusedAs(422, 'run_ended'),
  },
  'interrupt-resolved-with-the-opposite': event(
    'interrupt.resolved',
    'An answered question says that it was rejected, where it was accepted.',
    'schema.interrupt',
    (each) => resolved(each, (payload) => ({ ...payload, resumeValue: { action: 'reject' } })),
  ),
  'interrupt-resolved-without-its-answer': event(
    'interrupt.resolved',
    'An answered question does not say how it was answered.',
    'schema.interrupt',
    (each) => resolved(each, (payload) => leftOut(payload, 'resumeValue')),
  ),
  'replays-answer-what-nobody-asked': {
    breaks: 'The answers that replays take over name questions that nobody was asked.',
    kills: ['schema.interrupt'],
    seenIn: 'replay.interrupt-short-circuits.empty-answer',
    parts: writingPayloads('interrupt.resolved', (payload) => ({ ...payload, interruptId: 'int_of_nobody' })),
  },
  'snapshot-started-at-in-parts': answer(
    ['GET', SNAPSHOT],
    'The snapshots of a workflow that fails give their beginning as a list of a year, a month and a day.',
    'schema.run-snapshot.wire',
    (body) => (body['workflowId'] === 'conformance-failure' ? { ...body, startedAt: [2026, 11, 27] } : body),
  ),
  'snapshot-of-a-waiting-run-shows-when-it-ended': seenIn(
    'annotation.live',
    answer(
      ['GET', SNAPSHOT],
      'The snapshot of a run that waits says when it ended.',
      'schema.run-snapshot.wire',
      (body) =>
        String(body['status']).startsWith('waiting') ? { ...body, completedAt: new Date().toISOString() } : body,
    ),
  ),
  'snapshot-ends-before-it-begins': answer(
    ['GET', SNAPSHOT],
    'The snapshots of a workflow that fails say that it ended long before it began.',
    'schema.run-snapshot.wire',
    (body) =>
      body['workflowId'] === 'conformance-failure' && body['status'] === 'failed'
        ? { ...body, completedAt: '1999-01-01T00:00:00.000Z' }
        : body,
  ),
  'snapshots-of-branches-say-replay': seenIn(
    'fork.overlay-configurable',
    answer(
      ['GET', SNAPSHOT],
      'The snapshot of a branch says that it is a replay.',
      'schema.run-snapshot.wire',
      (body) => (body['forkMode'] === 'branch' ? { ...body, forkMode: 'replay' } : body),
    ),
  ),
  'snapshots-of-forks-name-themselves': answer(
    ['GET', SNAPSHOT],
    'The snapshot of a fork names the fork itself as its parent.',
    'schema.run-snapshot.wire',
    (body) => (typeof body['forkMode'] === 'string' ? { ...body, parentRunId: body['runId'] ?? null } : body),
  ),
  'snapshot-without-workflow': answer(
    ['GET', SNAPSHOT],
    'A snapshot does not name its workflow.',
    'schema.run-snapshot.wire',
    (body) => (body['status'] === 'failed' ? leftOut(body, 'workflowId') : body),
  ),
  'snapshot-status-as-object': answer(
    ['GET', SNAPSHOT],
    'The status in the snapshots of a workflow that fails is an object.',
    'schema.run-snapshot',
    (body) =>
      typeof body['status'] === 'string' && body['workflowId'] === 'conformance-failure'
        ? { ...body, status: { name: body['status'] } }
        : body,
  ),
  'run-answer-without-status': answer(
    ['POST', /^\/v1\/runs$/u],
    'The answer that makes a run does not say how it stands.',
    'schema.run-answer',
    (body) => leftOut(body, 'status'),
  ),
  'run-answer-status-url-as-object': answer(
    ['POST', /^\/v1\/runs$/u],
    'The statusUrl in the answer that makes a run is an object.',
    'schema.run-answer',
    (body) => ('statusUrl' in body ? { ...body, statusUrl: { href: body['statusUrl'] ?? null } } : body),
  ),
  'run-answer-status-url-of-nothing': answer(
    ['POST', /^\/v1\/runs$/u],
    'The statusUrl in the answer that makes a run leads nowhere.',
    'schema.run-answer',
    (body) => ('statusUrl' in body ? { ...body, statusUrl: `/v1/status/${String(body['runId'])}` } : body),
  ),
  'run-answer-events-url-of-the-snapshot': answer(
    ['POST', /^\/v1\/runs$/u],
    'The eventsUrl in the answer that makes a run leads to its snapshot.',
    'schema.run-answer',
    (body) => ('statusUrl' in body ? { ...body, eventsUrl: body['statusUrl'] ?? null } : body),
  ),
  'run-answer-status-url-of-the-events': answer(
    ['POST', /^\/v1\/runs$/u],
    'The statusUrl in the answer that makes a run leads to its events.',
    'schema.run-answer',
    (body) => ('statusUrl' in body ? { ...body, statusUrl: body['eventsUrl'] ?? null } : body),
  ),
  'run-answer-status-url-not-served': {
    breaks: 'The statusUrl in the answer that makes a run leads to a place that is not served.',
    kills: ['schema.run-answer'],
    parts: () => ({
      middleware: (next) => async (request) => {
        const { pathname } = new URL(request.url);
        if (pathname.startsWith('/v1/status/')) return respond(refusal(501, 'not_implemented', 'Not served.'));
        const given = await next(request);
        if (request.method !== 'POST' || pathname !== '/v1/runs' || given.status !== 201) return given;
        const body: unknown = await given.json();
        const statusUrl = `/v1/status/${String(member(body, 'runId'))}`;
        return Response.json(isObject(body) ? { ...body, statusUrl } : body, given);
      },
    }),
  },
  'run-answer-urls-of-the-first-run': {
    breaks: 'The URLs in the answers that make runs lead to the first one that was made.',
    kills: ['schema.run-answer'],
    seenIn: 'run.creating',
    parts: () => {
      let first: JsonObject | undefined;
      return answered('POST', /^\/v1\/runs$/u, async (given) => {
        const body: unknown = await given.json();
        if (!isObject(body) || given.status !== 201) return Response.json(body, given);
        first ??= body;
        const { eventsUrl, statusUrl } = first;
        return Response.json({ ...body, eventsUrl, statusUrl }, given);
      })();
    },
  },
  'run-answer-says-failed': answer(
    ['POST', /^\/v1\/runs$/u],
    'The answer that makes a run says that it failed already.',
    'schema.run-answer',
    (body) => ('status' in body ? { ...body, status: 'failed' } : body),
  ),
  'run-answered-with-200': {
    breaks: 'A run that is made is answered with 200.',
    kills: ['schema.run-answer'],
    parts: madeWithout201(/^\/v1\/runs$/u),
  },
  'fork-answer-says-failed': answer(
    ['POST', /^\/v1\/runs\/[^/]+:fork$/u],
    'The answer that makes a fork says that it failed already.',
    'schema.fork-answer',
    (body) => ('sourceRunId' in body ? { ...body, status: 'failed' } : body),
  ),
  'whole-replay-of-failed-run-without-url': {
    breaks: 'The answer that makes a replay of a whole run that failed leaves out eventsUrl.',
    kills: ['fork.created.every-sequence'],
    seenIn: 'schema.wire',
    parts: () => ({
      middleware: (next) => async (request) => {
        const [, source] = /^\/v1\/runs\/([^/:]+):fork$/u.exec(new URL(request.url).pathname) ?? [];
        if (source === undefined) return next(request);
        const asked = parseJson(await request.clone().text());
        const isWhole = asked.ok && member(asked.value, 'fromSeq') === undefined;
        const given = await next(request);
        if (!isWhole || given.status !== 201) return given;
        const url = new URL(`/v1/runs/${source}`, request.url);
        const run: unknown = await (await next(new Request(url, { headers: request.headers }))).json();
        const body: unknown = await given.json();
        const isMeant = member(run, 'status') === 'failed' && isObject(body);
        return Response.json(isMeant ? leftOut(body, 'eventsUrl') : body, given);
      },
    }),
  },
  'diff-refused-without-message': answer(
    ['GET', DIFF],
    'The refusal of a difference has no message.',
    'schema.error-envelope',
    (body) => (typeof body['error'] === 'string' ? leftOut(body, 'message') : body),
  ),
  'annotation-refused-nested': answer(
    ['POST', ANNOTATIONS],
    'The refusal of an annotation stands inside of error.',
    'schema.error-envelope',
    nested,
  ),
  'annotations-refused-nested': answer(
    ['GET', ANNOTATIONS],
    'The refusal of a list of annotations stands inside of error.',
    'schema.error-envelope',
    nested,
  ),
  'answer-refused-nested': answer(
    ['POST', INTERRUPTS],
    'The refusal of an answer to a question stands inside of error.',
    'schema.error-envelope',
    nested,
  ),
  'unknown-run-takes-answers': {
    breaks: 'An answer to a question of a run that there is not is said to be taken.',
    kills: ['schema.interrupt'],
    parts: answeredInstead('POST', INTERRUPTS, 404, () => Response.json({ status: 'accepted' })),
  },
  'unknown-run-takes-annotations': {
    breaks: 'An annotation of a run that there is not is said to be kept.',
    kills: ['schema.annotation'],
    parts: answeredInstead('POST', ANNOTATIONS, 404, () =>
      Response.json({ annotationId: 'ann_1', target: { runId: 'run_1' } }, { status: 201 }),
    ),
  },
  'unknown-run-has-annotations': {
    breaks: 'The list of annotations of a run that there is not is an empty one.',
    kills: ['schema.annotation'],
    parts: answeredInstead('GET', ANNOTATIONS, 404, () => Response.json({ annotations: [] })),
  },
  'advertised-annotations-are-not-taken': {
    breaks: 'Annotations are advertised, and answered with 501.',
    kills: ['schema.annotation'],
    parts: answering('POST', ANNOTATIONS, () => respond(refusal(501, 'not_implemented', 'No annotations.'))),
  },
  'advertised-annotations-are-not-listed': {
    breaks: 'Annotations are advertised and taken, and their list is answered with 404.',
    kills: ['schema.annotation'],
    parts: answering('GET', ANNOTATIONS, () => respond(refusal(404, 'not_found', 'No annotations.'))),
  },
  'annotations-fail': {
    breaks: 'The host fails over every annotation.',
    kills: ['schema.annotation'],
    parts: answering('POST', ANNOTATIONS, () => respond(refusal(500, 'internal_error', 'No annotations.'))),
  },
  'annotations-listed-as-none': {
    breaks: 'Annotations are taken, and their list stays empty.',
    kills: ['schema.annotation'],
    parts: answeredInstead('GET', ANNOTATIONS, 200, () => Response.json({ annotations: [] })),
  },
  'answers-fail': {
    breaks: 'The host fails over every answer to a question.',
    kills: ['schema.interrupt'],
    parts: answering('POST', INTERRUPTS, () => respond(refusal(500, 'internal_error', 'No answers.'))),
  },
  'host-fails-over-answers-to-unknown-runs': {
    breaks: 'The host fails over an answer to a run, or to a node, that there is not.',
    kills: ['schema.interrupt'],
    parts: answeredInstead('POST', INTERRUPTS, 404, () =>
      Response.json({ error: 'internal', message: 'x' }, { status: 500 }),
    ),
  },
  'host-fails-over-cancelling-unknown-runs': {
    breaks: 'The host fails over the cancellation of a run that there is not.',
    kills: ['run.cancel'],
    parts: answeredInstead('POST', CANCELLATIONS, 404, () =>
      Response.json({ error: 'internal', message: 'x' }, { status: 500 }),
    ),
  },
  'answered-question-takes-another-answer': {
    breaks: 'An answer to a question that was answered before is taken as well, or is said to be.',
    kills: ['schema.interrupt'],
    parts: answeredInstead('POST', INTERRUPTS, 409, () => Response.json({ status: 'completed' })),
  },
  'answers-at-once-are-both-taken': {
    breaks: 'Of two answers to one question that come at the same time both are said to be taken.',
    kills: ['schema.interrupt'],
    parts: () => {
      const meet = createMeeting();
      const met = new Set<string>();
      return {
        middleware: (next) => async (request) => {
          const { pathname } = new URL(request.url);
          if (request.method !== 'POST' || !INTERRUPTS.test(pathname)) return next(request);
          if ((await meet(pathname)) === 'later') met.add(pathname);
          const given = await next(request);
          return met.has(pathname) && given.status === 409 ? Response.json({ status: 'completed' }) : given;
        },
      };
    },
  },
  'annotation-without-target': answer(
    ['POST', ANNOTATIONS],
    'The answer to an annotation does not name the run.',
    'schema.annotation',
    (body) => leftOut(body, 'target'),
  ),
  'annotation-names-another-run': answer(
    ['POST', ANNOTATIONS],
    'The answer to an annotation names another run.',
    'schema.annotation',
    (body) => ('target' in body ? { ...body, target: { runId: 'run_1' } } : body),
  ),
  'annotations-name-another-run': answer(
    ['GET', ANNOTATIONS],
    'The list of the annotations of a run names another one.',
    'schema.annotation',
    ({ annotations, ...body }) =>
      Array.isArray(annotations)
        ? { ...body, annotations: annotations.map((each) => ({ ...each, target: { runId: 'run_1' } })) }
        : body,
  ),
  'annotation-answered-with-200': {
    breaks: 'An annotation that is made is answered with 200.',
    kills: ['schema.annotation'],
    parts: madeWithout201(ANNOTATIONS),
  },
  'annotations-under-items': answer(
    ['GET', ANNOTATIONS],
    'The list of annotations stands under another name.',
    'schema.annotation',
    ({ annotations, ...body }) => ({ ...body, items: annotations }),
  ),
  'diff-without-state': answer(
    ['GET', DIFF],
    'The difference of two runs says nothing of their states.',
    'schema.diff',
    (body) => leftOut(body, 'stateDiff'),
  ),
};
