import type { Mutant } from './mutant.ts';

export const malformedRequestAnsweredOk: Mutant = {
  id: 'malformed-request-answered-ok',
  breaks: 'A malformed request is answered with 200 and an error instead of a 4xx.',
  kills: ['cache-key.rejects-malformed'],
  parts: () => ({
    middleware: (next) => async (request) => {
      const response = await next(request);
      if (!request.url.endsWith('/llm-cache-key') || response.status !== 400) return response;
      return new Response(response.body, { headers: response.headers });
    },
  }),
};
