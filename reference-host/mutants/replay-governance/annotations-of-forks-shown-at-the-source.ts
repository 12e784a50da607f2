import type { Mutant } from '../mutant.ts';
import { isObject } from '../../json.ts';
import { annotationsIn } from '../shared/annotated-runs.ts';
export const annotationsOfForksShownAtTheSource: Mutant = {
  id: 'annotations-of-forks-shown-at-the-source',
  breaks: 'The annotations of forks show at the run that they were made from.',
  kills: ['annotation.not-inherited.separate'],
  parts: () => {
    const forks = new Map<string, string[]>();
    return {
      middleware: (next) => async (request) => {
        const { pathname } = new URL(request.url);
        const response = await next(request);
        const [, forked] = /^\/v1\/runs\/([^/]+):fork$/.exec(pathname) ?? [];
        const [, listed] = /^\/v1\/runs\/([^/]+)\/annotations$/.exec(pathname) ?? [];
        if (forked !== undefined && response.status === 201) {
          const answer: unknown = await response.clone().json();
          if (isObject(answer)) forks.set(forked, [...(forks.get(forked) ?? []), String(answer['runId'])]);
        }
        if (listed === undefined || request.method !== 'GET' || response.status !== 200) return response;
        const own = annotationsIn(await response.json());
        const others = (forks.get(listed) ?? []).map(async (runId) => {
          const url = new URL(`/v1/runs/${runId}/annotations`, request.url);
          return annotationsIn(await (await next(new Request(url, { headers: request.headers }))).json());
        });
        return Response.json({ annotations: [...own, ...(await Promise.all(others)).flat()] });
      },
    };
  },
};
