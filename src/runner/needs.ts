import { advertisedFailpoints, member, readDiscovery, type Discovery } from '../contract/discovery.ts';
import type { Exchange } from '../host/client.ts';
import type { Probe } from '../host/probe.ts';
import { seamPath, workflowPath } from '../protocol/paths.ts';
import { isAbsent, isRedirect, saysNothing } from '../protocol/status.ts';
import { advertisedFork, createForkAsker } from './fork-need.ts';
import type { CrashCuts, Lack, Need } from './scenario.ts';

/** What the caller said of the host under test, beyond what a probe holds. */
export interface Given {
  /** The host exports its spans to the witness. */
  readonly otel: boolean;
  /** How many crashes the host may be put through. */
  readonly crash: CrashCuts;
}

/** What a host advertises, or undefined where its document is none. */
export function discoveryOf(document: unknown): Discovery | undefined {
  const isObject = typeof document === 'object' && document !== null && !Array.isArray(document);
  return isObject ? readDiscovery(document) : undefined;
}

/** The gate `two` and its kind: what the caller did not give, and what therefore is not asked for. */
export function notGiven(needs: readonly Need[], probe: Probe, given: Given): string | undefined {
  const asks = (kind: Need['kind']): boolean => needs.some((need) => need.kind === kind);
  if (asks('second-host') && probe.hostB === undefined) return 'no second host was given (--base-url-b)';
  if (asks('second-tenant') && probe.otherTenant === undefined) {
    return 'no second tenant was given (--tenant-b-key-env)';
  }
  if (asks('limited-credential') && probe.limited === undefined) {
    return 'no credential was given that may read but not create (--limited-key-env)';
  }
  if (asks('spans') && !given.otel) return 'the host is not said to export its spans to the witness (--otel)';
  if (asks('crash') && given.crash === 'none') return 'the host is not to be killed (--crash none)';
  return undefined;
}

/** Whether the document alone says that one of these needs is not met, whatever the host would answer. */
export function deniedBy(discovery: Discovery | undefined, needs: readonly Need[]): boolean {
  return needs.some((need) => {
    if (need.kind === 'crash') return !hasFailpoints(discovery);
    return need.kind === 'fork' && discovery !== undefined && advertisedFork(need.mode, discovery) === 'left out';
  });
}

/** Makes the function that asks the host for one need; what several needs have in common is asked once. */
export function createLackFinder(probe: Probe): (need: Need) => Promise<Lack | undefined> {
  const lackingFork = createForkAsker(probe);
  return async (need) => {
    if (need.kind === 'fork') return lackingFork(need, discoveryOf(probe.discovery));
    if (need.kind === 'seam') return lackingSeam(need, probe);
    const reason = await findMissing(need, probe);
    return reason === undefined ? undefined : { status: 'inconclusive', reason };
  };
}

async function findMissing(need: Exclude<Need, { kind: 'fork' | 'seam' }>, probe: Probe): Promise<string | undefined> {
  switch (need.kind) {
    case 'second-host':
    case 'second-tenant':
    case 'limited-credential':
      return undefined;
    case 'witness':
    case 'spans':
      return probe.witness === undefined ? 'there is no witness for the host to call (--witness-listen)' : undefined;
    case 'crash':
      return missingFailpoints(probe);
    case 'fixture':
      return missingFixture(need.workflowId, probe);
  }
}

function missingFailpoints(probe: Probe): string | undefined {
  if (hasFailpoints(discoveryOf(probe.discovery))) return undefined;
  return 'no failpoints are advertised: name them in extensions/x-openwop-provable-semantics/failpoints, in a test deployment';
}

function hasFailpoints(discovery: Discovery | undefined): boolean {
  return discovery !== undefined && advertisedFailpoints(discovery.provable).length > 0;
}

/** A seam that is off may answer with it, as with 404 (wire-contract, Test seams). */
const FORBIDDEN = 403;

async function lackingSeam(
  { path, body, absent }: Extract<Need, { kind: 'seam' }>,
  probe: Probe,
): Promise<Lack | undefined> {
  const exchange = await probe.host.exchange({ method: 'POST', path, body, repeatable: true });
  const reason = missingSeam(path, exchange);
  if (reason === undefined) return undefined;
  const isMissing = exchange.kind === 'response' && isAbsent(exchange.status);
  if (isMissing && exchange.status === 404 && (await knowsRoute({ path, body, exchange }, probe))) return undefined;
  const isClosed = exchange.kind === 'response' && exchange.status === FORBIDDEN;
  return { status: isMissing || isClosed ? (absent ?? 'inconclusive') : 'inconclusive', reason };
}

/** A seam that nobody has, beside those of the wire contract. */
const UNKNOWN_SEAM = seamPath('no-such-seam');

/** Whether a 404 is about what was asked for (a run, a workflow), and not about the route: an unknown route is told otherwise. */
async function knowsRoute(
  asked: { readonly path: string; readonly body: string; readonly exchange: Exchange },
  probe: Probe,
): Promise<boolean> {
  const { body } = asked;
  const unknown = await probe.host.exchange({ method: 'POST', path: UNKNOWN_SEAM, body, repeatable: true });
  const [told, toldOfUnknown] = [toldBy(asked.exchange, asked.path), toldBy(unknown, UNKNOWN_SEAM)];
  return told !== undefined && toldOfUnknown !== undefined && told !== toldOfUnknown;
}

/** A host may send megabytes, over which the pattern below would take quadratic time. */
const COMPARED_CHARACTERS = 1000;

/** Code and message of a 404 in JSON, without what changes from one request to the next; undefined for any other answer. */
function toldBy(exchange: Exchange, path: string): string | undefined {
  if (exchange.kind === 'failure' || exchange.status !== 404 || !exchange.json.ok) return undefined;
  const error = member(exchange.json.value, 'error');
  const code = member(error, 'code') ?? error;
  const message = member(error, 'message') ?? member(exchange.json.value, 'message');
  const text = JSON.stringify([code ?? null, message ?? null]).slice(0, COMPARED_CHARACTERS);
  return text.replaceAll(path, '').replaceAll(/[0-9a-f-]*\d[0-9a-f-]*/giu, '#');
}

function missingSeam(path: string, exchange: Exchange): string | undefined {
  const seam = `the test seam POST ${path}`;
  if (exchange.kind === 'failure') return `${seam} got no answer: ${exchange.reason} (${exchange.message})`;
  const { status } = exchange;
  if (status === 401) return `${seam} answered 401: give a credential that it accepts (OPENWOP_API_KEY)`;
  if (status === FORBIDDEN) return `${seam} answered 403: enable it, or give a credential that may use it`;
  if (isAbsent(status)) return `${seam} answered ${status}: the host has to expose it`;
  if (saysNothing(status, 'refusal')) return `${seam} answered ${status}: the host is not ready to serve it`;
  if (isRedirect(status)) return `${seam} answered ${status}: redirects are not followed`;
  const isPage = /^text\/html\b/iu.test(exchange.headers['content-type'] ?? '');
  return isPage ? `${seam} answered with a web page: the host has to expose it` : undefined;
}

async function missingFixture(workflowId: string, probe: Probe): Promise<string | undefined> {
  if (discoveryOf(probe.discovery)?.fixtures.includes(workflowId) === true) return undefined;
  const path = workflowPath(workflowId);
  const exchange = await probe.host.exchange({ method: 'GET', path });
  if (exchange.kind === 'response' && exchange.status === 200 && exchange.json.ok) return undefined;
  const answer = exchange.kind === 'failure' ? exchange.reason : `${exchange.status}`;
  return `the workflow fixture ${workflowId} is neither advertised nor readable (GET ${path}: ${answer}): seed it`;
}
