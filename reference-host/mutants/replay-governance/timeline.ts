import type { Fetch } from '../../parts.ts';
import type { Defect, Defects } from '../mutant.ts';

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

const LINKS = ['timeline.deep-links'];

/** The Run Timeline View. */
export const defects: Defects = {
  'timeline-without-deep-links': answering(
    'The page of a deep link shows the run, and no request that forks it.',
    LINKS,
    showing(({ url }) => url.searchParams.delete('fork')),
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
  'timeline-forks-on-get': answering(
    'Looking at a deep link forks the run.',
    ['timeline.deep-links.looking'],
    async ({ url, runId, mode, fromSeq }, request, next) => {
      const headers = new Headers(request.headers);
      headers.set('content-type', 'application/json');
      const body = JSON.stringify({ mode, fromSeq });
      await next(new Request(`${url.origin}/v1/runs/${runId}:fork`, { method: 'POST', headers, body }));
      return next(request);
    },
  ),
};
