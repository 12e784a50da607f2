import { member } from '../../reference-host/json.ts';
import type { Variant } from './variant.ts';
import { around, rewritingText, isEventStream } from './wire.ts';

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
