import { member } from '../../json.ts';
import type { Mutant } from '../mutant.ts';

export const refusalEmptiesVariables: Mutant = {
  id: 'refusal-empties-variables',
  breaks: 'A replay that diverged at a refusal loses the variables that were written before.',
  kills: ['refusal.mid-graph'],
  parts: ({ snapshotOnWire, refusal }) => ({
    snapshotOnWire: (snapshot) =>
      snapshotOnWire(
        member(snapshot['error'], 'code') === refusal.errorCode ? { ...snapshot, variables: {} } : snapshot,
      ),
  }),
};
