import type { Mutant } from '../mutant.ts';
import { refusal, respond } from '../../http/answers.ts';
import { forking } from '../shared/fork-parts.ts';
import { createMeeting } from '../shared/meeting.ts';

export const forkDuplicateAtOnceFails: Mutant = {
  id: 'fork-duplicate-at-once-fails',
  breaks: 'A fork that is a duplicate of one in flight makes the endpoint stumble.',
  kills: ['fork.idempotency-key.at-once'],
  parts: () => {
    const meet = createMeeting();
    const made = new Set<string>();
    return forking(async ({ headers, send }) => {
      const key = headers.get('idempotency-key') ?? '';
      if (key === '' || made.has(key)) return send();
      if ((await meet(key)) === 'later') return respond(refusal(500, 'internal_error', 'The key is locked.'));
      const response = await send();
      made.add(key);
      return response;
    })();
  },
};
