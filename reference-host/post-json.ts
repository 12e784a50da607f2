import { boundedBytes } from './bounded-body.ts';

/** More than any honest answer to this host needs. */
const MAX_ANSWER_BYTES = 1_048_576;

/** What another server answered, or that it did not; nothing of its text is in `why`. */
export type Posted =
  | { readonly ok: true; readonly status: number; readonly text: string }
  | { readonly ok: false; readonly why: 'not an http address' | 'no answer' | 'answer too large' };

/** Sends JSON to another server, until the signal aborts. Never throws, and follows no redirect. */
export async function postJson(url: string, body: unknown, signal: AbortSignal): Promise<Posted> {
  if (!isHttp(url)) return { ok: false, why: 'not an http address' };
  try {
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
  } catch {
    return { ok: false, why: 'no answer' };
  }
}

/** Whether a text is the address of a server; fetch itself would also read `data:` addresses. */
function isHttp(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}
