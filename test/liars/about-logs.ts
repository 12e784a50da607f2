import { isObject, type JsonObject, stringMember } from '../../reference-host/json.ts';
import type { Fetch, HostParts } from '../../reference-host/parts.ts';
import { acceptingJson, around, rewritingText } from '../variants/wire.ts';
import type { Liar } from './liar.ts';

const FORK = /^\/v1\/runs\/([^/]+):fork$/;
const RUN = /^\/v1\/runs\/([^/:]+)/;

/** Every reading of a fork shows its source, under the fork's id. */
const copies: Partial<HostParts> = {
  middleware: (next: Fetch): Fetch => {
    const sources = new Map<string, string>();
    return async (request) => {
      const { pathname } = new URL(request.url);
      const [, source] = FORK.exec(pathname) ?? [];
      if (request.method === 'POST' && source !== undefined) {
        const response = await next(request);
        const answer: unknown = await response.clone().json();
        const runId = stringMember(answer, 'runId');
        if (runId !== undefined) sources.set(runId, sources.get(source) ?? source);
        return response;
      }
      const [, runId = ''] = RUN.exec(pathname) ?? [];
      const copied = sources.get(runId);
      if (request.method !== 'GET' || copied === undefined) return next(request);
      const { headers, signal } = request;
      const answer = await next(new Request(request.url.replaceAll(runId, copied), { headers, signal }));
      return rewritingText(answer, (text) => text.replaceAll(copied, runId));
    };
  },
};

/** Shows logs as lists only, and only some of their events. */
function showing(isShown: (type: string) => boolean): Partial<HostParts> {
  return around(/^\/v1\/runs\/[^/]+\/events(?:\/poll)?$/, async (request, next) => {
    const response = await next(acceptingJson(request));
    const body: unknown = await response.json();
    const events = isObject(body) ? body['events'] : undefined;
    if (!isObject(body) || !Array.isArray(events)) return Response.json(body, { status: response.status });
    const shown = events.filter((event) => isShown(stringMember(event, 'type') ?? ''));
    return Response.json({ ...body, events: shown });
  })();
}

const SAME = 'evt_same';

function linked(payload: unknown): unknown {
  if (!isObject(payload)) return payload;
  return Object.fromEntries(
    Object.entries(payload).map(([name, value]) => [name, name.endsWith('EventId') ? SAME : value]),
  );
}

const oneEventId: Partial<HostParts> = {
  eventOnWire: ({ causationId, payload, ...event }): JsonObject => ({
    ...event,
    eventId: SAME,
    ...(causationId === undefined ? {} : { causationId: SAME }),
    payload: linked(payload),
  }),
};

const ENDS = /^run\.(?:completed|failed|cancelled)$/;

export const LIARS_ABOUT_LOGS: readonly Liar[] = [
  {
    id: 'copies',
    lies: "A fork shows its source's log and snapshot under its own id; nothing of what it did.",
    parts: copies,
    fails: ['sequence.not-a-copy'],
    // It compares what it did, which is not what it shows.
    mayFail: ['diff.first-divergence'],
    undecided: ['sequence.not-a-copy', 'sequence.content-addressed-tools.revised'],
  },
  {
    id: 'ends-only',
    lies: 'A log shows how its run ended, and nothing else.',
    parts: showing((type) => ENDS.test(type)),
    fails: ['refusal.refusal-to-valid'],
    undecided: [],
  },
  {
    id: 'starts-and-ends-only',
    lies: 'A log shows that its run began and how it ended, and nothing else.',
    parts: showing((type) => type.startsWith('run.')),
    fails: ['refusal.refusal-to-valid'],
    undecided: [],
  },
  {
    id: 'one-event-id',
    lies: 'All events have one id, and each link is to that.',
    parts: oneEventId,
    everywhere: true,
    fails: ['schema.run-event'],
    undecided: ['handoff.causation-chain', 'refusal.locates-the-call', 'annotation.not-an-event'],
  },
];
