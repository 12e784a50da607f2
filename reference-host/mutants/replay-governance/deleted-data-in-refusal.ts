import type { Mutant } from '../mutant.ts';
import { governing, withDetails } from '../shared/governance-parts.ts';

export const deletedDataInRefusal: Mutant = {
  id: 'deleted-data-in-refusal',
  breaks: 'The refusal of a replay says what was deleted.',
  kills: ['privacy.deleted-data.re-exposed'],
  parts: (conformant) => {
    const deleted = new Map<string, unknown>();
    return governing(({ erase, deletedFork }) => ({
      erase: (erasure) => {
        deleted.set(erasure.runId, erasure.value);
        return erase(erasure);
      },
      deletedFork: (fork) => {
        const answer = deletedFork(fork);
        return answer && withDetails(answer, (details) => ({ ...details, was: deleted.get(fork.sourceRunId) }));
      },
    }))(conformant);
  },
};
