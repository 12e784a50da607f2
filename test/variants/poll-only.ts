import type { Variant } from './variant.ts';
import { around, both, pollUrls, refused } from './wire.ts';

/** A run can be read by polling only. */
export const pollOnly: Variant = {
  id: 'poll-only',
  notApplicable: [
    'annotation.live',
    'replay.divergence-in-debug-stream',
    'privacy.same-redaction.streams',
    'fork.invisible-run.events',
    'fork.invisible-run.events.resumed',
    'run.stream-modes',
  ],
  parts: both(
    around(/\/events$/, () => refused(404, 'not_found')),
    pollUrls,
  ),
};
