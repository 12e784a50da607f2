import type { Mutant } from '../mutant.ts';

export const versionPinNotInherited: Mutant = {
  id: 'version-pin-not-inherited',
  breaks: 'A fork does not inherit what its history pinned.',
  kills: ['replay.version-pins-kept'],
  parts: ({ replay }) => ({
    replay: {
      ...replay,
      inherited: (history) => history.filter(({ type }) => type !== 'version.pinned'),
    },
  }),
};
