import type { Variant } from './variant.ts';
import { around } from './wire.ts';

function slicing(size: number): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream({
    transform(chunk, controller) {
      for (let at = 0; at < chunk.length; at += size) controller.enqueue(chunk.slice(at, at + size));
    },
  });
}

/** Bodies come in chunks of a few bytes, cut inside of characters too. */
export const smallChunks: Variant = {
  id: 'small-chunks',
  parts: around(/^/, async (request, next) => {
    const response = await next(request);
    return new Response(response.body?.pipeThrough(slicing(7)) ?? null, response);
  }),
};
