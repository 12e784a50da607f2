import { member, type JsonObject } from '../../json.ts';
import type { Fetch } from '../../parts.ts';
import type { Defect, Defects } from '../mutant.ts';
import { leftOut } from '../shared/fork-parts.ts';

/** A deep link of the Run Timeline View that a browser, or anybody else, asks for. */
interface Link {
  readonly url: URL;
  readonly runId: string;
  readonly mode: string;
  readonly fromSeq: number;
}

function linkOf({ method, url: text }: Request): Link | undefined {
  const url = new URL(text);
  const [, runId] = /^\/runs\/([^/]+)$/.exec(url.pathname) ?? [];
  const mode = url.searchParams.get('fork');
  if (method !== 'GET' || runId === undefined || mode === null) return undefined;
  return { url, runId, mode, fromSeq: Number(url.searchParams.get('fromSeq')) };
}

/** A defect of deep links: they are answered otherwise. */
function answering(
  breaks: string,
  kills: readonly string[],
  answer: (link: Link, request: Request, next: Fetch) => ReturnType<Fetch>,
): Defect {
  const middleware =
    (next: Fetch): Fetch =>
    (request) => {
      const link = linkOf(request);
      return link === undefined ? next(request) : answer(link, request, next);
    };
  return { breaks, kills, parts: () => ({ middleware }) };
}

/** The same page for another address. */
function showing(change: (link: Link) => void): (link: Link, request: Request, next: Fetch) => ReturnType<Fetch> {
  return (link, request, next) => {
    change(link);
    return next(new Request(link.url, { headers: request.headers }));
  };
}

const VIEW = 'x-openwop-run-timeline';

/** The pages of runs and of their events: a list of the events' ids. */
function plainPages(next: Fetch): Fetch {
  return async (request) => {
    const { origin, pathname } = new URL(request.url);
    const [, runId, eventId] = /^\/runs\/([^/]+)(?:\/events\/([^/]+))?$/.exec(pathname) ?? [];
    if (request.method !== 'GET' || runId === undefined) return next(request);
    const headers = { accept: 'application/json', authorization: request.headers.get('authorization') ?? '' };
    const response = await next(new Request(`${origin}/v1/runs/${runId}/events`, { headers }));
    const log: unknown = await response.json();
    const events = member(log, 'events');
    const ids = (Array.isArray(events) ? events : []).map((event: unknown) => String(member(event, 'eventId')));
    const shown = eventId === undefined ? ids : [decodeURIComponent(eventId)];
    const items = shown.map((id) => `<li><a href="/runs/${runId}/events/${id}">${id}</a></li>`);
    return new Response(`<!doctype html><ul>${items.join('')}</ul>`, { headers: { 'content-type': 'text/html' } });
  };
}

/** Forks a run with the credential of a request. */
function fork(request: Request, next: Fetch, { runId, ...asked }: Omit<Partial<Link>, 'url'>): ReturnType<Fetch> {
  const headers = new Headers(request.headers);
  headers.set('content-type', 'application/json');
  const url = new URL(`/v1/runs/${runId ?? ''}:fork`, request.url);
  return next(new Request(url, { method: 'POST', headers, body: JSON.stringify(asked) }));
}

/** Forks a run where somebody looks at such a page, which is no deep link. */
function forkingOnGet(breaks: string, page: RegExp): Defect {
  const middleware =
    (next: Fetch): Fetch =>
    async (request) => {
      const { pathname, search } = new URL(request.url);
      const [, runId] = page.exec(pathname) ?? [];
      if (request.method === 'GET' && runId !== undefined && search === '')
        await fork(request, next, { runId, mode: 'replay' });
      return next(request);
    };
  return { breaks, kills: ['timeline.deep-links.looking'], parts: () => ({ middleware }) };
}

const LINKS = ['timeline.deep-links'];

const ROW = 'telemetry.replay-span';

/** A defect of the spans of forks: an attribute is another one, or is missing. */
function saying(breaks: string, check: string, name: string, value?: string | number): Defect {
  return {
    breaks,
    kills: [`${ROW}.${check}`],
    parts: () => ({
      span: (attributes) => {
        if (!Object.hasOwn(attributes, name)) return attributes;
        const others = Object.entries(attributes).filter(([key]) => key !== name);
        return Object.fromEntries(value === undefined ? others : [...others, [name, value]]);
      },
    }),
  };
}

const [SOURCE, FROM_SEQ, MODE] = ['source_run_id', 'from_seq', 'mode'].map((name) => `openwop.replay.${name}`) as [
  string,
  string,
  string,
];

/** What is shown of runs and forks beside their logs: spans, and the pages of the Run Timeline View. */
export const defects: Defects = {
  'span-without-source': saying('The span of a fork does not name its source.', 'source', SOURCE),
  'span-of-another-source': saying('The span of a fork names another source.', 'source', SOURCE, 'run_0'),
  'span-of-the-first-source': {
    breaks: 'The span of a fork of a fork names the run in which both began.',
    kills: [`${ROW}.source`],
    parts: () => {
      const first = new Map<unknown, string>();
      return {
        span: (attributes) => {
          const { [SOURCE]: source, 'openwop.run_id': run } = attributes;
          if (source === undefined) return attributes;
          const root = first.get(source) ?? String(source);
          first.set(run, root);
          return { ...attributes, [SOURCE]: root };
        },
      };
    },
  },
  'span-without-from-seq': saying('The span of a fork does not say where it began.', 'from-seq', FROM_SEQ),
  'span-from-zero': saying('The span of every fork says that it began at zero.', 'from-seq', FROM_SEQ, 0),
  'span-of-a-whole-replay-without-from-seq': {
    breaks: 'The span of a fork that begins at zero does not say so.',
    kills: [`${ROW}.from-seq`],
    parts: () => ({
      span: ({ [FROM_SEQ]: start, ...others }) =>
        start === 0 || start === undefined ? others : { ...others, [FROM_SEQ]: start },
    }),
  },
  'span-without-mode': saying('The span of a fork does not say its mode.', 'mode', MODE),
  'span-always-replay': saying('The span of a branch says that it is a replay.', 'mode', MODE, 'replay'),
  'span-without-link': {
    breaks: 'The span of a fork is linked to nothing.',
    kills: [`${ROW}.link`],
    parts: () => ({ spanPlace: (place) => ({ ...place, links: [] }) }),
  },
  'span-linked-elsewhere': {
    breaks: "The span of a fork is linked to a span of its source's trace that there is not.",
    kills: [`${ROW}.link`],
    parts: () => ({
      spanPlace: (place) => ({
        ...place,
        links: place.links.map((link) => ({ ...link, spanId: '0'.repeat(15) + '1' })),
      }),
    }),
  },
  'span-child-of-source': {
    breaks: "The span of a fork is a child of its source's, to which it is linked, too.",
    kills: [`${ROW}.link`],
    parts: () => ({
      spanPlace: ({ links: [source], ...place }) =>
        source === undefined
          ? { ...place, links: [] }
          : { traceId: source.traceId, parentSpanId: source.spanId, links: [source] },
    }),
  },
  'timeline-without-deep-links': answering(
    'The page of a deep link shows the run, and no request that forks it.',
    LINKS,
    showing(({ url }) => url.searchParams.delete('fork')),
  ),
  'timeline-without-a-link-for-the-first-event': answering(
    'The page of a deep link that is made for number 0 shows no request that forks the run.',
    LINKS,
    showing(({ url, fromSeq }) => {
      if (fromSeq === 0) url.searchParams.delete('fork');
    }),
  ),
  'timeline-links-to-next-event': answering(
    'A deep link shows the fork from the event behind its own.',
    LINKS,
    showing(({ url, fromSeq }) => url.searchParams.set('fromSeq', String(fromSeq + 1))),
  ),
  'timeline-links-to-start': answering(
    'Every deep link shows the fork of the whole run.',
    LINKS,
    showing(({ url }) => url.searchParams.set('fromSeq', '0')),
  ),
  'timeline-links-in-one-mode': answering(
    'Every deep link shows a replay, also where it was made for a branch.',
    LINKS,
    showing(({ url }) => url.searchParams.set('fork', 'replay')),
  ),
  'timeline-pages-without-forks': {
    breaks: 'No deep link is advertised, and the pages of a run and its events, which need no script, show no fork.',
    kills: LINKS,
    parts: () => ({
      discovery: (document) => {
        const extensions = Object(document['extensions']) as JsonObject;
        const view = leftOut(Object(extensions[VIEW]) as JsonObject, 'fork');
        return { ...document, extensions: { ...extensions, [VIEW]: view } };
      },
      middleware: plainPages,
    }),
  },
  'timeline-forks-on-get-of-a-run': forkingOnGet('Looking at the page of a run forks it.', /^\/runs\/([^/]+)$/u),
  'timeline-forks-on-get-of-an-event': forkingOnGet(
    'Looking at the page of an event forks its run.',
    /^\/runs\/([^/]+)\/events\/[^/]+$/u,
  ),
  'timeline-forks-on-get': answering(
    'Looking at a deep link forks the run.',
    ['timeline.deep-links.looking'],
    async ({ runId, mode, fromSeq }, request, next) => {
      await fork(request, next, { runId, mode, fromSeq });
      return next(request);
    },
  ),
};
