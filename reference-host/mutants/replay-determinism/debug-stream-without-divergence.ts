import type { Mutant } from '../mutant.ts';

export const debugStreamWithoutDivergence: Mutant = {
  id: 'debug-stream-without-divergence',
  breaks: 'The stream mode debug leaves out what is said about replays.',
  kills: ['replay.divergence-in-debug-stream', 'sequence.transports-agree'],
  parts: () => ({
    middleware: (next) => (request) => {
      const url = request.url.replace('streamMode=debug', 'streamMode=values');
      const { headers, signal } = request;
      return next(url === request.url ? request : new Request(url, { headers, signal }));
    },
  }),
};
