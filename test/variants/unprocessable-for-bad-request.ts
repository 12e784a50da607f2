import type { Variant } from './variant.ts';
import { around } from './wire.ts';

/** The seams refuse with 422 where others answer 400. */
export const unprocessableForBadRequest: Variant = {
  id: 'unprocessable-for-bad-request',
  parts: around(/\/host\/sample\/test\//, async (request, next) => {
    const response = await next(request);
    return response.status === 400 ? new Response(response.body, { headers: response.headers, status: 422 }) : response;
  }),
};
