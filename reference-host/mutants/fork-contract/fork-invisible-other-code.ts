import type { Mutant } from '../mutant.ts';
import { refusal, respond } from '../../http/answers.ts';
import { forking } from '../shared/fork-parts.ts';
import { rememberingOwners } from '../shared/run-memory.ts';

export const forkInvisibleOtherCode: Mutant = {
  id: 'fork-invisible-other-code',
  breaks: "A fork of another tenant's run has an error code of its own.",
  kills: ['fork.invisible-run'],
  parts: (conformant) => {
    const owners = new Map<string, string>();
    const { middleware = conformant.middleware } = forking(async ({ sourceRunId, send }) => {
      const response = await send();
      if (response.status !== 404 || !owners.has(sourceRunId)) return response;
      return respond(refusal(404, 'run_not_yours', 'There is no such run.'));
    })(conformant);
    return { middleware: (next) => rememberingOwners(middleware(next), owners) };
  },
};
