import { hostRuns, type Api } from './host-runs.ts';
import { isTimelinePage, timelinePages } from './pages.tsx';
import { recordedRuns, type RecordedRun } from './recorded-runs.ts';

export { type RecordedRun, runOfLog, runsIn } from './recorded-runs.ts';

/** The Run Timeline View of a host in this process: answers browsers, and leaves every other request to the API. */
export function hostTimeline(api: Api): (request: Request) => Promise<Response> | undefined {
  const source = (request: Request) => hostRuns(api, request.headers.get('authorization'));
  const pages = timelinePages({ source, isHost: true });
  return (request) => (isTimelinePage(request) ? Promise.resolve(pages.fetch(request)) : undefined);
}

/**
 * The same view of recorded runs, without a host: it forks nothing. Only requests whose Host header is the view's own
 * are answered: what another page makes a browser send may come under another name.
 */
export function recordTimeline(
  runs: readonly RecordedRun[],
  { isOwn, baseUrl }: { readonly isOwn: (host: string) => boolean; readonly baseUrl?: string },
): { readonly fetch: (request: Request) => Response | Promise<Response> } {
  const source = recordedRuns(runs);
  const pages = timelinePages({ source: () => source, isHost: false, ...(baseUrl === undefined ? {} : { baseUrl }) });
  return {
    fetch: (request) => {
      if (!isOwn(request.headers.get('host') ?? ''))
        return refused(421, 'This address is not answered under that name.');
      return isTimelinePage(request) ? pages.fetch(request) : refused(404, 'There is nothing at this address.');
    },
  };
}

function refused(status: number, message: string): Response {
  return new Response(`${message}\n`, { status, headers: { 'content-type': 'text/plain; charset=utf-8' } });
}
