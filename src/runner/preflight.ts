import { member, speaksOpenwop } from '../contract/discovery.ts';
import type { Observation } from '../evidence/types.ts';
import type { Exchange, HostHandle } from '../host/client.ts';
import { INTERIM } from '../host/deadline.ts';
import { answerText, goesBeyond, isPage } from '../host/exchanged.ts';
import { isRecord } from '../host/run-event.ts';
import { DISCOVERY_PATH, RUNS_PATH, runPath } from '../protocol/paths.ts';
import { isAboutCaller, isClientError, isNoRoute, isRedirect, isSuccess, saysNothing } from '../protocol/status.ts';

/** Why a host cannot be judged, as a word for machines. */
export type PreflightCode = 'unreachable' | 'tls' | 'no-http' | 'credential' | 'redirect' | 'web-page' | 'not-openwop';

/** What was found before anything was driven: it keeps the host, or all but its document, from being judged. */
export interface PreflightObservation extends Observation {
  readonly type: 'preflight';
  readonly code: PreflightCode;
  /** One line: what came, and what to do about it. */
  readonly message: string;
  /** Whether the discovery document can be judged all the same. */
  readonly hasDocument: boolean;
}

/** Whom it is about, as messages name it. */
export interface Approach {
  readonly host: HostHandle;
  readonly baseUrl: string;
  readonly timeoutMs: number;
  /** The variable that holds the credential, and whether one was given. */
  readonly variable: string;
  readonly hasCredential: boolean;
  /** Whether anything else is to be judged than the document. */
  readonly needsRuns: boolean;
}

type Found = Pick<PreflightObservation, 'code' | 'message'>;

/**
 * Looks whether a host can be judged at all, from its answer at the well-known address. Where that is none, but the host
 * answers about runs as one does, there is no hindrance: the rows about the document say what is wrong. Undefined where
 * there is none; at most two requests, which make a run only where a host hides unknown ones from its own callers.
 */
export async function preflight(discovery: Exchange, approach: Approach): Promise<PreflightObservation | undefined> {
  const found = discovery.kind === 'failure' ? noAnswer(discovery, approach) : noDocument(discovery, approach);
  if (found === undefined) return approach.needsRuns ? closedToUs(discovery, approach) : undefined;
  if (FINAL.has(found.code)) return observed(found, [discovery], false);
  const requested = await approach.host.exchange({ method: 'POST', path: RUNS_PATH, body: '{}' });
  return isHost(requested, discovery) ? undefined : observed(found, [discovery, requested], false);
}

/** Nobody is there to be asked for more. */
const FINAL: ReadonlySet<PreflightCode> = new Set(['unreachable', 'tls']);

function observed(found: Found, exchanges: readonly Exchange[], hasDocument: boolean): PreflightObservation {
  return { type: 'preflight', ...found, hasDocument, exchanges: exchanges.map(({ id }) => id) };
}

const WHERE = `GET ${DISCOVERY_PATH}`;

function noAnswer(
  { reason, message: said }: Extract<Exchange, { kind: 'failure' }>,
  { baseUrl, timeoutMs }: Approach,
): Found | undefined {
  const message = said.trim();
  switch (reason) {
    case 'aborted':
      return undefined;
    case 'refused':
    case 'unresolvable': {
      const text = `${baseUrl} cannot be reached (${reason}: ${message}): start the host, or correct --base-url`;
      return { code: 'unreachable', message: text };
    }
    case 'timeout': {
      const text = `${baseUrl} gave no whole answer to ${WHERE} within ${timeoutMs} ms: look whether the host is up, or raise --timeout`;
      return { code: 'unreachable', message: text };
    }
    case 'tls': {
      const text = `no TLS connection to ${baseUrl} (${message}): correct its certificate, name its authority in NODE_EXTRA_CA_CERTS, or give an http: --base-url if it speaks no TLS`;
      return { code: 'tls', message: text };
    }
    case 'encoded':
      return { code: 'no-http', message: `${WHERE} at ${baseUrl} cannot be read: ${message}` };
    case 'reset':
    case 'protocol':
    case 'headers-too-large':
    case 'body-too-large': {
      const step = message === INTERIM ? 'let the host, or a proxy before it, send none' : 'correct --base-url';
      const text = `what answers ${WHERE} at ${baseUrl} cannot be read (${reason}: ${message}): ${step}`;
      return { code: 'no-http', message: text };
    }
  }
}

function noDocument(exchange: Extract<Exchange, { kind: 'response' }>, approach: Approach): Found | undefined {
  const { status, json } = exchange;
  const { baseUrl } = approach;
  if (status === 200 && json.ok && speaksOpenwop(json.value)) return undefined;
  if (isAboutCaller(status)) return credentialWanted(`${WHERE} at ${baseUrl} answered ${status}`, approach);
  if (isRedirect(status)) {
    const message = `${WHERE} at ${baseUrl} answered ${answerText(exchange)}, give the host's own address as --base-url`;
    return { code: 'redirect', message };
  }
  if (isPage(exchange)) {
    const message = `${WHERE} at ${baseUrl} answered ${status} with a web page: give the address of the API as --base-url`;
    return { code: 'web-page', message };
  }
  if (goesBeyond(json) || !(isSuccess(status) || isClientError(status)) || saysNothing(status, 'refusal'))
    return undefined;
  const what = json.ok ? 'JSON that is no discovery document' : 'no JSON';
  const message = `${WHERE} at ${baseUrl} answered ${status} with ${what}: no OpenWOP host is there, correct --base-url`;
  return { code: 'not-openwop', message };
}

function credentialWanted(what: string, { variable, hasCredential }: Approach): Found {
  const how = hasCredential
    ? `the credential is not accepted, give another one in ${variable}`
    : 'name the variable that holds one with --api-key-env (in a file of targets apiKeyEnv)';
  return { code: 'credential', message: `${what}: ${how}` };
}

/**
 * Whether an answer to a run of nothing is that of a host: it made a run, or says in an envelope why not. What says of both
 * addresses alike that nothing is there has neither.
 */
function isHost(exchange: Exchange, discovery: Exchange): boolean {
  if (exchange.kind === 'failure' || !exchange.json.ok) return false;
  const { status, json } = exchange;
  if (isSuccess(status)) return typeof member(json.value, 'runId') === 'string';
  if (!isClientError(status) || isAboutCaller(status) || saysNothing(status, 'refusal')) return false;
  if (!isNoRoute(status)) return isRecord(json.value);
  const code = codeIn(exchange);
  return typeof code === 'string' && /^[a-z][a-z\d_]*$/u.test(code) && code !== codeIn(discovery);
}

/** The error code of an envelope. */
function codeIn(exchange: Exchange): unknown {
  if (exchange.kind === 'failure' || !exchange.json.ok) return undefined;
  const error = member(exchange.json.value, 'error');
  return member(error, 'code') ?? error;
}

/** A run that nobody has made. */
const NO_RUN = 'run_00000000000000000000000000';
const NOOP = 'conformance-noop';

/** Whether a host with a document refuses its caller, reading and making runs: a host may hide unknown runs behind 403. */
async function closedToUs(discovery: Exchange, approach: Approach): Promise<PreflightObservation | undefined> {
  const { host, baseUrl } = approach;
  const read = await host.exchange({ method: 'GET', path: runPath(NO_RUN) });
  if (!isRefused(read)) return undefined;
  const made = await host.exchange({ method: 'POST', path: RUNS_PATH, body: JSON.stringify({ workflowId: NOOP }) });
  if (!isRefused(made)) return undefined;
  const found = credentialWanted(`POST ${RUNS_PATH} at ${baseUrl} answered ${made.status}`, approach);
  return observed(found, [discovery, read, made], true);
}

function isRefused(exchange: Exchange): exchange is Extract<Exchange, { kind: 'response' }> {
  return exchange.kind === 'response' && isAboutCaller(exchange.status);
}
