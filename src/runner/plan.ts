import { createHash } from 'node:crypto';
import {
  advertisedRecipe,
  executionModelVersion,
  locate,
  member,
  readDiscovery,
  type Discovery,
} from '../contract/discovery.ts';
import type { TargetFacts } from '../contract/report.ts';
import type { Observation, PlanRecord } from '../evidence/types.ts';
import type { Exchange } from '../host/client.ts';
import type { Probe } from '../host/probe.ts';
import type { Need, Scenario } from './scenario.ts';

/** The scenario id under which the planner's own requests and facts are recorded. */
export const PLAN = 'plan';

/** GET /.well-known/openwop without credentials: the one discovery request of a run. */
export const DISCOVERY_PATH = '/.well-known/openwop';

/** What the planner learned of the target, as one line of evidence. */
export interface TargetObservation extends Observation, Omit<TargetFacts, 'recipeObserved'> {
  readonly type: 'target';
}

/** Reads the facts of a report's `target` from the discovery answer. */
export function observeTarget(exchange: Exchange, document: unknown): TargetObservation {
  const discovery = readDiscovery(document);
  return {
    type: 'target',
    exchanges: [exchange.id],
    implementation: implementationName(document),
    discoverySha256: exchange.kind === 'response' ? createHash('sha256').update(exchange.text).digest('hex') : null,
    executionModelVersion: executionModelVersion(discovery) ?? null,
    recipeAdvertised: advertisedRecipe(discovery) ?? null,
  };
}

/** Characters of an implementation's own name that a report carries. */
const SHOWN_CHARACTERS = 200;

function implementationName(document: unknown): string | null {
  const implementation = locate(document, ['implementation'])?.value;
  if (typeof implementation === 'string') return implementation.slice(0, SHOWN_CHARACTERS);
  const parts = [member(implementation, 'name'), member(implementation, 'version')];
  const named = parts.filter((part) => typeof part === 'string');
  return named.length === 0 ? null : named.join(' ').slice(0, SHOWN_CHARACTERS);
}

/**
 * Decides for each scenario whether it applies: its gate against the discovery document, then each of its needs against
 * the host. A seam or fixture is asked for once, however many scenarios need it.
 */
export async function planScenarios(
  scenarios: readonly Scenario[],
  probe: Probe,
  given: Given,
): Promise<readonly PlanRecord[]> {
  const asked = new Map<string, Promise<string | undefined>>();
  const missing = (need: Need): Promise<string | undefined> => {
    const key = JSON.stringify(need);
    const answer = asked.get(key) ?? findMissing(need, probe);
    asked.set(key, answer);
    return answer;
  };
  const asking: Asking = { probe, given, missing };
  return Promise.all(scenarios.map((scenario) => planScenario(scenario, asking)));
}

/** What the caller said of the host under test, beyond what a probe holds. */
export interface Given {
  /** The host exports its spans to the witness. */
  readonly otel: boolean;
}

interface Asking {
  readonly probe: Probe;
  readonly given: Given;
  missing(need: Need): Promise<string | undefined>;
}

async function planScenario(scenario: Scenario, { probe, given, missing }: Asking): Promise<PlanRecord> {
  const record = (status: PlanRecord['status'], reason: string): PlanRecord => ({
    kind: 'plan',
    scenario: scenario.id,
    status,
    reason,
  });
  const discovery = discoveryOf(probe);
  const gate = scenario.gate(discovery ?? readDiscovery({}));
  if (discovery === undefined && !gate.open) return record('inconclusive', unreadable(probe.discoveryExchange));
  if (!gate.open) return record('not-applicable', gate.because);
  const absent = notGiven(scenario.needs, probe, given);
  if (absent !== undefined) return record('not-applicable', absent);
  for (const need of scenario.needs) {
    const reason = await missing(need);
    if (reason !== undefined) return record('inconclusive', reason);
  }
  return record('applicable', gate.because);
}

function discoveryOf(probe: Probe): Discovery | undefined {
  const { discovery } = probe;
  const isObject = typeof discovery === 'object' && discovery !== null && !Array.isArray(discovery);
  return isObject ? readDiscovery(discovery) : undefined;
}

/** In one line: why there is no discovery document. */
export function unreadable(exchange: Exchange): string {
  const what = `GET ${DISCOVERY_PATH}`;
  if (exchange.kind === 'failure') return `${what} got no answer: ${exchange.reason} (${exchange.message})`;
  if (exchange.status !== 200) return `${what} answered ${exchange.status}`;
  return exchange.json.ok ? `${what} gave JSON that is no object` : `${what} gave no JSON: ${exchange.json.message}`;
}

/** The gate `two` and its kind: what the caller did not give, and what therefore is not asked for. */
function notGiven(needs: readonly Need[], probe: Probe, given: Given): string | undefined {
  const asks = (kind: Need['kind']): boolean => needs.some((need) => need.kind === kind);
  if (asks('second-host') && probe.hostB === undefined) return 'no second host was given (--base-url-b)';
  if (asks('second-tenant') && probe.otherTenant === undefined) {
    return 'no second tenant was given (--tenant-b-key-env)';
  }
  if (asks('limited-credential') && probe.limited === undefined) {
    return 'no credential was given that may read but not create (--limited-key-env)';
  }
  if (asks('spans') && !given.otel) return 'the host is not said to export its spans to the witness (--otel)';
  return undefined;
}

async function findMissing(need: Need, probe: Probe): Promise<string | undefined> {
  switch (need.kind) {
    case 'second-host':
    case 'second-tenant':
    case 'limited-credential':
      return undefined;
    case 'witness':
    case 'spans':
      return probe.witness === undefined ? 'there is no witness for the host to call (--witness-listen)' : undefined;
    case 'fork':
      return undefined;
    case 'seam':
      return missingSeam(
        need.path,
        await probe.host.exchange({ method: 'POST', path: need.path, body: need.body, repeatable: true }),
      );
    case 'fixture':
      return missingFixture(need.workflowId, probe);
  }
}

/** Statuses of a route that is not there, and of a host that is overloaded or behind a gateway that cannot reach it. */
const ABSENT = new Set([404, 405, 410, 501]);
const UNAVAILABLE = new Set([429, 502, 503, 504]);

function missingSeam(path: string, exchange: Exchange): string | undefined {
  const seam = `the test seam POST ${path}`;
  if (exchange.kind === 'failure') return `${seam} got no answer: ${exchange.reason} (${exchange.message})`;
  const { status } = exchange;
  if (status === 401) return `${seam} answered 401: give a credential that it accepts (OPENWOP_API_KEY)`;
  if (status === 403) return `${seam} answered 403: enable it, or give a credential that may use it`;
  if (ABSENT.has(status)) return `${seam} answered ${status}: the host has to expose it`;
  if (UNAVAILABLE.has(status)) return `${seam} answered ${status}: the host is not ready to serve it`;
  if (status >= 300 && status < 400) return `${seam} answered ${status}: redirects are not followed`;
  const isPage = /^text\/html\b/iu.test(exchange.headers['content-type'] ?? '');
  return isPage ? `${seam} answered with a web page: the host has to expose it` : undefined;
}

async function missingFixture(workflowId: string, probe: Probe): Promise<string | undefined> {
  if (discoveryOf(probe)?.fixtures.includes(workflowId) === true) return undefined;
  const path = `/v1/workflows/${encodeURIComponent(workflowId)}`;
  const exchange = await probe.host.exchange({ method: 'GET', path });
  if (exchange.kind === 'response' && exchange.status === 200 && exchange.json.ok) return undefined;
  const answer = exchange.kind === 'failure' ? exchange.reason : `${exchange.status}`;
  return `the workflow fixture ${workflowId} is neither advertised nor readable (GET ${path}: ${answer}): seed it`;
}
