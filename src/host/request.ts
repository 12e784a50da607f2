import { isLogPath } from '../protocol/paths.ts';
import type { HandleOptions, HostRequest } from './client.ts';

/** The absolute URL of a request: always below the base URL, so never at another origin. */
export function targetUrl(baseUrl: string, path: string): string {
  if (!path.startsWith('/')) throw new Error(`a request path must begin with "/": ${path}`);
  return (baseUrl.endsWith('/') ? baseUrl.replace(/\/+$/u, '') : baseUrl) + path;
}

/** Whether a request asks for a run's log (wire-contract, Endpoints). */
export function asksForLog({ method, path }: HostRequest): boolean {
  return method === 'GET' && isLogPath(path);
}

/** A header that a request gives, whatever its case. */
export function headerOf({ headers = {} }: HostRequest, name: string): string | undefined {
  return Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
}

/** Whether an answer's headers announce an event stream. */
export function isEventStream(headers: Readonly<Record<string, string>>): boolean {
  return /^text\/event-stream\b/iu.test(headers['content-type'] ?? '');
}

/** What is sent as the body: a text or bytes; undefined where there is none. */
export function bodyOf({ body, bytes }: HostRequest): string | Uint8Array | undefined {
  return bytes ?? body;
}

/** The headers of a request in lower case; the credential goes in here and nowhere else. */
export function requestHeaders(options: HandleOptions, request: HostRequest): Record<string, string> {
  const headers: Record<string, string> = {
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': 'openwop-conformance',
  };
  if (bodyOf(request) !== undefined) headers['content-type'] = 'application/json';
  if (options.credential !== undefined && request.anonymous !== true) {
    headers['authorization'] = `Bearer ${options.credential}`;
  }
  for (const [name, value] of Object.entries(request.headers ?? {})) headers[name.toLowerCase()] = value;
  return headers;
}

/** The same for evidence: the credential's variable stands where the credential was. */
export function shownHeaders(options: HandleOptions, request: HostRequest): Record<string, string> {
  return requestHeaders(
    { ...options, credential: options.credential === undefined ? undefined : `$${options.variable}` },
    request,
  );
}

/** Response headers with repeated ones joined, keyed in lower case and safe against `__proto__`. */
export function flatHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Readonly<Record<string, string>> {
  const flat: [name: string, value: string][] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat.push([name.toLowerCase(), typeof value === 'string' ? value : value.join(', ')]);
  }
  return Object.fromEntries(flat);
}
