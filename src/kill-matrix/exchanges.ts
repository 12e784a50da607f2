import type { HostParts } from '../../reference-host/index.ts';

type Fetch = Parameters<HostParts['middleware']>[0];
type Around = HostParts['forkEndpoint'];

/**
 * A function around requests that is asked beside the conformant one; `differs` is called at the first difference, with
 * the request and what it answered, where it did.
 */
export interface Beside {
  readonly around: Around;
  readonly isOpen: () => boolean;
  readonly differs: (requested?: Request, answer?: Answer) => void;
  /** Whether hosts are made to die, so that answers break off. */
  readonly hostsDie: boolean;
}

/**
 * A part that goes around the whole host, as one that is given with each request where that is sent on to. What else it reads,
 * it reads from the host; another request that may change something cannot be told from one of its own.
 */
export function aroundHost(middleware: HostParts['middleware'], host: Fetch): Around {
  const waysOn = new WeakMap<Request, Fetch>();
  const answer = middleware(async (sent) => (waysOn.get(sent) ?? reader(host))(sent));
  return (request, next) => {
    waysOn.set(request, next);
    return answer(request);
  };
}

function reader(host: Fetch): Fetch {
  return (sent) => {
    if (sent.method !== 'GET') throw new Error('asks for something else');
    return host(sent);
  };
}

/**
 * Answers a request by `next`, and shows it to functions around `next`, with the recorded answer in the place of a second
 * one. One that sends on what it got, once, and answers what it was answered makes no difference, whatever it has read
 * from the host beside that. `pending` holds those that are not through yet, each with what to do about one that never is.
 */
export async function answerBeside(
  request: Request,
  next: Fetch,
  { all, pending }: { readonly all: readonly Beside[]; readonly pending: Map<Promise<void>, () => void> },
): Promise<Response> {
  const open = all.filter(({ isOpen }) => isOpen());
  if (open.length === 0) return next(request);
  const body = request.body === null ? null : new Uint8Array(await request.arrayBuffer());
  const answer = (async () => next(copied({ request, body })))();
  const whole = answer.then((response) => recorded(response.clone())).catch(() => undefined);
  for (const each of open) {
    const checked = check(each, { request, body, next }, whole).finally(() => pending.delete(checked));
    pending.set(checked, () => each.differs());
  }
  return answer;
}

interface Requested {
  readonly request: Request;
  readonly body: Uint8Array<ArrayBuffer> | null;
  /** The host. */
  readonly next: Fetch;
}

/** An answer whose body was read. */
export interface Answer {
  readonly response: Response;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** Undefined where there was no answer, or it broke off. */
type Recorded = Answer | undefined;

async function check(
  { around, differs, hostsDie }: Beside,
  requested: Requested,
  answer: Promise<Recorded>,
): Promise<void> {
  const shown = shownTo(requested);
  let own: Given | undefined;
  try {
    const got = await around(shown, async (sent) => {
      if (own === undefined && (await isSame(sent, shown, requested))) {
        own = forOneReader(unbroken(await answer));
        return own.response;
      }
      return reader(requested.next)(sent);
    });
    const conformant = unbroken(await answer);
    if (got === own?.response && own.isUnread()) return;
    const answered = await recorded(got);
    // A reading may have been done anew, by a request of its own.
    const isRead = own !== undefined || requested.request.method === 'GET';
    if (!isRead || !isAlike(answered, conformant)) differs(requested.request, answered);
  } catch (error) {
    if (!(error instanceof BrokenOff) || !hostsDie) differs();
  }
}

/** The answer broke off. Where hosts die, that is their death; a client that left saw a part that may differ. */
class BrokenOff extends Error {}

async function isSame(sent: Request, shown: Request, { request, body }: Requested): Promise<boolean> {
  if (sent === shown && !sent.bodyUsed) return true;
  if (sent.url !== request.url || sent.method !== request.method) return false;
  if (!sameHeaders(sent.headers, request.headers, LENGTH)) return false;
  return sameBytes(new Uint8Array(await sent.arrayBuffer()), body ?? new Uint8Array());
}

function isAlike({ response, body }: Answer, given: Answer): boolean {
  if (response.status !== given.response.status || !sameHeaders(response.headers, given.response.headers)) return false;
  return sameBytes(body, given.body);
}

/** It is the same whenever the body is. */
const LENGTH = 'content-length';

function sameHeaders(a: Headers, b: Headers, without?: string): boolean {
  const text = (headers: Headers): string => JSON.stringify([...headers].filter(([name]) => name !== without));
  return text(a) === text(b);
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}

/** A request for one reader; what has no body can be read by many. */
function copied({ request, body }: Omit<Requested, 'next'>): Request {
  const { url, method, headers, signal } = request;
  return body === null ? request : new Request(url, { method, headers, signal, body });
}

/** What is read of a request without its body. */
const ASKED_HEAD: ReadonlySet<string | symbol> = new Set(['url', 'method', 'headers', 'signal']);

/** A request for a reader who may leave the body unread. Reading all of it at once needs no copy of the request; anything else makes one. */
function shownTo(requested: Requested): Request {
  const { request, body } = requested;
  if (body === null) return request;
  let isRead = false;
  let copy: Request | undefined;
  const once =
    <T>(read: () => T) =>
    async (): Promise<T> => {
      if (isRead) throw new TypeError('the body was read before');
      isRead = true;
      return read();
    };
  const atOnce = new Map<string | symbol, unknown>([
    ['arrayBuffer', once(() => body.slice().buffer)],
    ['text', once(() => new TextDecoder().decode(body))],
  ]);
  return new Proxy(request, {
    get: (_, name) => {
      if (ASKED_HEAD.has(name)) return memberOf(request, name);
      if (copy === undefined && name === 'bodyUsed') return isRead;
      if (copy === undefined && atOnce.has(name)) return atOnce.get(name);
      if (isRead) throw new TypeError('the body was read before');
      return memberOf((copy ??= copied(requested)), name);
    },
  });
}

function memberOf(object: object, name: string | symbol): unknown {
  const value: unknown = Reflect.get(object, name, object);
  return typeof value === 'function' ? value.bind(object) : value;
}

async function recorded(response: Response): Promise<Answer> {
  return { response, body: new Uint8Array(await response.arrayBuffer()) };
}

function unbroken(answer: Recorded): Answer {
  if (answer === undefined) throw new BrokenOff();
  return answer;
}

/** A recorded answer for one reader. */
interface Given {
  readonly response: Response;
  /** Whether it is as it was recorded: neither its body was read nor its headers changed. */
  readonly isUnread: () => boolean;
}

/** What is read of an answer without its body or its headers; `then` by whatever hands it on. */
const ANSWERED_HEAD: ReadonlySet<string | symbol> = new Set(['status', 'statusText', 'ok', 'then']);

/** Most look at the head alone: the headers, and the stream of a body, which costs more than all the rest, are made when they are asked for. */
function forOneReader({ response: recordedOne, body }: Answer): Given {
  const { status } = recordedOne;
  let own: Headers | undefined;
  let whole: Response | undefined;
  const ownHeaders = (): Headers => (own ??= new Headers(recordedOne.headers));
  const read = (): Response =>
    (whole ??= new Response(body.length === 0 ? null : body, { status, headers: ownHeaders() }));
  const response = new Proxy(recordedOne, {
    get: (_, name) => {
      if (name === 'headers') return whole?.headers ?? ownHeaders();
      return memberOf(ANSWERED_HEAD.has(name) ? recordedOne : read(), name);
    },
  });
  const isUnread = (): boolean => whole === undefined && (own === undefined || sameHeaders(own, recordedOne.headers));
  return { response, isUnread };
}
