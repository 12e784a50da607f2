import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { Time } from './deadline.ts';
import type { Sender } from './fetch-dispatcher.ts';
import { flatHeaders } from './request.ts';

/** What is sent, and how. */
export interface Sending {
  readonly sender: Sender;
  readonly url: string;
  readonly method: Dispatcher.HttpMethod;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  readonly onStop: Time['onStop'];
}

interface Head {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** An answer whose body is on its way. The reader destroys the body where it does not end it. */
type Opened = Head & { readonly body: Readable };

/** Sends one request and gives the answer's head and body; rejects as `sendFor` does. */
export function open(sending: Sending): Promise<Opened> {
  return new Promise((resolve, reject) => dispatch(sending, { head: bodyFor(resolve), reject }));
}

/**
 * Sends one request; an answer that declares at most so many bytes comes whole, of all others the body is there to be
 * read. Rejects with what the HTTP client throws, or as soon as it is stopped. The handlers of `dispatch` cost half of what
 * `request` does, which makes a stream of each answer.
 */
export function sendFor(
  sending: Sending,
  wholeUpTo: number,
): Promise<Opened | (Head & { readonly bytes: Uint8Array })> {
  return new Promise((resolve, reject) => {
    const asBody = bodyFor(resolve);
    const whole = (head: Head): Taker => {
      const chunks: Buffer[] = [];
      return {
        data: (chunk) => (chunks.push(chunk), true),
        end: () => resolve({ ...head, bytes: Buffer.concat(chunks) }),
        fail: reject,
      };
    };
    const head: Receiver['head'] = (answer, controller) =>
      declaresAtMost(answer.headers, wholeUpTo) ? whole(answer) : asBody(answer, controller);
    dispatch(sending, { head, reject });
  });
}

/** What takes a body; `data` says whether more may come at once. */
interface Taker {
  data(chunk: Buffer): boolean;
  end(): void;
  fail(error: Error): void;
}

interface Receiver {
  readonly head: (head: Head, controller: Dispatcher.DispatchController) => Taker;
  readonly reject: (error: Error) => void;
}

function bodyFor(resolve: (opened: Opened) => void): Receiver['head'] {
  return (head, controller) => {
    const body = bodyOf(controller);
    resolve({ ...head, body });
    return {
      data: (chunk) => body.push(chunk),
      end: () => void body.push(null),
      fail: (error) => void body.destroy(error),
    };
  };
}

function dispatch({ sender, url, onStop, ...sending }: Sending, { head, reject }: Receiver): void {
  const { method, headers, body } = sending;
  const options = { ...placeOf(url), method, headers, ...(body === undefined ? {} : { body }) };
  let isStopped = false;
  let taker: Taker | undefined;
  onStop(() => {
    isStopped = true;
    reject(stopped());
  });
  if (isStopped) return;
  sender.dispatch(options, {
    onRequestStart: (controller) => {
      if (isStopped) controller.abort(stopped());
      else onStop(() => controller.abort(stopped()));
    },
    onResponseStart: (controller, status, fields) => {
      if (status >= 200) taker = head({ status, headers: flatHeaders(fields) }, controller);
    },
    onResponseData: (controller, chunk) => {
      if (taker?.data(chunk) === false) controller.pause();
    },
    onResponseEnd: () => taker?.end(),
    onResponseError: (_, error) => {
      taker?.fail(error);
      reject(error);
    },
  });
}

interface Place {
  readonly origin: string;
  readonly path: string;
}

let last: { readonly url: string; readonly place: Place } | undefined;

/** An absolute URL as its origin and path. Thousands of requests in a row may go to one. */
function placeOf(url: string): Place {
  if (last?.url !== url) {
    const { origin, pathname, search } = new URL(url);
    last = { url, place: { origin, path: pathname + search } };
  }
  return last.place;
}

/** Made when it is needed: an error notes the stack, which costs more than the rest of a request. */
function stopped(): Error {
  return new Error('stopped');
}

/** Whether an answer says that it is short. Where it is not, the HTTP client fails. */
function declaresAtMost(headers: Head['headers'], bytes: number): boolean {
  const length = headers['content-length'] ?? '';
  return /^\d{1,9}$/u.test(length) && Number(length) <= bytes;
}

function bodyOf(controller: Dispatcher.DispatchController): Readable {
  const body = new Readable({
    read: () => controller.resume(),
    destroy: (error, done) => {
      controller.abort(error ?? new Error('enough was read'));
      done(error);
    },
  });
  // A body that nobody reads any more may be destroyed with an error, which nobody would hear.
  return body.on('error', () => undefined);
}
