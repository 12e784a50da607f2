import { createRequire } from 'node:module';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { Agent } from 'undici';
import type { RawAnswer, Recorder, Whole } from '../evidence/recorder.ts';
import type {
  Exchange,
  FailedExchange,
  HandleOptions,
  HostClient,
  HostRequest,
  Limits,
  StreamReader,
} from './client.ts';
import {
  type Allowance,
  type BodyBounds,
  createAllowance,
  FREE_BYTES,
  gatherInto,
  readBody,
  refuseEncoded,
  refuseManyValues,
} from './bounded-body.ts';
import { type Outcome, type Time, withDeadline } from './deadline.ts';
import { createFetchDispatcher, type FetchHandler, type Sender } from './fetch-dispatcher.ts';
import { createDigested, createGathered } from './gather.ts';
import { createJsonReader } from './json.ts';
import { isSuccess } from '../protocol/status.ts';
import { asksForLog, bodyOf, isEventStream, requestHeaders, shownHeaders, targetUrl } from './request.ts';
import { createPatience, isPutOff, type Patience, retryAfterMs } from './retry-after.ts';
import { createSemaphore, type Semaphore } from './semaphore.ts';
import { open, sendFor, type Sending } from './send.ts';

/** The agent alone: the package's index loads `fetch` and more, which takes 50 ms of every process. */
const UndiciAgent = createRequire(import.meta.url)('undici/lib/dispatcher/agent.js') as typeof Agent;

interface Context {
  readonly sender: Sender;
  readonly limits: Limits;
  readonly recorder: Recorder;
  readonly options: HandleOptions;
  /** What the run's answers may still hold, logs apart. */
  readonly allowance: Allowance;
  /** Slots for large bodies. */
  readonly large: Semaphore;
  readonly patience: Patience;
}

/** A connection is used again within this time. */
const IDLE_MS = 1000;

/** Large bodies that are read at once: what is made of one takes many times its bytes. */
const LARGE_AT_ONCE = 1;

interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
  /** What the body was as a whole, where `bytes` is only its beginning. */
  readonly whole?: Whole;
  readonly cut?: true;
}

/**
 * Makes the client of the hosts under test: no redirects are followed, headers, body and total time are bounded, and
 * the credential goes to the base URL's own origin only, since a request names a path and never an origin. At most
 * `concurrency` requests are under way at once, open event streams apart. Hosts that are called in this process are given by
 * their base URLs.
 */
export function createHostClient(
  limits: Limits,
  recorder: Recorder,
  concurrency: number,
  inProcess: ReadonlyMap<string, FetchHandler> = new Map(),
): HostClient {
  const slot = createSemaphore(concurrency);
  const agent = new UndiciAgent({
    pipelining: 1,
    maxHeaderSize: limits.maxHeaderBytes,
    headersTimeout: limits.timeoutMs,
    bodyTimeout: limits.timeoutMs,
    // A connection that was idle for longer may just be being closed by the host.
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
    connect: { timeout: limits.timeoutMs },
  });
  const bounds = {
    allowance: createAllowance(limits.maxBodyBytes),
    large: createSemaphore(LARGE_AT_ONCE),
  };
  const patienceOf = new Map<string, Patience>();
  return {
    handle: (options) => {
      const fetch = inProcess.get(options.baseUrl);
      const sender = fetch === undefined ? agent : createFetchDispatcher(fetch);
      const caller = JSON.stringify([options.baseUrl, options.credential]);
      const patience = patienceOf.get(caller) ?? createPatience();
      patienceOf.set(caller, patience);
      const context: Context = { sender, limits, recorder, options, patience, ...bounds };
      return {
        baseUrl: options.baseUrl,
        exchange: (request) => slot(() => exchange(stoppedBy(request, context), request)),
        stream: (request, reader) => stream(stoppedBy(request, context), request, reader),
      };
    },
    close: () => agent.destroy(),
  };
}

/** The context of a request that something else ends as well. */
function stoppedBy({ signal }: HostRequest, context: Context): Context {
  if (signal === undefined) return context;
  const { options } = context;
  return { ...context, options: { ...options, signal: AbortSignal.any([options.signal, signal]) } };
}

/** A host that says "again in 0 seconds" for ever is asked less and less often, so that evidence stays bounded. */
const LEAST_WAIT_MS = 50;

async function exchange(context: Context, request: HostRequest): Promise<Exchange> {
  const deadline = deadlineOf(context, request);
  const once = (): Promise<Exchange> => attempt(context, request, (time) => receive(context, request, time), deadline);
  let resets = isReading(request) ? 1 : 0;
  return whenAccepted(context, request, async () => {
    for (;;) {
      const answered = await once();
      if (answered.kind !== 'failure' || answered.reason !== 'reset' || resets === 0) return answered;
      resets -= 1;
    }
  });
}

/** The reader is told of the answer that counts: not of one that puts the request off. */
async function stream(context: Context, request: HostRequest, reader: StreamReader): Promise<Exchange> {
  const accepted: StreamReader = {
    head: (status, headers) =>
      isPutOff({ status, isReading: isReading(request) }) || retryAfterMs(status, headers, Date.now()) !== undefined
        ? 'stop'
        : reader.head(status, headers),
    text: (chunk) => reader.text(chunk),
  };
  const once = (): Promise<Exchange> =>
    attempt(context, request, (time) => receiveStream(context, request, accepted, time));
  return whenAccepted(context, request, once);
}

function deadlineOf({ limits }: Context, { patience }: HostRequest): number {
  return Date.now() + Math.min(limits.timeoutMs, patience?.ms ?? Infinity);
}

/** Whether a request may be sent again whatever became of it. */
function isReading({ method, repeatable = false }: HostRequest): boolean {
  return method === 'GET' || repeatable;
}

/**
 * Asks until the host does not put it off any more (429, 503 with Retry-After), or would do so beyond the deadline. After a
 * 429 that does not say for how long it is asked again a few times, and so is what a gateway answers to a reading. A caller of whom request after request was put off to the last is
 * not waited for any more until one is taken.
 */
async function whenAccepted(context: Context, request: HostRequest, ask: () => Promise<Exchange>): Promise<Exchange> {
  const deadline = deadlineOf(context, request);
  let again = false;
  for (let waits = 1; ; waits += 1) {
    const answered = await ask();
    if (answered.kind === 'failure') return answered;
    if (again) Object.assign(answered, { again });
    const { patience } = context;
    const { status, headers } = answered;
    const put = { status, requestedMs: retryAfterMs(status, headers, Date.now()), isReading: isReading(request) };
    if (put.requestedMs === undefined && !isPutOff(put)) patience.taken();
    const requested = patience.pauseMs(put, waits);
    if (requested === undefined) return answered;
    const wait = Math.max(requested, waits * LEAST_WAIT_MS);
    if (Date.now() + wait >= deadline) {
      patience.putOff();
      return answered;
    }
    again ||= answered.status === 503;
    try {
      await delay(wait, undefined, { signal: context.options.signal });
    } catch {
      return answered;
    }
  }
}

async function attempt(
  context: Context,
  request: HostRequest,
  work: (time: Time) => Promise<Received>,
  deadline: number = deadlineOf(context, request),
): Promise<Exchange> {
  const startedAt = new Date();
  const start = performance.now();
  const outcome = withReason(await withDeadline(context.options.signal, deadline, work), request);
  const answer = rawAnswer(outcome);
  const body = bodyOf(request);
  const id = context.recorder.exchange({
    scenario: context.options.scenario,
    method: request.method,
    url: targetUrl(context.options.baseUrl, request.path),
    headers: shownHeaders(context.options, request),
    ...(body === undefined ? {} : { body }),
    answer,
    startedAt,
    durationMs: Math.round(performance.now() - start),
  });
  if (answer.kind === 'failure') return { ...answer, id } satisfies FailedExchange;
  const { status, headers, text, bytes } = answer;
  const isCut = outcome.kind === 'done' && outcome.value.cut === true;
  const read = createJsonReader(bytes, text);
  return {
    id,
    kind: 'response',
    status,
    headers,
    text,
    get json() {
      return read();
    },
    ...(isCut && { cut: true }),
  };
}

/** A time-out that was a shorter one says why. */
function withReason<T>(outcome: Outcome<T>, { patience }: HostRequest): Outcome<T> {
  if (patience === undefined || outcome.kind !== 'failure' || outcome.reason !== 'timeout') return outcome;
  return { ...outcome, message: `no complete answer within ${patience.ms} ms, ${patience.because}` };
}

function rawAnswer(outcome: Outcome<Received>): RawAnswer {
  if (outcome.kind === 'failure') return outcome;
  const { cut: _, ...received } = outcome.value;
  const { bytes } = received;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  return { kind: 'response', ...received, text };
}

function sendingOf({ sender, options }: Context, request: HostRequest): Omit<Sending, 'onStop'> {
  return {
    sender,
    url: targetUrl(options.baseUrl, request.path),
    method: request.method,
    headers: requestHeaders(options, request),
    body: bodyOf(request),
  };
}

async function receive(context: Context, request: HostRequest, { onStop, stopClock }: Time): Promise<Received> {
  const response = await sendFor({ ...sendingOf(context, request), onStop }, FREE_BYTES);
  const bytes =
    'bytes' in response
      ? response.bytes
      : await readOrLeave(response.body, { ...bodyBounds(context, request), stopClock });
  refuseEncoded(response, bytes);
  if (!asksForLog(request)) {
    context.allowance.spend(bytes.byteLength);
    refuseManyValues(bytes);
  }
  return { status: response.status, headers: response.headers, bytes };
}

/** Reads a body to its end; one that is too large is left, and its connection closed. */
async function readOrLeave(body: Readable, bounds: BodyBounds): Promise<Uint8Array> {
  try {
    return await readBody(body, bounds);
  } finally {
    body.destroy();
  }
}

/** A log may be long, and is not kept as it is. */
function bodyBounds({ limits, allowance, large }: Context, request: HostRequest): Omit<BodyBounds, 'stopClock'> {
  return { most: asksForLog(request) ? limits.maxLogBytes : allowance.bound(), large };
}

async function receiveStream(
  context: Context,
  request: HostRequest,
  reader: StreamReader,
  { onStop, stopClock }: Time,
): Promise<Received> {
  const { status, headers, body } = await open({ ...sendingOf(context, request), onStop });
  // Its reader takes what it needs of an event stream as it comes; an answer that is none is read when it is whole.
  const digested = isEventStream(headers) ? createDigested() : undefined;
  const gathered = digested ?? createGathered();
  const decoder = new TextDecoder();
  let isCut = false;
  try {
    refuseEncoded({ status, headers });
    if (reader.head(status, headers) === 'read') {
      await gatherInto(gathered, body, {
        bounds: { ...bodyBounds(context, request), stopClock },
        take: (chunk) => reader.text(decoder.decode(chunk, { stream: true })),
      });
    }
  } catch (error) {
    // A part of a refusal is no answer.
    if (gathered.length === 0 || !isSuccess(status)) throw error;
    isCut = true;
  } finally {
    body.destroy();
  }
  const whole = digested === undefined ? {} : { whole: { bytes: digested.length, sha256: digested.sha256() } };
  return { status, headers, bytes: gathered.bytes(), ...whole, ...(isCut && { cut: true }) };
}
