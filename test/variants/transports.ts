import { setTimeout as delay } from 'node:timers/promises';
import { isObject, member } from '../../reference-host/json.ts';
import type { Variant } from './variant.ts';
import { around, refused, both, pollUrls, acceptingJson, rewritingJson, rewritingText, isEventStream } from './wire.ts';

/** A run can be read as an event stream only: JSON is refused with 406 whatever else is accepted, and there is no poll endpoint. */
export const sseOnly: Variant = {
  id: 'sse-only',
  notApplicable: ['privacy.same-redaction.events', 'fork.invisible-run.poll', 'fork.invisible-run.poll.resumed'],
  parts: around(/\/events(\/poll)?$/, (request, next) => {
    if (request.url.includes('/poll')) return refused(404, 'not_found');
    const accept = request.headers.get('accept') ?? '*/*';
    return /^(?:text\/event-stream|\*\/\*)$/.test(accept) ? next(request) : refused(406, 'not_acceptable');
  }),
};

/** A run can be read by polling only. */
export const pollOnly: Variant = {
  id: 'poll-only',
  notApplicable: [
    'annotation.live',
    'replay.divergence-in-debug-stream',
    'privacy.same-redaction.streams',
    'fork.invisible-run.events',
    'fork.invisible-run.events.resumed',
    'run.stream-modes',
  ],
  parts: both(
    around(/\/events$/, () => refused(404, 'not_found')),
    pollUrls,
  ),
};

/** A stream shows in the stream mode debug alone what nodes write into variables and channels. */
export const writesInDebugOnly: Variant = {
  id: 'writes-in-debug-only',
  parts: around(/\/events$/, async (request, next) => {
    const response = await next(request);
    if (request.url.includes('streamMode=debug') || !isEventStream(response)) return response;
    return rewritingText(response, withoutWrites);
  }),
};

/** The host writes whole events at a time. */
function withoutWrites(text: string): string {
  return text
    .split('\n\n')
    .filter((message) => !/^event: (?:variable\.changed|channel\.written)$/m.test(message))
    .join('\n\n');
}

/** A poll says of each of its pages that it is complete, also while the run waits: what the member means is nowhere said. */
export const pollPagesComplete: Variant = {
  id: 'poll-pages-complete',
  parts: rewritingJson(/\/events\/poll$/, (body, { ok }) => (ok ? { ...body, isComplete: true } : body)),
};

/** The log is JSON unless an event stream is asked for. */
export const jsonByDefault: Variant = {
  id: 'json-by-default',
  parts: around(/\/events$/, (request, next) => {
    if (request.headers.get('accept')?.includes('event-stream') === true) return next(request);
    return next(acceptingJson(request));
  }),
};

/** The log is JSON even where an event stream is asked for, and there is no poll endpoint. */
export const jsonLogOnly: Variant = {
  id: 'json-log-only',
  notApplicable: ['annotation.live', 'fork.invisible-run.poll', 'fork.invisible-run.poll.resumed'],
  parts: around(/\/events(\/poll)?$/, (request, next) => {
    if (request.url.includes('/poll')) return refused(404, 'not_found');
    return next(acceptingJson(request));
  }),
};

/** Events that one poll brings. */
const PAGE = 4;

/** Polls that went on behind an event: the first answer has nothing yet. */
const resumed = new Set<string>();

/**
 * The poll endpoint says isTerminal, lastEventSeq and runStatus, brings few events at a time, none at first where it goes on behind one,
 * and there is no stream.
 */
export const pollWithOlderNames: Variant = {
  id: 'poll-with-older-names',
  notApplicable: [
    'annotation.live',
    'replay.divergence-in-debug-stream',
    'privacy.same-redaction.streams',
    'fork.invisible-run.events',
    'fork.invisible-run.events.resumed',
    'run.stream-modes',
  ],
  parts: both(
    around(/\/events(\/poll)?$/, async (request, next) => {
      if (!request.url.includes('/poll')) return refused(404, 'not_found');
      const body: unknown = await (await next(request)).json();
      const all = member(body, 'events');
      const isOver = member(body, 'isComplete') === true;
      if (!Array.isArray(all)) return Response.json(body, { status: 404 });
      const isEarly = request.url.includes('?') && !resumed.has(request.url);
      resumed.add(request.url);
      const events: readonly unknown[] = isEarly ? [] : all.slice(0, PAGE);
      const lastEventSeq: unknown = member(events.at(-1), 'sequence') ?? null;
      return Response.json({
        events,
        isTerminal: isOver && !isEarly && events.length === all.length,
        lastEventSeq,
        runStatus: isOver ? 'completed' : 'running',
      });
    }),
    pollUrls,
  ),
};

/** The stream knows no modes and shows everything, whatever mode a request names. */
export const streamModesIgnored: Variant = {
  id: 'stream-modes-ignored',
  parts: around(/\/events$/, ({ url, headers, signal }, next) => {
    const plain = new URL(url);
    plain.searchParams.delete('streamMode');
    return next(new Request(plain, { headers, signal }));
  }),
};

/** The host writes whole events at a time, so a data line never spans two chunks. */
function reduced(text: string): string {
  return text.replaceAll(/^data: ([^\n]*)/gm, (_, data: string) => {
    const event: unknown = JSON.parse(data);
    const [eventId, type, sequence] = ['eventId', 'type', 'sequence'].map((name) => member(event, name));
    return `data: ${JSON.stringify({ eventId, type, sequence })}`;
  });
}

/** The stream names id, type and sequence only; the events themselves are read by polling. */
export const reducedStream: Variant = {
  id: 'reduced-stream',
  parts: around(/\/events$/, async (request, next) => {
    const response = await next(request);
    return isEventStream(response) ? rewritingText(response, reduced) : response;
  }),
};

/** Streams show neither what caused events nor which nodes they are about; lists do. */
export const leanStreams: Variant = {
  id: 'lean-streams',
  parts: ({ eventOnWire }) => ({
    eventOnWire: (event, reading) => {
      const shown = eventOnWire(event, reading);
      if (reading !== 'sse' || !isObject(shown)) return shown;
      const { causationId: _causationId, nodeId: _nodeId, ...others } = shown;
      return others;
    },
  }),
};

function slicing(size: number): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream({
    transform(chunk, controller) {
      for (let at = 0; at < chunk.length; at += size) controller.enqueue(chunk.slice(at, at + size));
    },
  });
}

/** Bodies come in chunks of a few bytes, cut inside of characters too. */
export const smallChunks: Variant = {
  id: 'small-chunks',
  parts: around(/^/, async (request, next) => {
    const response = await next(request);
    return new Response(response.body?.pipeThrough(slicing(7)) ?? null, response);
  }),
};

const PING = 'event: ping\ndata: {"alive":true}\n\n';
const DONE = 'event: done\ndata: [DONE]\n\n';

/** The host writes whole events at a time. */
function noticed(text: string): string {
  const isEnd = /^event: run\.(?:completed|failed|cancelled)$/mu.test(text);
  return `${text.startsWith(':') ? '' : PING}${text}${isEnd ? DONE : ''}`;
}

/** Beside the events of the log, streams carry messages of their own, without ids: that they are open, and that they are over. */
export const noticesInStreams: Variant = {
  id: 'notices-in-streams',
  parts: around(/\/events$/, async (request, next) => {
    const response = await next(request);
    return isEventStream(response) ? rewritingText(response, noticed) : response;
  }),
};

/** A stream is over after six events that are not the last one; whoever resumes it gets the next ones. */
export const streamsEndEarly: Variant = {
  id: 'streams-end-early',
  parts: around(/\/events$/, async (request, next) => {
    const response = await next(request);
    return isEventStream(response) ? endingEarly(response) : response;
  }),
};

function endingEarly(response: Response): Response {
  let left = 6;
  const decoder = new TextDecoder();
  const ending = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      controller.enqueue(chunk);
      const text = decoder.decode(chunk, { stream: true });
      left -= text.match(/^id: ?./gmu)?.length ?? 0;
      if (left <= 0 && !/^event: run\.(?:completed|failed|cancelled)$/mu.test(text)) controller.terminate();
    },
  });
  return new Response(response.body?.pipeThrough(ending) ?? null, response);
}

/** Content types name their character set. */
export const charsetNamed: Variant = {
  id: 'charset-named',
  parts: around(/^/, async (request, next) => {
    const response = await next(request);
    const type = response.headers.get('content-type');
    if (type !== null) response.headers.set('content-type', `${type}; charset=UTF-8`);
    return response;
  }),
};

/** Every answer takes its time. */
export const slow: Variant = {
  id: 'slow',
  parts: around(/^/, async (request, next) => {
    await delay(10);
    return next(request);
  }),
};

function tooMany(headers: Readonly<Record<string, string>>): Response {
  return Response.json({ error: 'rate_limited', message: 'Too many requests.' }, { status: 429, headers });
}

/** Now and then a request is turned away with 429 and may come again at once, which the host does not always say. */
export const throttled: Variant = {
  id: 'throttled',
  parts: () => {
    let requests = 0;
    return around(/^/, (request, next) => {
      requests += 1;
      if (requests % 7 !== 0) return next(request);
      return tooMany(requests % 2 === 0 ? { 'retry-after': '0' } : {});
    })();
  },
};
