import type { HostParts } from '../../reference-host/index.ts';
import { around, rewritingJson } from '../variants/wire.ts';
import { spoilt, type Behaviour } from './behaviour.ts';

type Parts = () => Partial<HostParts>;

const EVENTS = /^\/v1\/runs\/[^/]+\/events$/u;
const POLL = /^\/v1\/runs\/[^/]+\/events\/poll$/u;
const LOGS = /^\/v1\/runs\/[^/]+\/events(?:\/poll)?$/u;
const CREATE = /^\/v1\/runs$/u;

const asksForStream = ({ headers }: Request): boolean => headers.get('accept') === 'text/event-stream';
const stream = (body: string | ReadableStream): Response =>
  new Response(body, { headers: { 'content-type': 'text/event-stream' } });
const silent = (): Response => stream(new ReadableStream());
const list = (events: readonly unknown[]): Response => Response.json({ events, isComplete: false });
/** No answer, until whoever asked goes away. */
const never = ({ signal }: Request): Promise<Response> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('left'))));
const not = (): Promise<Response> =>
  Promise.resolve(Response.json({ error: 'not_found', message: 'none' }, { status: 404 }));

let count = 0;

/** A page that begins behind the cursor, whatever that is, with events that no page had before. */
async function growing(request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  const after = Number(searchParams.get('lastSequence') ?? -1);
  const rest = { runId: pathname.split('/')[3], type: 'acme.progress', payload: {}, timestamp: '2026-01-01T00:00:00Z' };
  const events = Array.from({ length: 100 }, (_, index) => {
    count += 1;
    return { eventId: `e${count}`, sequence: after + 1 + index, ...rest };
  });
  return list(events);
}

/** What stands still of all logs, or never ends. */
const STANDING: Readonly<Record<string, Parts>> = {
  'lists-never-answer': around(LOGS, (request, next) => (asksForStream(request) ? next(request) : never(request))),
  'streams-say-nothing': around(EVENTS, (request, next) => (asksForStream(request) ? silent() : next(request))),
  'events-say-nothing': around(EVENTS, silent),
  'nothing-says-anything': around(LOGS, silent),
  'nothing-answers': around(LOGS, never),
  'nothing-in-it': around(LOGS, (request) => (asksForStream(request) ? stream('') : list([]))),
  'poll-grows-for-ever': around(POLL, growing),
  'nothing-but-a-poll-that-grows': around(LOGS, (request) =>
    POLL.test(new URL(request.url).pathname) ? growing(request) : not(),
  ),
  'of-other-runs': rewritingJson(CREATE, (body) =>
    'runId' in body ? { ...body, runId: `run_${(count += 1)}` } : body,
  ),
};

/** Two suites that read many logs, for as long as they take: a whole time-out for each log would take minutes. */
const FLAGS = ['--suite', 'observable-sequence', '--suite', 'replay-determinism', '--timeout', '1500'];
/** What grows for ever is read until the time for the whole run is over. */
const most = (name: string): string => (name.includes('grows') ? '10000' : '600000');

/** A host may stream its logs alone. */
const STREAMING: readonly string[] = ['lists-never-answer', 'poll-grows-for-ever'];

/** Hosts of which some or all ways to read a log stand still, or go on for ever. */
export const STANDING_LOGS: readonly Behaviour[] = Object.entries(STANDING).map(([name, parts]) => ({
  id: `logs.${name}`,
  ...(STREAMING.includes(name) && { exitCodes: [0, 1, 2, 3] }),
  flags: [...FLAGS, '--max-time', most(name)],
  start: spoilt(parts()),
}));
