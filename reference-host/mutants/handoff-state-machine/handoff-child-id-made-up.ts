import { stringMember } from '../../json.ts';
import { writingSteps, told } from '../shared/handoff-parts.ts';
import type { Mutant } from '../mutant.ts';

export const handoffChildIdMadeUp: Mutant = {
  id: 'handoff-child-id-made-up',
  breaks: 'The id of a child run is not told, but one made up.',
  kills: ['handoff.child-is-a-run'],
  parts: writingSteps(({ drafts }) =>
    drafts.map((draft) => {
      const childRunId = stringMember(draft.payload, 'childRunId');
      return childRunId === undefined ? draft : told(draft, { childRunId: `${childRunId}-of-nobody` });
    }),
  ),
};
