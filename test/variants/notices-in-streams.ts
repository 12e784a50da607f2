import type { Variant } from './variant.ts';
import { around, isEventStream, rewritingText } from './wire.ts';

const PING = 'event: ping\ndata: {"alive":true}\n\n';
const DONE = 'event: done\ndata: [DONE]\n\n';

/** The host writes whole events at a time. */
function noticed(text: string): string {
  const isEnd = /^event: run\.(?:completed|failed|cancelled)$/mu.test(text);
  return `${text.startsWith(':') ? '' : PING}${text}${isEnd ? DONE : ''}`;
}

/** Beside the events of the log, streams carry messages of their own, without ids: that they are open, and that they are over. */
export const noticesInStreams: Variant = {
  id: 'notices-in-streams',
  parts: around(/\/events$/, async (request, next) => {
    const response = await next(request);
    return isEventStream(response) ? rewritingText(response, noticed) : response;
  }),
};
