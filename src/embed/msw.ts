import { http, type HttpHandler } from 'msw';
import { createReferenceHost, defaultCredentials, defaultParts, type HostParts } from '../../reference-host/index.ts';
import { MUTANTS } from '../../reference-host/mutants/index.ts';
import { unknownName } from '../contract/nearest.ts';

/** What the host behind the handlers is like. */
export interface HandlersOptions {
  /** The origin that the client under test talks to; nobody listens there. */
  readonly baseUrl: string;
  /** The credential that the client sends as a bearer token; `test-key` where nothing is given. */
  readonly apiKey?: string;
  /** Workflows beside the bundled ones, as JSON values of schemas/workflow.schema.json. */
  readonly workflows?: readonly object[];
  /** Whether the test-only endpoints exist. */
  readonly seams?: boolean;
  /** Defects of the kill matrix (`openwop-conformance list --mutants`) that the host has, so that one sees how a client copes. */
  readonly defects?: readonly string[];
}

/** Handlers for `setupServer(...handlers(…))`, and what ends the host behind them. */
export interface ReferenceHandlers extends ReadonlyArray<HttpHandler> {
  /** Ends open streams and forgets all runs. */
  readonly close: () => Promise<void>;
}

/**
 * The reference host as MSW handlers, in this process and without a port: what a client or an SDK is tested against. Everything stays in
 * memory. Throws an Error for a base URL that is no origin and for a defect that there is none of.
 */
export function handlers(options: HandlersOptions): ReferenceHandlers {
  const { baseUrl, apiKey = 'test-key', workflows = [], seams = false, defects = [] } = options;
  const { origin, pathname, search } = new URL(baseUrl);
  if (origin === 'null' || pathname !== '/' || search !== '')
    throw new Error('baseUrl has to be an origin, without a path');
  const host = createReferenceHost({
    credentials: defaultCredentials().credentials.map((each, index) => (index === 0 ? { ...each, key: apiKey } : each)),
    enableTestSeams: seams,
    enableRegistration: workflows.length > 0,
    parts: partsOf(defects),
  });
  const ready = register(host, { origin, apiKey, workflows });
  // Who asks hears of it.
  ready.catch(() => undefined);
  const handler = http.all(`${origin}/*`, async ({ request }) => {
    await ready;
    return host.fetch(request);
  });
  return Object.assign([handler], { close: () => host.close() });
}

/** The host's parts with these defects, later ones around earlier ones. */
function partsOf(defects: readonly string[]): Partial<HostParts> {
  let parts: HostParts = defaultParts;
  for (const id of defects) {
    const found = MUTANTS.find((mutant) => mutant.id === id);
    if (found === undefined) {
      const ids = MUTANTS.map((mutant) => mutant.id);
      throw new Error(unknownName('defect', id, ids));
    }
    parts = { ...parts, ...found.parts(parts) };
  }
  return parts;
}

interface Registered {
  readonly origin: string;
  readonly apiKey: string;
  readonly workflows: readonly object[];
}

async function register(
  host: { readonly fetch: HostParts['middleware'] extends (next: infer Fetch) => unknown ? Fetch : never },
  { origin, apiKey, workflows }: Registered,
): Promise<void> {
  for (const workflow of workflows) {
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
    const body = JSON.stringify(workflow);
    const url = `${origin}/v1/host/sample/workflows`;
    const answer = await host.fetch(new Request(url, { method: 'POST', headers, body }));
    if (answer.status !== 201) throw new Error(`a workflow was refused: ${await answer.text()}`);
  }
}
