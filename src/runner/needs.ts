import { advertisedFailpoints, member, readDiscovery, type Discovery } from '../contract/discovery.ts';
import { closedSeam, exposing, type Remedy } from '../contract/remedy.ts';
import type { Exchange } from '../host/client.ts';
import { answerText, isPage, withinBounds } from '../host/exchanged.ts';
import type { Probe } from '../host/probe.ts';
import { RUNS_PATH, seamPath, workflowPath } from '../protocol/paths.ts';
import { isAbsent, isRedirect, isSuccess, saysNothing } from '../protocol/status.ts';
import { advertisedFork, createForkAsker } from './fork-need.ts';
import type { PreflightObservation } from './preflight.ts';
import { type Candidate, type CrashCuts, type Lack, type Need, withChildren } from './scenario.ts';

/** What the caller said of the host under test, beyond what a probe holds. */
export interface Given {
  /** The host exports its spans to the witness. */
  readonly otel: boolean;
  /** How many crashes the host may be put through. */
  readonly crash: CrashCuts;
  /** What keeps the host, or all but its document, from being judged. */
  readonly hindrance?: PreflightObservation | undefined;
}

/** What a host advertises, or undefined where its document is none. */
export function discoveryOf(document: unknown): Discovery | undefined {
  const isObject = typeof document === 'object' && document !== null && !Array.isArray(document);
  return isObject ? readDiscovery(document) : undefined;
}

/** What the caller gives, by the kind of need: whether it is there, and what is said where it is not. */
const GIFTS: readonly {
  readonly kind: Need['kind'];
  readonly isGiven: (probe: Probe, given: Given) => boolean;
  readonly reason: string;
  readonly remedy: Remedy;
}[] = [
  {
    kind: 'second-host',
    isGiven: ({ hostB }) => hostB !== undefined,
    reason: 'no second host was given (--base-url-b)',
    remedy: { step: 'give --base-url-b', untested: 'agreement with a second host' },
  },
  {
    kind: 'second-tenant',
    isGiven: ({ otherTenant }) => otherTenant !== undefined,
    reason: 'no second tenant was given (--tenant-b-key-env)',
    remedy: { step: 'give --tenant-b-key-env', untested: 'access across tenants' },
  },
  {
    kind: 'limited-credential',
    isGiven: ({ limited }) => limited !== undefined,
    reason: 'no credential was given that may read but not create (--limited-key-env)',
    remedy: { step: 'give --limited-key-env', untested: 'access without the right to create' },
  },
  {
    kind: 'blind-credential',
    isGiven: ({ blind }) => blind !== undefined,
    reason: 'no credential was given that may not read runs (--blind-key-env)',
    remedy: { step: 'give --blind-key-env', untested: 'access without the right to read' },
  },
  {
    kind: 'spans',
    isGiven: (_, { otel }) => otel,
    reason: 'the host is not said to export its spans to the witness (--otel)',
    remedy: { step: 'export spans and give --otel', untested: 'what spans tell' },
  },
  {
    kind: 'crash',
    isGiven: (_, { crash }) => crash !== 'none',
    reason: 'the host is not to be killed (--crash none)',
    remedy: { step: 'leave out --crash none', untested: 'what survives a crash' },
  },
];

/** The gate `two` and its kind: what the caller did not give, and what therefore is not asked for. */
export function notGiven(needs: readonly Need[], probe: Probe, given: Given): readonly Lack[] {
  return GIFTS.filter(({ kind, isGiven }) => needs.some((need) => need.kind === kind) && !isGiven(probe, given)).map(
    ({ reason, remedy }) => ({ status: 'not-applicable', reason, remedy }),
  );
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
    const missing = await findMissing(need, probe);
    return missing && { status: 'inconclusive', ...missing };
  };
}

/** What is not there, and what can be done about it. */
type Missing = Pick<Lack, 'reason' | 'remedy'>;

async function findMissing(need: Exclude<Need, { kind: 'fork' | 'seam' }>, probe: Probe): Promise<Missing | undefined> {
  switch (need.kind) {
    case 'second-tenant':
      return blindTenant(probe);
    case 'second-host':
    case 'limited-credential':
    case 'blind-credential':
      return undefined;
    case 'witness':
    case 'spans':
      return probe.witness === undefined ? NO_WITNESS : undefined;
    case 'crash':
      return missingFailpoints(probe);
    case 'fixture':
      return missingFixture(need.workflowId, probe);
    case 'one-of':
      return missingCandidates(need.candidates, probe);
  }
}

/** What nobody can be told whom the host does not know: a run of nothing. */
const NOTHING = { method: 'POST', path: RUNS_PATH, body: '{}', repeatable: true } as const;

/**
 * A second tenant to whom the host says of everything that it is not there: that it does not see another's run says nothing
 * (readings, Verdicts: the valid twin first).
 */
async function blindTenant({ host, otherTenant }: Probe): Promise<Missing | undefined> {
  if (otherTenant === undefined) return undefined;
  const second = await otherTenant.exchange(NOTHING);
  if (second.kind === 'failure' || second.status !== NOT_THERE) return undefined;
  const first = await host.exchange(NOTHING);
  if (first.kind === 'failure' || first.status === NOT_THERE || saysNothing(first.status, 'action')) return undefined;
  return {
    reason: `the second tenant is answered ${NOT_THERE} where the first one is answered ${first.status}: POST ${RUNS_PATH}`,
    remedy: { step: 'let --tenant-b-key-env hold a credential that works', untested: 'access across tenants' },
  };
}

const NOT_THERE = 404;

const NO_WITNESS: Missing = {
  reason: 'there is no witness for the host to call (--witness-listen)',
  remedy: { step: 'give --witness-listen' },
};

const NO_FAILPOINTS: Missing = {
  reason:
    'no failpoints are advertised: name them in extensions/x-openwop-provable-semantics/failpoints, in a test deployment',
  remedy: { step: 'advertise failpoints', untested: 'what survives a crash' },
};

function missingFailpoints(probe: Probe): Missing | undefined {
  return hasFailpoints(discoveryOf(probe.discovery)) ? undefined : NO_FAILPOINTS;
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
  const exchange = await askSeam(path, body, probe);
  const missing = missingSeam(path, exchange);
  if (missing === undefined) {
    const isAnyRoute = await answersAnyRoute({ path, body, exchange }, probe);
    return isAnyRoute
      ? { status: absent ?? 'inconclusive', reason: anyRoute(path), remedy: exposing(path) }
      : undefined;
  }
  const isMissing = exchange.kind === 'response' && isAbsent(exchange.status);
  if (isMissing && exchange.status === 404 && (await knowsRoute({ path, body, exchange }, probe))) return undefined;
  const isClosed = exchange.kind === 'response' && exchange.status === FORBIDDEN;
  return { status: isMissing || isClosed ? (absent ?? 'inconclusive') : 'inconclusive', ...missing };
}

/** A seam that no host has. */
const UNKNOWN_SEAM = seamPath('no-such-seam');

/** A request to a seam, and what came of it. */
interface AskedSeam {
  readonly path: string;
  readonly body: string;
  readonly exchange: Exchange;
}

function askSeam(path: string, body: string, { host }: Probe): Promise<Exchange> {
  return host.exchange({ method: 'POST', path, body, repeatable: true });
}

/** Whether a host answers a seam that does not exist with the same words: then its answer does not show that it has this one. */
async function answersAnyRoute({ path, body, exchange }: AskedSeam, probe: Probe): Promise<boolean> {
  if (exchange.kind === 'failure' || !isSuccess(exchange.status)) return false;
  const unknown = await askSeam(UNKNOWN_SEAM, body, probe);
  if (unknown.kind === 'failure' || !isSuccess(unknown.status)) return false;
  return unknown.text.replaceAll(UNKNOWN_SEAM, '') === exchange.text.replaceAll(path, '');
}

function anyRoute(path: string): string {
  return `the test seam POST ${path} answered as a seam that nobody has: the host has to expose it`;
}

/** Whether a 404 is about the run or workflow in the request and not about the route: an unknown route has another answer. */
async function knowsRoute(requested: AskedSeam, probe: Probe): Promise<boolean> {
  const unknown = await askSeam(UNKNOWN_SEAM, requested.body, probe);
  const [reason, reasonOfUnknown] = [reasonIn(requested.exchange, requested.path), reasonIn(unknown, UNKNOWN_SEAM)];
  if (reason === undefined || reasonOfUnknown === undefined || SAYS_OFF.test(reason)) return false;
  return reason !== reasonOfUnknown;
}

/** A host may send megabytes, over which the pattern below would take quadratic time. */
const COMPARED_CHARACTERS = 1000;

/** Code and message of a 404 in JSON, without what changes from one request to the next; undefined for any other answer. */
function reasonIn(exchange: Exchange, path: string): string | undefined {
  if (exchange.kind === 'failure' || exchange.status !== 404 || !exchange.json.ok) return undefined;
  const error = member(exchange.json.value, 'error');
  const code = member(error, 'code') ?? error;
  const message = member(error, 'message') ?? member(exchange.json.value, 'message');
  const text = JSON.stringify([code ?? null, message ?? null]).slice(0, COMPARED_CHARACTERS);
  return text.replaceAll(nameOf(path), '').replaceAll(/[0-9a-f-]*\d[0-9a-f-]*/giu, '#');
}

/** What a route says of itself that is switched off, or that nobody knows. */
const SAYS_OFF =
  /disabled|(?:not|isn't)[ _-](?:enabled|exposed)|(?:unknown|no(?: such)?)[ _-](?:test[ _-])?(?:operation|seam|route|endpoint)|(?:operation|seam|route|endpoint)[ _-](?:is[ _-])?unknown/iu;

/** A seam's path, or its name alone, whatever separates the parts of that. */
function nameOf(path: string): RegExp {
  const names = path.replace(seamPath(''), '').match(/[a-z]+/gu) ?? [];
  return new RegExp(`(?:${seamPath('')}|/)?${names.join('[^a-z]{0,3}')}`, 'giu');
}

function missingSeam(path: string, exchange: Exchange): Missing | undefined {
  const seam = `the test seam POST ${path}`;
  const expose = exposing(path);
  if (exchange.kind === 'failure') return { reason: `${seam} got no answer: ${exchange.reason} (${exchange.message})` };
  const { status } = exchange;
  if (status === 401) {
    return {
      reason: `${seam} answered 401: give a credential that it accepts (--api-key-env)`,
      remedy: { step: 'give a credential that the test seams accept' },
    };
  }
  if (status === FORBIDDEN) {
    return { reason: `${seam} answered 403: enable it, or give a credential that may use it`, remedy: expose };
  }
  if (isAbsent(status)) return { reason: `the test seam ${closedSeam(path, status)}`, remedy: expose };
  if (isRedirect(status)) return { reason: `${seam} answered ${answerText(exchange)}`, remedy: expose };
  if (saysNothing(status, 'refusal'))
    return { reason: `${seam} answered ${status}: the host is not ready to serve it` };
  return isPage(exchange)
    ? { reason: `${seam} answered with a web page: the host has to expose it`, remedy: expose }
    : undefined;
}

/** What is missing where no candidate is there with all the workflows that it starts: names the first one, and what would do instead. */
async function missingCandidates(candidates: readonly Candidate[], probe: Probe): Promise<Missing | undefined> {
  const lacks: (readonly { readonly workflowId: string; readonly missing: Missing }[])[] = [];
  for (const candidate of candidates) {
    const requested = withChildren(candidate).map(async (workflowId) => {
      const missing = await missingFixture(workflowId, probe);
      return missing === undefined ? [] : [{ workflowId, missing }];
    });
    const lack = (await Promise.all(requested)).flat();
    if (lack.length === 0) return undefined;
    lacks.push(lack);
  }
  const [first] = lacks.flat();
  const ids = lacks.map((lack) => lack.map(({ workflowId }) => workflowId).join(' and '));
  const others = ids.slice(1).map((each) => `, or ${each}`);
  return first && { reason: first.missing.reason + others.join(''), remedy: { step: `seed ${ids.join(' or ')}` } };
}

async function missingFixture(workflowId: string, probe: Probe): Promise<Missing | undefined> {
  const known = probe.fixtures?.get(workflowId);
  if (known?.isThere === false) return lacking(workflowId, `could not be registered (${known.because})`);
  if (known?.isThere === true) return undefined;
  if (discoveryOf(probe.discovery)?.fixtures.includes(workflowId) === true) return undefined;
  if (probe.named?.some((each) => each.workflowId === workflowId) === true) return undefined;
  const path = workflowPath(workflowId);
  const exchange = withinBounds(await probe.host.exchange({ method: 'GET', path }));
  if (exchange.kind === 'response' && exchange.status === 200 && exchange.json.ok) return undefined;
  const answer = exchange.kind === 'failure' ? exchange.reason : `${exchange.status}`;
  return lacking(workflowId, `is neither advertised nor readable (GET ${path}: ${answer})`);
}

function lacking(workflowId: string, why: string): Missing {
  return { reason: `the workflow fixture ${workflowId} ${why}: seed it`, remedy: { step: `seed ${workflowId}` } };
}
