import type { Mutant } from '../mutant.ts';
import { forking, without } from '../shared/fork-parts.ts';
import { createMeeting } from '../shared/meeting.ts';

export const forkKeyRacy: Mutant = {
  id: 'fork-key-racy',
  breaks: 'Forks under one Idempotency-Key that come at the same time do not see each other.',
  kills: ['fork.idempotency-key.at-once'],
  parts: () => {
    const meet = createMeeting();
    const made = new Set<string>();
    return forking(async ({ headers, send }) => {
      const key = headers.get('idempotency-key') ?? '';
      if (key === '' || made.has(key)) return send();
      const unseen = (await meet(key)) === 'later';
      const response = await send(unseen ? { headers: without(headers, 'idempotency-key') } : {});
      made.add(key);
      return response;
    })();
  },
};
