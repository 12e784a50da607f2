import type { HostParts } from '../../reference-host/index.ts';
import { RUNS_PATH, seamPath } from '../protocol/paths.ts';

type Fetch = Parameters<HostParts['middleware']>[0];
type Document = Parameters<HostParts['discovery']>[0];

const SEAMS = seamPath('');
const PUBLIC_SEAMS: ReadonlySet<string> = new Set(['llm-cache-key', 'mock-ai/program'].map(seamPath));
const OURS = 'conformance-determinism-';

/**
 * The parts of a host that has what hosts have which nobody here wrote: the public workflows and the two public seams. What asks
 * for anything of ours is refused before another part sees it, and who changes the discovery document gets one without ours.
 */
export function bareHost(parts: Partial<HostParts> = {}): Partial<HostParts> {
  const { discovery = same, middleware = same } = parts;
  return {
    ...parts,
    discovery: (document) => discovery(publicFixtures(document)),
    middleware: (next) => {
      const answer = middleware(next);
      return async (request) => ((await isOurs(request)) ? refused() : answer(request));
    },
  };
}

function same<T>(value: T): T {
  return value;
}

async function isOurs(request: Parameters<Fetch>[0]): Promise<boolean> {
  const { pathname } = new URL(request.url);
  if (pathname.startsWith(SEAMS)) return !PUBLIC_SEAMS.has(pathname);
  if (request.method === 'POST' && pathname === RUNS_PATH) return (await request.clone().text()).includes(OURS);
  return pathname.startsWith(`/v1/workflows/${OURS}`);
}

function publicFixtures(document: Document): Document {
  const { fixtures } = document;
  const ids: readonly unknown[] = Array.isArray(fixtures) ? fixtures : [];
  return { ...document, fixtures: ids.filter((id) => !String(id).startsWith(OURS)) };
}

function refused(): Response {
  return Response.json({ error: 'not_found', message: 'This host does not offer that.' }, { status: 404 });
}
