import { isObject, member } from '../../reference-host/json.ts';
import type { Variant } from './variant.ts';
import { around, isEventStream, rewritingText } from './wire.ts';

function isShown(event: unknown): boolean {
  return member(event, 'type') !== 'replay.diverged';
}

function withoutReports(body: unknown): unknown {
  const events = member(body, 'events');
  return isObject(body) && Array.isArray(events) ? { ...body, events: events.filter(isShown) } : body;
}

/** The host writes whole events at a time. */
function withoutReportLines(text: string): string {
  return text
    .split('\n\n')
    .filter((message) => !/^event: replay\.diverged$/m.test(message))
    .join('\n\n');
}

/** What is said about a divergence is seen in the stream mode debug and nowhere else. */
export const divergenceInDebugOnly: Variant = {
  id: 'divergence-in-debug-only',
  parts: around(/\/events(\/poll)?$/, async (request, next) => {
    const response = await next(request);
    if (request.url.includes('streamMode=debug') || response.status !== 200) return response;
    if (isEventStream(response)) return rewritingText(response, withoutReportLines);
    return Response.json(withoutReports(await response.json()));
  }),
};
