import { hostRuns, type Api } from './host-runs.ts';
import { isTimelinePage, timelinePages } from './pages.tsx';

/** The Run Timeline View of a host in this process: answers browsers, and leaves every other request to the API. */
export function hostTimeline(api: Api): (request: Request) => Promise<Response> | undefined {
  const source = (request: Request) => hostRuns(api, request.headers.get('authorization'));
  const pages = timelinePages({ source, isHost: true });
  return (request) => (isTimelinePage(request) ? Promise.resolve(pages.fetch(request)) : undefined);
}
