import type { Mutant } from '../mutant.ts';

export const endChannelsEmpty: Mutant = {
  id: 'end-channels-empty',
  breaks: 'The snapshot of a replay shows no channels.',
  kills: ['sequence.state-equal'],
  parts: () => ({
    snapshotOnWire: (snapshot) => (snapshot['forkMode'] === 'replay' ? { ...snapshot, channels: {} } : snapshot),
  }),
};
