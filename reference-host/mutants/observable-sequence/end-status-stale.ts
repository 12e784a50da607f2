import type { Mutant } from '../mutant.ts';

export const endStatusStale: Mutant = {
  id: 'end-status-stale',
  breaks: 'The snapshot of a replay that has ended still says that it runs.',
  kills: ['sequence.state-equal', 'sequence.state-equal.concurrent', 'handoff.replays'],
  parts: () => ({
    snapshotOnWire: (snapshot) => (snapshot['forkMode'] === 'replay' ? { ...snapshot, status: 'running' } : snapshot),
  }),
};
