import type { Dispatcher } from 'undici';

/** A host that is called in this process: it gets a request and gives its answer, as a server of the Fetch API does. */
export type FetchHandler = (request: Request) => Response | Promise<Response>;

/** What sends a request and hands its answer on. */
export type Sender = Pick<Dispatcher, 'dispatch'>;

/**
 * Sends requests to a function in the place of a socket. What the function throws counts as a connection that broke off; its
 * body is read as fast as the reader takes it, and cancelled with the request.
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
    const answer = await way.unlessAborted(Promise.resolve(fetch(request)));
    handler.onResponseStart?.(way, answer.status, fieldsOf(answer.headers), answer.statusText);
    await handOn(answer, way, handler);
    handler.onResponseEnd?.(way, {});
  } catch (error) {
    handler.onResponseError?.(way, way.reason ?? brokenOff(error));
  }
}

async function handOn({ body }: Response, way: Way, handler: Dispatcher.DispatchHandler): Promise<void> {
  if (body === null) return;
  const reader = body.getReader();
  try {
    for (;;) {
      await way.open();
      const { done, value } = await way.unlessAborted(reader.read());
      if (done) return;
      handler.onResponseData?.(way, Buffer.from(value.buffer, value.byteOffset, value.byteLength));
    }
  } catch (error) {
    reader.cancel(error).catch(() => undefined);
    throw error;
  }
}

function fieldsOf(headers: Headers): Record<string, string> {
  return Object.fromEntries(headers);
}

function brokenOff(error: unknown): Error {
  const message = error instanceof Error ? error.message : String(error);
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

  /** What comes, unless the request is aborted first. */
  unlessAborted<T>(promise: Promise<T>): Promise<T> {
    return Promise.race([promise, this.#aborted]);
  }
}
