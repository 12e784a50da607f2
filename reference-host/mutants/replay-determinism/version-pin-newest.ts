import { onReplayOf } from '../shared/replay-parts.ts';
import type { Mutant } from '../mutant.ts';

export const versionPinNewest: Mutant = {
  id: 'version-pin-newest',
  breaks: 'A full replay pins the newest version anew.',
  kills: ['replay.version-pins-kept.full-replay'],
  parts: onReplayOf('core.version', () => undefined),
};
