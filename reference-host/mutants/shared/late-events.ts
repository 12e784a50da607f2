import { isObject, member } from '../../json.ts';
import type { Fetch } from '../../parts.ts';
import { changingFrames } from './run-wire.ts';

const RAISED = 'replay.divergedAtRefusal';

/** Shows replay.divergedAtRefusal behind the event that ends its run: last in lists, and too late for streams. */
export function movingToTheEnd(next: Fetch): Fetch {
  return async (request) => {
    const response = await next(request);
    if (!/\/events(\/poll)?$/.test(new URL(request.url).pathname) || response.status !== 200) return response;
    return response.headers.get('content-type')?.startsWith('text/event-stream') === true
      ? changingFrames(response, (event) => (isRaised(event) ? [] : [event]))
      : laterInList(response);
  };
}

async function laterInList(response: Response): Promise<Response> {
  const body: unknown = await response.json();
  const events = member(body, 'events');
  if (!Array.isArray(events) || !isObject(body)) return Response.json(body);
  const behind = Number(member(events.at(-1), 'sequence')) + 1;
  const late = events
    .filter(isRaised)
    .map((event: unknown) => ({ ...(isObject(event) ? event : {}), sequence: behind }));
  return Response.json({ ...body, events: [...events.filter((event) => !isRaised(event)), ...late] });
}

function isRaised(event: unknown): boolean {
  return member(event, 'type') === RAISED;
}
