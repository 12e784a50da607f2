import { inspect } from 'node:util';
import type { Dispatcher } from 'undici';

/** A host that is called in this process: it gets a request and gives its answer, as a server of the Fetch API does. */
export type FetchHandler = (request: Request) => Response | Promise<Response>;

/** What sends a request and hands its answer on. */
export type Sender = Pick<Dispatcher, 'dispatch'>;

/**
 * Sends requests to a function in the place of a socket. What the function throws counts as a connection that broke off, and what it
 * returns and is no whole answer as one that cannot be read; its body is read as fast as the reader takes it, and cancelled with the
 * request.
 */
export function createFetchDispatcher(fetch: FetchHandler): Sender {
  return {
    dispatch: (options, handler) => {
      void serve(fetch, options, handler);
      return true;
    },
  };
}

async function serve(
  fetch: FetchHandler,
  { origin, path, method, headers, body }: Dispatcher.DispatchOptions,
  handler: Dispatcher.DispatchHandler,
): Promise<void> {
  const way = new Way();
  try {
    handler.onRequestStart?.(way, {});
    const request = new Request(`${String(origin)}${path}`, {
      method,
      headers: headers as Record<string, string>,
      ...(body === undefined ? {} : { body: body as string | Uint8Array<ArrayBuffer> }),
      signal: way.signal,
    });
    const answer = answerIn(await way.unlessAborted(Promise.resolve(fetch(request))));
    handler.onResponseStart?.(way, answer.status, answer.headers);
    await handOn(answer.body, way, handler);
    handler.onResponseEnd?.(way, {});
  } catch (error) {
    handler.onResponseError?.(way, way.reason ?? brokenOff(error));
  }
}

/** What a function returned that is no answer of a host. */
class NoAnswer extends Error {
  readonly code = 'ERR_INVALID_RETURN_VALUE';
}

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: ReadableStream<unknown> | null;
}

/** A Response, of whichever realm: what a function without types returns may be anything. */
function isResponse(returned: unknown): returned is Response {
  if (typeof returned !== 'object' || returned === null) return false;
  const { status, headers, body } = returned as Partial<Record<keyof Response, unknown>>;
  const isReadable = typeof body === 'object' && (body === null || 'getReader' in body);
  return Number.isInteger(status) && typeof headers === 'object' && isReadable;
}

/** Throws NoAnswer where it is none; behind a status below 200 another one would have to come. */
function answerIn(returned: unknown): Answer {
  if (!isResponse(returned)) throw new NoAnswer("the target's fetch returned no Response");
  const { status, headers, body } = returned;
  if (status < 200) {
    const what = status === 0 ? 'a network error (Response.error()) or an opaque Response' : `only status ${status}`;
    throw new NoAnswer(`the target's fetch returned ${what}`);
  }
  return { status, headers: Object.fromEntries(new Headers(headers)), body };
}

async function handOn(body: Answer['body'], way: Way, handler: Dispatcher.DispatchHandler): Promise<void> {
  if (body === null) return;
  const reader = body.getReader();
  try {
    for (;;) {
      await way.open();
      const { done, value } = await way.unlessAborted(reader.read());
      if (done) return;
      if (!ArrayBuffer.isView(value)) throw new NoAnswer("the target's fetch returned a body that is not of bytes");
      // Empty ones without end would keep every timer from its turn.
      if (value.byteLength === 0) await new Promise((resolve) => setImmediate(resolve));
      handler.onResponseData?.(way, Buffer.from(value.buffer, value.byteOffset, value.byteLength));
    }
  } catch (error) {
    reader.cancel(error).catch(() => undefined);
    throw error;
  }
}

function brokenOff(error: unknown): Error {
  if (error instanceof NoAnswer) return error;
  const message = error instanceof Error ? error.message : inspect(error);
  return Object.assign(new Error(message, { cause: error }), { code: 'ECONNRESET' });
}

/** One request under way: it may be held up by its reader, and aborted. */
class Way implements Dispatcher.DispatchController {
  readonly #controller = new AbortController();
  readonly #aborted: Promise<never>;
  /** Lets the answer go on; undefined while nobody holds it up. */
  #resume: (() => void) | undefined;
  #held: Promise<void> = Promise.resolve();

  constructor() {
    this.#aborted = new Promise((_, reject) => {
      this.signal.addEventListener('abort', () => reject(this.signal.reason as Error), { once: true });
    });
    this.#aborted.catch(() => undefined);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get aborted(): boolean {
    return this.signal.aborted;
  }

  get paused(): boolean {
    return this.#resume !== undefined;
  }

  get reason(): Error | null {
    return this.aborted ? (this.signal.reason as Error) : null;
  }

  abort(reason: Error): void {
    this.#controller.abort(reason);
  }

  pause(): void {
    if (this.paused) return;
    this.#held = new Promise((resolve) => {
      this.#resume = resolve;
    });
  }

  resume(): void {
    this.#resume?.();
    this.#resume = undefined;
  }

  /** Resolves when the reader takes more; rejects when the request is aborted. */
  open(): Promise<void> {
    return this.unlessAborted(this.#held);
  }

  /** What comes, unless the request was aborted: of what is there already, the first one named counts. */
  unlessAborted<T>(promise: Promise<T>): Promise<T> {
    return Promise.race([this.#aborted, promise]);
  }
}
