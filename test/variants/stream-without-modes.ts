import type { Variant } from './variant.ts';
import { around, refused } from './wire.ts';

/** The stream knows no modes: a request that names one is refused. */
export const streamWithoutModes: Variant = {
  id: 'stream-without-modes',
  parts: around(/\/events$/, (request, next) =>
    new URL(request.url).searchParams.has('streamMode') ? refused(400, 'unsupported_stream_mode') : next(request),
  ),
};
