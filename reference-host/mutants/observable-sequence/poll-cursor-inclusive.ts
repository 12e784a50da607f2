import type { Mutant } from '../mutant.ts';

export const pollCursorInclusive: Mutant = {
  id: 'poll-cursor-inclusive',
  breaks: 'The poll endpoint repeats the event that its cursor names.',
  kills: ['sequence.transports-agree'],
  parts: () => ({
    middleware: (next) => (request) => {
      const url = new URL(request.url);
      const cursor = Number(url.searchParams.get('lastSequence') ?? 0);
      if (cursor < 1) return next(request);
      url.searchParams.set('lastSequence', String(cursor - 1));
      return next(new Request(url, { headers: request.headers, signal: request.signal }));
    },
  }),
};
