import { boundedBytes } from './bounded-body.ts';

/** More than any honest answer to this host needs. */
const MAX_ANSWER_BYTES = 1_048_576;

export interface JsonRequest {
  readonly method: string;
  readonly url: string;
  /** The JSON body; none where it is undefined. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** How long the whole exchange may take, in milliseconds. */
  readonly patienceMs: number;
  /** Breaks the exchange off when it aborts. */
  readonly closing?: AbortSignal;
}

/** What another server answered, or that it did not; nothing of its text is in `why`. */
export type JsonAnswer =
  | { readonly ok: true; readonly status: number; readonly text: string }
  | { readonly ok: false; readonly why: 'not an http address' | 'no answer' | 'answer too large' };

/** Asks another server in JSON. Never throws, and follows no redirect. */
export async function askJson(request: JsonRequest): Promise<JsonAnswer> {
  const { url, patienceMs, closing } = request;
  if (!isHttp(url)) return { ok: false, why: 'not an http address' };
  const abort = new AbortController();
  const stop = (): void => abort.abort();
  const timer = setTimeout(stop, patienceMs);
  closing?.addEventListener('abort', stop);
  if (closing?.aborted === true) stop();
  try {
    return await exchange(request, abort.signal);
  } catch {
    return { ok: false, why: 'no answer' };
  } finally {
    clearTimeout(timer);
    closing?.removeEventListener('abort', stop);
  }
}

async function exchange({ method, url, body, headers }: JsonRequest, signal: AbortSignal): Promise<JsonAnswer> {
  const json = body === undefined ? {} : { 'content-type': 'application/json' };
  const response = await fetch(url, {
    method,
    headers: { accept: 'application/json', ...json, ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    redirect: 'error',
    signal,
  });
  const bytes = await boundedBytes(response, MAX_ANSWER_BYTES);
  if (bytes !== undefined) return { ok: true, status: response.status, text: Buffer.from(bytes).toString('utf8') };
  // Where the rest cannot be called off any more, it has come to an end by itself.
  await response.body?.cancel().catch(() => undefined);
  return { ok: false, why: 'answer too large' };
}

/** fetch itself would also read `data:` addresses. */
function isHttp(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}
