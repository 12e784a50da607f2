import type { Defects } from '../mutant.ts';
import { answering } from '../shared/run-wire.ts';

const LOG = /^\/v1\/runs\/[^/]+\/events$/u;

/** What a log shows of itself where a request names a mode that there is not. */
export const defects: Defects = {
  'unknown-stream-mode-shows-nothing': {
    breaks: 'A stream in an unknown mode is there and shows no event.',
    kills: ['run.stream-modes'],
    parts: answering('GET', LOG, async (response) => {
      const read = await response();
      return read.status === 400
        ? new Response(': nothing to show\n\n', { headers: { 'content-type': 'text/event-stream' } })
        : read;
    }),
  },
  'exclusive-stream-mode-wins': {
    breaks: 'Of the stream modes values and updates together, values alone is obeyed.',
    kills: ['run.stream-modes'],
    parts: () => ({
      middleware: (next) => (request) => {
        const url = new URL(request.url);
        const isMeant = LOG.test(url.pathname) && url.searchParams.get('streamMode') === 'values,updates';
        if (!isMeant) return next(request);
        url.searchParams.set('streamMode', 'values');
        return next(new Request(url, { headers: request.headers, signal: request.signal }));
      },
    }),
  },
};
