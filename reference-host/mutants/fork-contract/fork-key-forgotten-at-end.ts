import type { Mutant } from '../mutant.ts';
import { member } from '../../json.ts';
import type { Fetch } from '../../parts.ts';
import { forking, without } from '../shared/fork-parts.ts';

async function statusOf(next: Fetch, runId: string, headers: Headers): Promise<unknown> {
  const authorization = headers.get('authorization') ?? '';
  const response = await next(new Request(`http://host/v1/runs/${runId}`, { headers: { authorization } }));
  return member(await response.json(), 'status');
}

export const forkKeyForgottenAtEnd: Mutant = {
  id: 'fork-key-forgotten-at-end',
  breaks: 'An Idempotency-Key is forgotten when its fork has ended.',
  kills: ['fork.idempotency-key'],
  parts: () => {
    const made = new Map<string, string>();
    return forking(async ({ headers, next, send }) => {
      const key = headers.get('idempotency-key') ?? '';
      const runId = made.get(key);
      const ended = runId !== undefined && (await statusOf(next, runId, headers)) === 'completed';
      const response = await send(ended ? { headers: without(headers, 'idempotency-key') } : {});
      if (response.status === 201) made.set(key, String(member(await response.clone().json(), 'runId')));
      return response;
    })();
  },
};
