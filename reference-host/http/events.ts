import type { HostParts } from '../parts.ts';
import { type RunEvent, isTerminal, type EventType } from '../store/event.ts';
import type { RunRecord } from '../store/runs.ts';
import { invalid, refusal, respond } from '../types/answers.ts';
import { tooMany } from './limits.ts';
import type { Call, Host, Route } from './route.ts';
import { withRun } from './runs.ts';
import { eventStream, STREAM_HEADERS } from './sse.ts';

const MODES: Readonly<Record<string, (type: EventType) => boolean>> = {
  values: (type) => type === 'variable.changed',
  updates: () => true,
  messages: (type) => type === 'provider.usage' || type === 'envelope.refusal' || type === 'node.completed',
  debug: () => true,
};

/** The modes that there are. */
const STREAM_MODES: readonly string[] = Object.keys(MODES);

/**
 * Which events a `streamMode` shows: one mode or several with commas between them, `updates` where there is none.
 * Undefined for an unknown mode, and for `values` beside another one. Every mode shows how the run began and ended.
 */
function streamFilter(streamMode: string | null): ((type: EventType) => boolean) | undefined {
  const names = (streamMode ?? 'updates').split(',');
  if (!names.every((name) => Object.hasOwn(MODES, name))) return undefined;
  if (names.length > 1 && names.includes('values')) return undefined;
  return (type) => type === 'run.started' || isTerminal(type) || names.some((name) => MODES[name]?.(type) === true);
}

/** Reading a run's log: as a stream or as one JSON document, and by polling. */
export function eventRoutes(host: Host): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/runs/{runId}/events',
      operationId: 'readEvents',
      summary: 'The events of a run, as a stream, or as JSON where that is accepted',
      access: ['runs:read'],
      query: {
        streamMode: 'values alone, or updates (the default), messages and debug, several with commas between them',
      },
      answers: {
        200: 'The events',
        400: 'The stream mode or Last-Event-ID is unknown',
        404: 'There is no such run',
        429: STREAMS_OPEN,
      },
      handle: withRun(host.runs, (run, call) => readEvents(host, run, call)),
    },
    {
      method: 'GET',
      path: '/v1/runs/{runId}/events/poll',
      operationId: 'pollEvents',
      summary: 'The events after a sequence number',
      access: ['runs:read'],
      query: {
        lastSequence: 'The last sequence number that the caller has; from the start where it is absent',
        timeout: `Seconds to wait for an event, at most ${MAX_WAIT_SECONDS}; 0 where it is absent`,
      },
      answers: {
        200: 'The events',
        400: 'A parameter is not a number',
        404: 'There is no such run',
        429: STREAMS_OPEN,
      },
      handle: withRun(host.runs, (run, call) => pollEvents(host, run, call)),
    },
  ];
}

const MAX_WAIT_SECONDS = 30;
const STREAMS_OPEN = 'The tenant has as many streams open as it may have';

function streamsUsedUp(): Response {
  return respond(tooMany('stream_limit_reached', `${STREAMS_OPEN}: close one.`, 1));
}

function readEvents(host: Host, run: RunRecord, { request, query }: Call): Response {
  const { store, streams, redactor } = host;
  const streamMode = query.get('streamMode');
  const shows = streamFilter(streamMode);
  if (shows === undefined) {
    const message = 'streamMode takes values alone, or updates, messages and debug with commas between them.';
    return respond(refusal(400, 'unsupported_stream_mode', message, { supported: STREAM_MODES }));
  }
  const after = sequenceNumber(request.headers.get('last-event-id'));
  if (after === 'bad') return respond(invalid('Last-Event-ID must be a sequence number.'));
  if (!prefersJson(request.headers.get('accept'))) {
    if (request.method === 'HEAD') return new Response(null, { headers: STREAM_HEADERS });
    const ended = streams.take(run.tenant);
    if (ended === undefined) return streamsUsedUp();
    const wanted = {
      runId: run.runId,
      after,
      shows,
      onWire: shown(host, run, { reading: 'sse', streamMode }),
      noteOnWire: redactor.annotation(run),
      isTold: host.parts.sideResources.isTold,
      ended,
    };
    return eventStream(store, wanted);
  }
  const events = store.events.read(run.runId, after).filter((event) => shows(event.type));
  return respond({ status: 200, body: { events: events.map(shown(host, run, { reading: 'json', streamMode })) } });
}

interface Way {
  readonly reading: Parameters<HostParts['eventOnWire']>[1];
  readonly streamMode: string | null;
}

/** Events as one way of reading shows them, without the run's secrets. */
function shown({ parts, redactor }: Host, run: RunRecord, { reading, streamMode }: Way): (event: RunEvent) => unknown {
  const at = { run, surface: reading, streamMode: streamMode ?? '' };
  return (event) => parts.eventOnWire(redactor.event(at, event), reading);
}

async function pollEvents(host: Host, run: RunRecord, { request, query }: Call): Promise<Response> {
  const log = host.store.events;
  const after = sequenceNumber(query.get('lastSequence'));
  if (after === 'bad') return respond(invalid('lastSequence must be a sequence number.'));
  const seconds = Number(query.get('timeout') ?? 0);
  if (!(seconds >= 0)) return respond(invalid('timeout must be a number of seconds.'));
  if (seconds > 0 && log.last(run.runId) !== undefined && !log.hasEnded(run.runId)) {
    const ended = host.streams.take(run.tenant);
    if (ended === undefined) return streamsUsedUp();
    const wait = AbortSignal.timeout(Math.min(seconds, MAX_WAIT_SECONDS) * 1000);
    const signal = AbortSignal.any([wait, request.signal]);
    try {
      while ((await log.changed(run.runId, after, signal)) && log.read(run.runId, after, 1).length === 0);
    } finally {
      ended();
    }
  }
  const events = log.read(run.runId, after);
  const isComplete = log.hasEnded(run.runId);
  const onWire = shown(host, run, { reading: 'poll', streamMode: null });
  return respond({ status: 200, body: { events: events.map(onWire), isComplete } });
}

/** A cursor as text; -1, before everything, is one as well. */
function sequenceNumber(text: string | null): number | undefined | 'bad' {
  if (text === null || text === '') return undefined;
  return /^(-1|\d{1,15})$/.test(text) ? Number(text) : 'bad';
}

/** A stream is what this endpoint is for: JSON only where it is named and no stream is. */
function prefersJson(accept: string | null): boolean {
  const types = (accept ?? '').toLowerCase();
  return types.includes('application/json') && !types.includes('text/event-stream');
}
