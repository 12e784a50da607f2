import type { Variant } from './variant.ts';
import { rewritingJson } from './wire.ts';

/** Creating a run answers with absolute URLs. */
export const absoluteUrls: Variant = {
  id: 'absolute-urls',
  parts: rewritingJson(/^\/v1\/runs(\/[^/]+:fork)?$/, (body) =>
    Object.fromEntries(
      Object.entries(body).map(([name, value]) => [
        name,
        name.endsWith('Url') ? `https://host.example${String(value)}` : value,
      ]),
    ),
  ),
};
