import { http, type HttpHandler } from 'msw';
import { createReferenceHost, defaultCredentials, defaultParts, type HostParts } from '../../reference-host/index.ts';
import { MUTANTS } from '../../reference-host/mutants/index.ts';
import { credential } from '../cli/arguments.ts';
import { unknownName } from '../contract/nearest.ts';
import { FLAG, TEXT, TEXTS, wrongWith, type Kind } from './check-options.ts';

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
  /** Defects of the kill matrix (`openwop-conformance list --mutants`) that the host has, so that one sees how a client copes. Of regions, spans and pages it has none. */
  readonly defects?: readonly string[];
}

/** Handlers for `setupServer(...handlers(…))`, and what ends the host behind them. */
export interface ReferenceHandlers extends ReadonlyArray<HttpHandler> {
  /** Ends open streams and forgets all runs. */
  readonly close: () => Promise<void>;
}

const OPTIONS: Readonly<Record<keyof HandlersOptions, Kind>> = {
  baseUrl: TEXT,
  apiKey: TEXT,
  workflows: [
    'a list of objects',
    (value) => Array.isArray(value) && value.every((each) => typeof each === 'object' && each !== null),
  ],
  seams: FLAG,
  defects: TEXTS,
};

/**
 * The reference host as MSW handlers, in this process and without a port: what a client or an SDK is tested against. Everything stays in
 * memory. Throws an Error for options that are wrong: names that none has, a base URL that is no origin, a defect that there is none of, a
 * definition that cannot be executed.
 */
export function handlers(options: HandlersOptions): ReferenceHandlers {
  const problem = wrongWith('', options, OPTIONS, 'baseUrl');
  if (problem !== undefined) throw new Error(problem);
  const { apiKey = 'test-key', workflows = [], seams = false, defects = [] } = options;
  const origin = originOf(options.baseUrl);
  const key = credential('apiKey', apiKey);
  const host = createReferenceHost({
    credentials: defaultCredentials().credentials.map((each, index) => (index === 0 ? { ...each, key } : each)),
    enableTestSeams: seams,
    workflows: workflows.map(asJson),
    parts: partsOf(defects),
  });
  const handler = http.all(`${origin}/*`, ({ request }) => host.fetch(request));
  return Object.assign([handler], { close: () => host.close() });
}

function originOf(baseUrl: string): string {
  const { protocol, origin, href } = URL.canParse(baseUrl) ? new URL(baseUrl) : new URL('about:blank');
  if (/^https?:$/u.test(protocol) && href === `${origin}/`) return origin;
  throw new Error('baseUrl has to be an origin of http or https, without credentials and without a path');
}

/** What the host would read of it. */
function asJson(workflow: object, index: number): unknown {
  try {
    return JSON.parse(JSON.stringify(workflow)) as unknown;
  } catch (error) {
    throw new Error(`workflows[${index}] cannot be written as JSON`, { cause: error });
  }
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
