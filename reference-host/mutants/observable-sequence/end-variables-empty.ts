import type { Mutant } from '../mutant.ts';

export const endVariablesEmpty: Mutant = {
  id: 'end-variables-empty',
  breaks: 'The snapshot of a replay shows no variables.',
  kills: ['refusal.mid-graph', 'sequence.state-equal', 'sequence.state-equal.concurrent', 'handoff.replays'],
  parts: () => ({
    snapshotOnWire: (snapshot) => (snapshot['forkMode'] === 'replay' ? { ...snapshot, variables: {} } : snapshot),
  }),
};
