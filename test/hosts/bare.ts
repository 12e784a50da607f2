import type { JsonObject } from '../../reference-host/json.ts';
import type { Fetch, HostParts } from '../../reference-host/parts.ts';
import { refused } from '../variants/wire.ts';

const SEAMS = '/v1/host/sample/test/';
const PUBLIC_SEAMS: ReadonlySet<string> = new Set(
  ['llm-cache-key', 'mock-ai/program'].map((seam) => `${SEAMS}${seam}`),
);
const OURS = 'conformance-determinism-';

/** What hosts have that nobody here wrote: the public workflows and the two public seams, nothing of ours. */
export const bareHost: Partial<HostParts> = {
  discovery: publicFixtures,
  middleware:
    (next: Fetch): Fetch =>
    async (request) =>
      (await isOurs(request)) ? refused(404, 'not_found') : next(request),
};

async function isOurs(request: Request): Promise<boolean> {
  const { pathname } = new URL(request.url);
  if (pathname.startsWith(SEAMS)) return !PUBLIC_SEAMS.has(pathname);
  if (request.method === 'POST' && pathname === '/v1/runs') return (await request.clone().text()).includes(OURS);
  return pathname.startsWith(`/v1/workflows/${OURS}`);
}

function publicFixtures(document: JsonObject): JsonObject {
  const { fixtures } = document;
  const ids: readonly unknown[] = Array.isArray(fixtures) ? fixtures : [];
  return { ...document, fixtures: ids.filter((id) => !String(id).startsWith(OURS)) };
}
