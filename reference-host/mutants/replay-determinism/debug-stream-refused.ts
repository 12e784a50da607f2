import type { Mutant } from '../mutant.ts';

export const debugStreamRefused: Mutant = {
  id: 'debug-stream-refused',
  breaks: 'There is no stream mode debug.',
  kills: ['replay.divergence-in-debug-stream'],
  parts: () => ({
    middleware: (next) => (request) =>
      request.url.includes('streamMode=debug')
        ? Response.json({ error: 'unsupported_stream_mode', message: 'There is no such mode.' }, { status: 400 })
        : next(request),
  }),
};
