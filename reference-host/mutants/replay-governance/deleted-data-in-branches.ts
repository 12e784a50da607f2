import type { Mutant } from '../mutant.ts';
import { isObject } from '../../json.ts';

export const deletedDataInBranches: Mutant = {
  id: 'deleted-data-in-branches',
  breaks: 'The snapshot of a branch shows what was deleted of its source.',
  kills: ['privacy.deleted-data.branch'],
  parts: (conformant) => {
    const deleted = new Map<string, unknown>();
    const { governance } = conformant;
    return {
      governance: {
        ...governance,
        erase: (erasure) => {
          deleted.set(erasure.runId, erasure.value);
          return governance.erase(erasure);
        },
      },
      snapshotOnWire: (snapshot) => {
        const was = deleted.get(String(snapshot['parentRunId']));
        if (snapshot['forkMode'] !== 'branch' || was === undefined) return snapshot;
        const { variables } = snapshot;
        return { ...snapshot, variables: { ...(isObject(variables) ? variables : {}), note: was } };
      },
    };
  },
};
