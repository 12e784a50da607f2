import { isObject, member } from '../../json.ts';
import type { Fetch } from '../../parts.ts';

const RAISED = 'replay.divergedAtRefusal';

/** Shows replay.divergedAtRefusal behind the event that ends its run, in lists and in streams. */
export function movingToTheEnd(next: Fetch): Fetch {
  return async (request) => {
    const response = await next(request);
    if (!/\/events(\/poll)?$/.test(new URL(request.url).pathname) || response.status !== 200) return response;
    return response.headers.get('content-type')?.startsWith('text/event-stream') === true
      ? laterInStream(response)
      : laterInList(response);
  };
}

async function laterInList(response: Response): Promise<Response> {
  const body: unknown = await response.json();
  const events = member(body, 'events');
  if (!Array.isArray(events) || !isObject(body)) return Response.json(body);
  return Response.json({ ...body, events: [...events.filter((each) => !isLate(each)), ...events.filter(isLate)] });
}

function isLate(event: unknown): boolean {
  return member(event, 'type') === RAISED;
}

/** The host writes whole events at a time, so a frame never spans two chunks. */
function laterInStream(response: Response): Response {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let held = '';
  const changed = response.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        const frames = decoder.decode(chunk, { stream: true }).split(/(?<=\n\n)/);
        held += frames.filter((frame) => frame.includes(`event: ${RAISED}\n`)).join('');
        controller.enqueue(encoder.encode(frames.filter((frame) => !frame.includes(`event: ${RAISED}\n`)).join('')));
      },
      flush: (controller) => controller.enqueue(encoder.encode(held)),
    }),
  );
  return new Response(changed ?? null, response);
}
