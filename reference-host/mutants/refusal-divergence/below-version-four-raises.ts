import type { Mutant } from '../mutant.ts';
import { isObject } from '../../json.ts';
import { advertising, advertisingWith, EXECUTION_MODEL, REPLAY_DETERMINISM } from '../shared/discovery-parts.ts';

export const belowVersionFourRaises: Mutant = {
  id: 'below-version-four-raises',
  breaks: 'A host that advertises version 3 emits the event of version 4.',
  kills: ['refusal.not-below-version-four'],
  parts: (conformant) => ({
    discovery: (document) => {
      const older = advertisingWith(EXECUTION_MODEL, { version: 3 })(conformant).discovery?.(document);
      const change = advertising(REPLAY_DETERMINISM, () => undefined)(conformant).discovery;
      return isObject(older) ? change?.(older) : older;
    },
  }),
};
