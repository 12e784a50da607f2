import { because, type Defect, type Defects, type Parts, seenIn } from '../mutant.ts';
import { isObject, type JsonObject } from '../../json.ts';
import type { Fetch } from '../../parts.ts';
import { type EventType, isTerminal, type RunEvent } from '../../store/event.ts';
import type { ForkMode } from '../../store/runs.ts';
import { refusal, respond } from '../../types/answers.ts';
import { leftOut, without } from '../shared/fork-parts.ts';
import { withPayload } from '../shared/replay-parts.ts';
import { knowingForks } from '../shared/run-memory.ts';
import {
  answered,
  answering,
  changingFrames,
  changingLive,
  resumingAt,
  rewritingEvents,
  rewritingFrames,
  showingEvents,
  withQuery,
} from '../shared/run-wire.ts';

const POLL = /\/events\/poll$/;

/** Changes what the poll endpoint, or another one for JSON, answers about a run that there is. */
function polling(change: (body: JsonObject) => JsonObject, path = POLL) {
  return answering('GET', path, async (answer) => {
    const response = await answer();
    if (isStream(response)) return response;
    const body: unknown = await response.json();
    return Response.json(isObject(body) && response.status === 200 ? change(body) : body, { status: response.status });
  });
}

/** Changes what the poll endpoint answers about a fork where it goes on after an event. */
function resumingForks(change: (events: readonly JsonObject[]) => readonly JsonObject[]): Parts {
  return knowingForks((modeOf) => () => ({
    middleware: (next) => async (request) => {
      const response = await next(request);
      const { pathname, search } = new URL(request.url);
      const [, runId = ''] = /^\/v1\/runs\/([^/]+)\/events\/poll$/u.exec(pathname) ?? [];
      if (search === '' || modeOf(runId) === undefined || response.status !== 200) return response;
      const body: unknown = await response.json();
      if (!isObject(body) || !Array.isArray(body['events'])) return Response.json(body);
      return Response.json({ ...body, events: change(body['events'].filter(isObject)) });
    },
  }));
}

function isStream(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith('text/event-stream') === true;
}

/** Changes what the poll endpoint shows of the history of forks of a mode. */
function historyPolledOtherwise(mode: ForkMode, type: EventType, payload: object): Parts {
  return ({ written }) => {
    const places = new Map<string, number>();
    return {
      written: (draft, writing) => {
        const { runId, fork } = writing.run;
        if (fork?.mode === mode) places.set(runId, fork.fromSeq ?? 0);
        return written(draft, writing);
      },
      eventOnWire: (event, reading) =>
        reading === 'poll' && event.type === type && event.sequence < (places.get(event.runId) ?? 0)
          ? withPayload(event, payload)
          : event,
    };
  };
}

/** Changes the events as streams alone show them. */
function streaming(change: (event: RunEvent) => unknown): Parts {
  return () => ({ eventOnWire: (event, reading) => (reading === 'sse' ? change(event) : event) });
}

/** Lists show another event behind the end of a run from the second time on that they show it. */
const followedLater: Parts = () => {
  const shown = new Set<unknown>();
  return rewritingEvents(/\/events(?:\/poll)?$/u, (events) =>
    events.flatMap((event) => {
      if (!isTerminal(event['type'] as RunEvent['type'])) return [event];
      const isLater = shown.has(event['runId']);
      shown.add(event['runId']);
      const [eventId, sequence] = [`${String(event['eventId'])}-later`, Number(event['sequence']) + 1];
      return isLater ? [event, { ...event, type: 'log.appended', eventId, sequence, payload: {} }] : [event];
    }),
  )();
};

/** A host around another one that knows which runs were dispatched. */
function knowingChildren(around: (next: Fetch, isChild: (runId: string) => boolean) => Fetch): Parts {
  return () => {
    const children = new Set<string>();
    return {
      written: (draft, { run }) => {
        if (run.dispatchedBy !== undefined) children.add(run.runId);
        return [draft];
      },
      middleware: (next) => around(next, (runId) => children.has(runId)),
    };
  };
}

/** Parts that know which runs are forks of forks. */
function knowingForksOfForks(parts: (isDeep: (runId: unknown) => boolean) => Parts): Parts {
  return (conformant) => {
    const [forks, deep] = [new Set<string>(), new Set<unknown>()];
    return {
      written: (draft, { run: { runId, fork } }) => {
        if (fork !== undefined) (forks.has(fork.parentRunId) ? deep : forks).add(runId);
        return [draft];
      },
      ...parts((runId) => deep.has(runId))(conformant),
    };
  };
}

/** The poll endpoint leaves out the events of one type. */
function hidingFromPolls(type: EventType, what: string): Defect {
  return {
    breaks: `The poll endpoint leaves out ${what}.`,
    kills: ['sequence.transports-agree'],
    parts: rewritingEvents(POLL, (events) => events.filter((event) => event['type'] !== type)),
  };
}

/** Readings of one log that disagree. */
export const defects: Defects = {
  'json-numbers-repeat': {
    breaks: 'The JSON log gives the last event the number of the one before it.',
    kills: ['sequence.monotonic'],
    parts: rewritingEvents(/\/events$/, (events) =>
      events.map((event, index) =>
        index > 0 && index === events.length - 1 ? { ...event, sequence: events[index - 1]?.['sequence'] } : event,
      ),
    ),
  },
  'fifth-number-repeats': {
    breaks: 'The fifth event has the number of the fourth, however a log is read.',
    kills: ['sequence.monotonic'],
    parts: () => ({
      eventOnWire: (event) => (event.sequence === 4 ? { ...event, sequence: 3 } : event),
    }),
  },
  'json-number-is-text': {
    breaks: 'The JSON log gives the number of the last event as a text.',
    kills: ['sequence.monotonic'],
    parts: rewritingEvents(/\/events$/, (events) =>
      events.map((event, index) =>
        index === events.length - 1 ? { ...event, sequence: String(event['sequence']) } : event,
      ),
    ),
  },
  'poll-number-out-of-range': {
    breaks: 'The poll endpoint gives the first event a number outside the range of a double.',
    kills: ['sequence.monotonic'],
    parts: answering('GET', /\/events\/poll$/, async (answer) => {
      const response = await answer();
      const text = (await response.text()).replace(/"sequence":\d+/, '"sequence":1e400');
      return new Response(text, { status: response.status, headers: { 'content-type': 'application/json' } });
    }),
  },
  'poll-newest-first': {
    breaks: 'The poll endpoint gives the newest events first.',
    kills: ['sequence.monotonic'],
    parts: rewritingEvents(POLL, (events) => events.toReversed()),
  },
  'lists-go-on-behind-the-end-later': {
    breaks: 'An event comes behind the end of each run later, whether it is forked or not.',
    kills: ['sequence.single-terminal-event'],
    parts: followedLater,
  },
  'json-ends-twice': {
    breaks: 'The JSON log shows the end of the run twice.',
    kills: ['sequence.single-terminal-event'],
    parts: rewritingEvents(/\/events$/, (events) => [
      ...events,
      ...events
        .slice(-1)
        .map((event) => ({ ...event, eventId: 'evt_second_end', sequence: Number(event['sequence']) + 1 })),
    ]),
  },
  'poll-goes-on-after-the-end': {
    breaks: 'The poll endpoint shows an event after the end of the run.',
    kills: ['sequence.single-terminal-event'],
    parts: rewritingEvents(POLL, (events) => [
      ...events,
      ...events.slice(-1).map((event) => ({
        ...event,
        type: 'log.appended',
        eventId: 'evt_late',
        sequence: Number(event['sequence']) + 1,
      })),
    ]),
  },
  'json-holds-fifty-events': {
    breaks: 'The JSON log leaves out what follows the fiftieth event, and does not say so.',
    kills: ['sequence.single-terminal-event'],
    parts: rewritingEvents(/\/events$/, (events) => events.slice(0, 50)),
  },
  'stream-holds-forty-events': {
    breaks: 'A stream ends with the fortieth event of a log, from wherever it is resumed.',
    kills: ['sequence.single-terminal-event'],
    parts: answering('GET', /\/events$/u, async (answer) => {
      const response = await answer();
      return isStream(response)
        ? changingFrames(response, (event) => (Number(event['sequence']) >= 40 ? [] : [event]))
        : response;
    }),
  },
  'poll-misses-the-end': {
    breaks: 'The poll endpoint leaves the last event out.',
    kills: ['sequence.single-terminal-event'],
    parts: rewritingEvents(POLL, (events) => events.slice(0, -1)),
  },
  'json-hides-failures-of-nodes': {
    breaks: 'The JSON log leaves out which node failed.',
    kills: ['sequence.transports-agree'],
    parts: rewritingEvents(/\/events$/, (events) => events.filter(({ type }) => type !== 'node.failed')),
  },
  'poll-shows-no-ids': {
    breaks: 'The poll endpoint shows null in the place of the ids of events.',
    kills: ['sequence.transports-agree'],
    parts: rewritingEvents(POLL, (events) => events.map((event) => ({ ...event, eventId: null }))),
  },
  'json-shows-no-payloads': {
    breaks: 'The JSON log shows which nodes completed without what came of it.',
    kills: ['sequence.transports-agree'],
    parts: rewritingEvents(/\/events$/, (events) =>
      events.map((event) => (event['type'] === 'node.completed' ? leftOut(event, 'payload') : event)),
    ),
  },
  'poll-hides-cancellations': hidingFromPolls('run.cancelled', 'that a run was cancelled'),
  'poll-hides-versions': hidingFromPolls('version.pinned', 'which versions a run is pinned to'),
  'poll-shows-retries-as-starts': {
    breaks: 'The poll endpoint shows another attempt of a node as its first one.',
    kills: ['sequence.transports-agree'],
    seenIn: 'replay.same-failure',
    parts: rewritingEvents(POLL, (events) =>
      events.map((event) => (event['type'] === 'node.retried' ? { ...event, type: 'node.started' } : event)),
    ),
  },
  'poll-cursor-inclusive': {
    breaks: 'The poll endpoint repeats the event that its cursor names.',
    kills: ['run.cursor'],
    parts: withQuery((query) => {
      const cursor = Number(query.get('lastSequence') ?? 0);
      if (cursor >= 1) query.set('lastSequence', String(cursor - 1));
    }),
  },
  'poll-cursor-ignored': {
    breaks: 'The poll endpoint begins with the first event, whatever its cursor says.',
    kills: ['run.cursor'],
    parts: withQuery((query, pathname) => {
      if (pathname.endsWith('/events/poll')) query.delete('lastSequence');
    }),
  },
  'poll-cursor-refused': {
    breaks: 'The poll endpoint refuses whoever names a cursor with 400.',
    kills: ['run.cursor'],
    parts: answering('GET', POLL, (response, request) =>
      new URL(request.url).search === ''
        ? response()
        : respond(refusal(400, 'validation_error', 'There is no such parameter.')),
    ),
  },
  'poll-cursor-at-the-end-refused': {
    breaks: 'The poll endpoint answers with 500 where nothing follows the cursor.',
    kills: ['run.cursor'],
    parts: answered('GET', POLL, async (answer, request) => {
      const body: unknown = await answer.clone().json();
      const isAtEnd = isObject(body) && Array.isArray(body['events']) && body['events'].length === 0;
      return isAtEnd && new URL(request.url).search !== ''
        ? respond(refusal(500, 'internal_error', 'There is no event.'))
        : answer;
    }),
  },
  'stream-refuses-to-resume': {
    breaks: 'A stream that is to go on after an event is answered with 500.',
    kills: ['run.cursor'],
    parts: () => ({
      middleware: (next) => (request) => {
        const { headers } = request;
        const isResumed = headers.has('last-event-id') && headers.get('accept') === 'text/event-stream';
        return isResumed ? respond(refusal(500, 'internal_error', 'The stream is lost.')) : next(request);
      },
    }),
  },
  'stream-resumes-too-early': {
    breaks: 'A resumed stream repeats the event after which it should go on.',
    kills: ['run.cursor'],
    parts: resumingAt((sequence) => sequence - 1),
  },
  'stream-resumes-too-late': {
    breaks: 'A resumed stream skips an event.',
    kills: ['run.cursor'],
    parts: resumingAt((sequence) => sequence + 1),
  },
  'stream-resumes-in-another-run': {
    breaks: 'The events of a resumed stream name another run.',
    kills: ['run.cursor'],
    parts: answering('GET', /\/events$/u, async (answer, request) => {
      const response = await answer();
      const isResumed = request.headers.has('last-event-id');
      return isResumed ? changingFrames(response, (event) => [{ ...event, runId: 'run_other' }]) : response;
    }),
  },
  'stream-resumes-with-ids-from-zero': {
    breaks: 'The messages of a resumed stream have ids that are counted from 0 on again.',
    kills: ['run.cursor'],
    parts: answering('GET', /\/events$/u, async (answer, request) => {
      const response = await answer();
      let id = 0;
      return request.headers.has('last-event-id') && isStream(response)
        ? rewritingFrames(response, (frame) => frame.replace(/^id: .*$/mu, () => `id: ${id++}`))
        : response;
    }),
  },
  'stream-without-ids': {
    breaks: 'The messages of a stream have no ids.',
    kills: ['run.cursor'],
    parts: answering('GET', /\/events$/u, async (answer) => {
      const response = await answer();
      return isStream(response) ? rewritingFrames(response, (frame) => frame.replace(/^id: .*\n/mu, '')) : response;
    }),
  },
  'poll-begins-anew-behind-its-end': {
    breaks: 'A poll that is to go on behind the last event by far begins with the first one.',
    kills: ['run.cursor'],
    parts: withQuery((query) => {
      if (Number(query.get('lastSequence') ?? 0) >= 500) query.delete('lastSequence');
    }),
  },
  'poll-lacks-the-third-event': {
    breaks: 'The poll endpoint leaves out the third of more than three events.',
    kills: ['sequence.transports-agree'],
    parts: rewritingEvents(POLL, (events) => events.filter((_, index) => index !== 2 || events.length <= 3)),
  },
  'stream-of-a-fork-resumes-too-late': {
    breaks: 'A resumed stream of a fork skips an event.',
    kills: ['run.cursor'],
    parts: knowingForks((modeOf) =>
      resumingAt(
        (sequence) => sequence + 1,
        ({ url }) => modeOf(/\/v1\/runs\/([^/]+)\/events$/u.exec(new URL(url).pathname)?.[1] ?? '') !== undefined,
      ),
    ),
  },
  'stream-of-a-fork-of-a-fork-resumes-too-late': {
    breaks: 'A resumed stream of a fork of a fork skips an event.',
    kills: ['run.cursor'],
    parts: knowingForksOfForks((isDeep) =>
      resumingAt(
        (sequence) => sequence + 1,
        ({ url }) => isDeep(/\/v1\/runs\/([^/]+)\/events$/u.exec(new URL(url).pathname)?.[1]),
      ),
    ),
  },
  'json-of-a-fork-of-a-fork-lacks-its-second-event': {
    breaks: 'The JSON log of a fork of a fork leaves out the second event.',
    kills: ['sequence.transports-agree'],
    parts: knowingForksOfForks((isDeep) =>
      rewritingEvents(/\/events$/u, (events) => events.filter(({ runId }, at) => at !== 1 || !isDeep(runId))),
    ),
  },
  'json-of-a-fork-of-a-fork-backwards': {
    breaks: 'The JSON log of a fork of a fork begins with its last event.',
    kills: ['sequence.monotonic'],
    parts: knowingForksOfForks((isDeep) =>
      rewritingEvents(/\/events$/u, (events) => (isDeep(events.at(-1)?.['runId']) ? events.toReversed() : events)),
    ),
  },
  'poll-of-a-divergence-names-another-event': {
    breaks: 'The poll endpoint shows other payloads of replay.diverged.',
    kills: ['sequence.transports-agree'],
    seenIn: 'replay.divergence',
    parts: rewritingEvents(POLL, (events) =>
      events.map((event) => (event['type'] === 'replay.diverged' ? { ...event, payload: {} } : event)),
    ),
  },
  'stream-resumed-at-its-end-begins-anew': {
    breaks: 'A stream that is to go on after the end of its log shows all of it.',
    kills: ['run.cursor'],
    parts: () => ({
      middleware: (next) => async (request) => {
        const { url, headers } = request;
        const after = headers.get('last-event-id');
        if (after === null || !new URL(url).pathname.endsWith('/events')) return next(request);
        const poll = `${url.replace(/\?.*$/u, '')}/poll`;
        const body: unknown = await (await next(new Request(poll, { headers }))).json();
        const events: readonly unknown[] = isObject(body) && Array.isArray(body['events']) ? body['events'] : [];
        const [last] = events.slice(-1);
        const isAtEnd = isObject(last) && String(last['type']).startsWith('run.') && String(last['sequence']) === after;
        return next(isAtEnd ? new Request(request, { headers: without(headers, 'last-event-id') }) : request);
      },
    }),
  },
  'resumed-debug-stream-without-variables': {
    breaks: 'A resumed stream in the mode debug leaves out what was written into variables.',
    kills: ['run.cursor'],
    parts: answering('GET', /\/events$/u, async (answer, request) => {
      const response = await answer();
      const isMeant = request.headers.has('last-event-id') && new URL(request.url).search.includes('debug');
      return isMeant
        ? changingFrames(response, (event) => (event['type'] === 'variable.changed' ? [] : [event]))
        : response;
    }),
  },
  'poll-cursor-of-children-ignored': {
    breaks: 'The poll endpoint begins with the first event of a dispatched run, whatever its cursor says.',
    kills: ['run.cursor'],
    parts: knowingChildren((next, isChild) => (request) => {
      const url = new URL(request.url);
      const [, runId = ''] = /^\/v1\/runs\/([^/]+)\/events\/poll$/u.exec(url.pathname) ?? [];
      if (!isChild(runId)) return next(request);
      url.searchParams.delete('lastSequence');
      return next(new Request(url, { headers: request.headers, signal: request.signal }));
    }),
  },
  'stream-of-a-replay-from-its-place': {
    breaks: 'The stream of a replay begins with the event from which the replay was made; lists show all of its log.',
    kills: ['sequence.transports-agree'],
    parts: () => {
      const places = new Map<string, number>();
      return {
        written: (draft, { run: { runId, fork } }) => {
          if (fork !== undefined) places.set(runId, fork.fromSeq ?? 0);
          return [draft];
        },
        middleware: (next) => async (request) => {
          const response = await next(request);
          const [, runId = ''] = /^\/v1\/runs\/([^/]+)\/events$/u.exec(new URL(request.url).pathname) ?? [];
          const place = places.get(runId);
          if (place === undefined || !isStream(response)) return response;
          return changingFrames(response, (event) => (Number(event['sequence']) < place ? [] : [event]));
        },
      };
    },
  },
  'child-streams-without-variables': {
    breaks: 'The stream of a dispatched run leaves out what was written into variables.',
    kills: ['sequence.transports-agree'],
    seenIn: 'run.resuming',
    parts: knowingChildren((next, isChild) => async (request) => {
      const response = await next(request);
      const [, runId = ''] = /^\/v1\/runs\/([^/]+)\/events$/u.exec(new URL(request.url).pathname) ?? [];
      if (!isStream(response) || !isChild(runId)) return response;
      return changingFrames(response, (event) => (event['type'] === 'variable.changed' ? [] : [event]));
    }),
  },
  'stream-of-a-run-that-goes-on-begins-anew': {
    breaks: 'The stream of a run that has not ended begins with the first event, whatever event it is to go on after.',
    kills: ['sequence.transports-agree'],
    parts: () => ({
      middleware: (next) => async (request) => {
        const { url, headers, signal } = request;
        if (!headers.has('last-event-id') || !new URL(url).pathname.endsWith('/events')) return next(request);
        const poll = `${url.replace(/\?.*$/u, '')}/poll`;
        const body: unknown = await (await next(new Request(poll, { headers }))).json();
        const isOver = !isObject(body) || body['isComplete'] !== false;
        return next(isOver ? request : new Request(url, { headers: without(headers, 'last-event-id'), signal }));
      },
    }),
  },
  'poll-of-a-fork-resumed-newest-first': {
    breaks: 'The poll endpoint gives the newest events of a fork first where it goes on after an event.',
    kills: ['sequence.monotonic'],
    seenIn: 'run.resuming',
    parts: resumingForks((events) => events.toReversed()),
  },
  'poll-of-a-fork-resumed-without-payloads': {
    breaks: 'The poll endpoint leaves out what nodes of a fork came to where it goes on after an event.',
    kills: ['sequence.transports-agree'],
    seenIn: 'run.resuming',
    parts: resumingForks((events) =>
      events.map((event) => (event['type'] === 'node.completed' ? { ...event, payload: {} } : event)),
    ),
  },
  'poll-an-hour-late': {
    breaks: 'The poll endpoint gives the times of events an hour late.',
    kills: ['sequence.transports-agree'],
    parts: rewritingEvents(POLL, (events) =>
      events.map((event) => ({
        ...event,
        timestamp: new Date(Date.parse(String(event['timestamp'])) + 3_600_000).toISOString(),
      })),
    ),
  },
  'json-resumes-too-late': {
    breaks: 'A JSON log that goes on after an event skips one.',
    kills: ['run.cursor'],
    parts: resumingAt(
      (sequence) => sequence + 1,
      ({ headers }) => headers.get('accept') === 'application/json',
    ),
  },
  'json-payload-differs': {
    breaks: 'The JSON log shows what was written to a channel without the channel.',
    kills: ['sequence.transports-agree'],
    parts: () => ({
      eventOnWire: (event, reading) =>
        reading === 'json' && event.type === 'channel.written' ? { ...event, payload: { node: event.nodeId } } : event,
    }),
  },
  'history-of-replays-polled-with-other-variables': {
    breaks: 'The poll endpoint shows other values of variables below the place that a replay was made from.',
    kills: ['sequence.transports-agree'],
    parts: historyPolledOtherwise('replay', 'variable.changed', { value: 'other' }),
  },
  'history-of-branches-polled-with-other-outputs': {
    breaks: 'The poll endpoint shows other outputs of nodes below the place that a branch was made from.',
    kills: ['sequence.transports-agree'],
    parts: historyPolledOtherwise('branch', 'node.completed', { output: 'other' }),
  },
  'forks-listed-with-other-outputs': {
    breaks: 'Lists of the events of a fork, JSON and polled, show other outputs of its nodes than its stream does.',
    kills: ['sequence.transports-agree'],
    parts: ({ written }) => {
      const forks = new Set<string>();
      return {
        written: (draft, writing) => {
          if (writing.run.fork !== undefined) forks.add(writing.run.runId);
          return written(draft, writing);
        },
        eventOnWire: (event, reading) =>
          reading !== 'sse' && event.type === 'node.completed' && forks.has(event.runId)
            ? { ...event, payload: { ...Object(event.payload), output: 'other' } }
            : event,
      };
    },
  },
  'json-trims-texts': {
    breaks: 'The JSON log shows texts without the blanks at their ends.',
    kills: ['sequence.transports-agree'],
    parts: () => ({
      eventOnWire: (event, reading) =>
        reading === 'json'
          ? JSON.parse(JSON.stringify(event), (_, value: unknown) => (typeof value === 'string' ? value.trim() : value))
          : event,
    }),
  },
  'poll-hides-memories': hidingFromPolls('memory.written', 'what was remembered'),
  'poll-hides-variables': hidingFromPolls('variable.changed', 'what variables were set to'),
  'poll-hides-tool-results': seenIn(
    'sequence.side-effects',
    hidingFromPolls('tool_invocation_finished', 'what tools gave'),
  ),
  'poll-hides-usage': seenIn('replay.same-failure', hidingFromPolls('provider.usage', 'what models used')),
  'poll-hides-refusal-divergence': seenIn(
    'refusal.refusal-to-valid',
    hidingFromPolls('replay.divergedAtRefusal', 'that replays diverged at refusals'),
  ),
  'stream-hides-refusal-divergence': {
    breaks: 'The stream does not show that a replay met the other kind of envelope.',
    kills: ['sequence.transports-agree'],
    seenIn: 'refusal.valid-to-refusal',
    parts: () => ({
      middleware: (next) => async (request) => {
        const response = await next(request);
        if (!isStream(response)) return response;
        return changingFrames(response, (event) => (event['type'] === 'replay.divergedAtRefusal' ? [] : [event]));
      },
    }),
  },
  'live-stream-shows-other-outputs': {
    breaks: 'A stream shows other outputs of nodes that complete while it is open than the log does afterwards.',
    kills: ['sequence.transports-agree'],
    parts: changingLive((event) => [
      event['type'] === 'node.completed'
        ? { ...event, payload: { ...Object(event['payload']), output: 'other' } }
        : event,
    ]),
  },
  'live-stream-hides-variables': {
    breaks: 'A stream leaves out what variables are set to while it is open.',
    kills: ['sequence.transports-agree'],
    parts: changingLive((event) => (event['type'] === 'variable.changed' ? [] : [event])),
  },
  'live-stream-stands-still': {
    breaks:
      'A stream that is opened while a run waits for an answer shows no event of what comes then, and is never closed.',
    kills: ['sequence.transports-agree'],
    waits: true,
    parts: answering('GET', /\/events$/u, async (answer) => {
      const opened = Date.now();
      const response = await answer();
      if (!isStream(response)) return response;
      let [asks, isStill] = [false, false];
      const shown = changingFrames(response, (event) => {
        if (typeof event['sequence'] !== 'number') return [event];
        if (Date.parse(String(event['timestamp'])) <= opened) {
          asks = event['type'] === 'interrupt.requested' || event['type'] === 'node.suspended';
        } else isStill ||= asks;
        return isStill ? [] : [event];
      });
      const open = new TransformStream<Uint8Array, Uint8Array>({
        flush: () => (isStill ? new Promise<void>(() => undefined) : undefined),
      });
      return new Response(shown.body?.pipeThrough(open) ?? null, shown);
    }),
  },
  'live-stream-repeats-events': {
    breaks: 'A stream shows each event that is written while it is open twice.',
    kills: ['sequence.monotonic'],
    parts: changingLive((event) => [event, event]),
  },
  'poll-complete-too-early': {
    breaks: 'The poll endpoint says that a run is terminal while it waits for an answer.',
    kills: ['sequence.transports-agree'],
    parts: polling(({ isComplete: _isComplete, ...body }) => ({ ...body, isTerminal: true })),
  },
  'poll-complete-at-a-question': {
    breaks:
      'The page of a poll that ends with a question says that the run is complete; the empty page after it does not.',
    kills: ['sequence.transports-agree'],
    parts: polling((body) => ({
      ...body,
      isComplete:
        body['isComplete'] === true ||
        /"type":"(?:interrupt\.requested|node\.suspended)"[^[\]]*\]/u.test(JSON.stringify(body['events'])),
    })),
  },
  'poll-never-complete': {
    breaks: 'The poll endpoint never says that a run is complete.',
    kills: ['sequence.transports-agree'],
    parts: polling((body) => ({ ...body, isComplete: false })),
  },
  'json-events-by-number': {
    breaks: 'The JSON log holds its events as an object, by their places, in the place of a list.',
    kills: ['sequence.transports-agree'],
    parts: polling((body) => ({ ...body, events: { ...Object(body['events']) } }), /\/events$/u),
  },
  'poll-without-events': {
    breaks: 'The poll endpoint says whether a run is complete, and lists no events.',
    kills: ['sequence.transports-agree'],
    parts: polling((body) => leftOut(body, 'events')),
  },
  'refusal-divergence-in-debug-alone': {
    breaks: 'That a replay met the other kind of envelope is shown in the stream mode debug alone.',
    kills: ['sequence.transports-agree'],
    seenIn: 'refusal.refusal-to-valid',
    parts: () => ({
      middleware: (next) => {
        const hiding = showingEvents(
          () => true,
          (event) => (event['type'] === 'replay.divergedAtRefusal' ? [] : [event]),
        )(next);
        return (request) => (request.url.includes('streamMode=debug') ? next(request) : hiding(request));
      },
    }),
  },
  'live-stream-marks-events': {
    breaks: 'A stream shows a member of events that are written while it is open, and no reading shows it afterwards.',
    kills: ['sequence.transports-agree'],
    parts: changingLive((event) => [{ ...event, live: true }]),
  },
  'each-reading-stamps-events-anew': {
    breaks: 'Events have the time at which they are read in the place of that at which they were written.',
    kills: ['sequence.transports-agree'],
    parts: () => ({ eventOnWire: (event) => ({ ...event, timestamp: new Date().toISOString() }) }),
  },
  'each-reading-names-events-anew': {
    breaks: 'Events have other ids in each reading.',
    kills: ['sequence.transports-agree'],
    alsoBreaks: because(
      'what names an event by the id that is stored leads to none',
      'replay.divergence-is-reported',
      'refusal.locates-the-call.valid-to-refusal',
      'refusal.locates-the-call.refusal-to-valid',
      'handoff.causation-chain',
      'handoff.causation-chain.dispatch-failed',
    ),
    parts: () => {
      let readings = 0;
      return {
        eventOnWire: (event) => {
          readings += 1;
          return { ...event, eventId: `${event.eventId}-${readings}` };
        },
      };
    },
  },
  'stream-announces-nodes-as-failed': {
    breaks: 'A stream announces nodes that have completed as nodes that failed.',
    kills: ['sequence.transports-agree'],
    parts: answering('GET', /\/events$/u, async (answer) => {
      const response = await answer();
      if (response.headers.get('content-type')?.startsWith('text/event-stream') !== true) return response;
      return rewritingFrames(response, (frame) => frame.replace(/^event: node\.completed$/mu, 'event: node.failed'));
    }),
  },
  'stream-breaks-off-its-last-data': {
    breaks: 'The data of the last message of a stream is cut off.',
    kills: ['sequence.transports-agree'],
    parts: answering('GET', /\/events$/u, async (answer) => {
      const response = await answer();
      if (!isStream(response)) return response;
      return rewritingFrames(response, (frame) => frame.replace(/^(event: run\.completed\ndata: .*).{5}$/mu, '$1'));
    }),
  },
  'stream-ends-otherwise': {
    breaks: 'Streams show the end of a run that has completed as one that failed.',
    kills: ['sequence.transports-agree'],
    alsoBreaks: because(
      'whoever follows a run behind a crash sees a failure',
      'once.stream-wins',
      'once.stream-wins.ledger-only',
    ),
    parts: streaming((event) => (event.type === 'run.completed' ? { ...event, type: 'run.failed' } : event)),
  },
  'stream-names-another-run': {
    breaks: 'The events of a stream name another run.',
    kills: ['sequence.transports-agree'],
    alsoBreaks: because('an event that names another run than its log fits no shape', 'schema.run-event.wire'),
    parts: streaming((event) => ({ ...event, runId: 'run_other' })),
  },
  'poll-without-causes': {
    breaks: 'The poll endpoint does not show what caused events.',
    kills: ['sequence.transports-agree'],
    parts: () => ({
      eventOnWire: ({ causationId, ...event }, reading) => (reading === 'poll' ? event : { ...event, causationId }),
    }),
  },
  'json-without-nodes': {
    breaks: 'The JSON log does not show which nodes events are about.',
    kills: ['sequence.transports-agree'],
    parts: () => ({
      eventOnWire: ({ nodeId, ...event }, reading) => (reading === 'json' ? event : { ...event, nodeId }),
    }),
  },
  'poll-names-events-anew': {
    breaks: 'The poll endpoint gives events other ids than the stream does.',
    kills: ['sequence.transports-agree'],
    parts: () => ({
      eventOnWire: (event, reading) => (reading === 'poll' ? { ...event, eventId: `${event.eventId}p` } : event),
    }),
  },
};
