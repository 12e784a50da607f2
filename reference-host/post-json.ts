import { boundedBytes } from './bounded-body.ts';

/** More than any honest answer to this host needs. */
const MAX_ANSWER_BYTES = 1_048_576;

export interface Post {
  readonly url: string;
  readonly body: unknown;
  /** How long the whole exchange may take, in milliseconds. */
  readonly patienceMs: number;
  /** Breaks the exchange off when it aborts. */
  readonly closing: AbortSignal;
}

/** What another server answered, or that it did not; nothing of its text is in `why`. */
export type Posted =
  | { readonly ok: true; readonly status: number; readonly text: string }
  | { readonly ok: false; readonly why: 'not an http address' | 'no answer' | 'answer too large' };

/** Sends JSON to another server. Never throws, and follows no redirect. */
export async function postJson(post: Post): Promise<Posted> {
  if (!isHttp(post.url)) return { ok: false, why: 'not an http address' };
  const abort = new AbortController();
  const stop = (): void => abort.abort();
  const timer = setTimeout(stop, post.patienceMs);
  post.closing.addEventListener('abort', stop);
  if (post.closing.aborted) stop();
  try {
    return await exchange(post, abort.signal);
  } catch {
    return { ok: false, why: 'no answer' };
  } finally {
    clearTimeout(timer);
    post.closing.removeEventListener('abort', stop);
  }
}

async function exchange({ url, body }: Post, signal: AbortSignal): Promise<Posted> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
    redirect: 'error',
    signal,
  });
  const bytes = await boundedBytes(response, MAX_ANSWER_BYTES);
  if (bytes !== undefined) return { ok: true, status: response.status, text: Buffer.from(bytes).toString('utf8') };
  await response.body?.cancel();
  return { ok: false, why: 'answer too large' };
}

/** fetch itself would also read `data:` addresses. */
function isHttp(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}
