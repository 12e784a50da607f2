/** What HTTP statuses say on this wire, once for all suites (wire-contract, Endpoints; RFC 9110 §15). */

/** The moment or the way to the host was wrong: nobody looked at what was requested. */
const ANOTHER_TIME: ReadonlySet<number> = new Set([408, 425, 429, 502, 503, 504]);
/** The credential was wrong. */
const ANOTHER_CALLER: ReadonlySet<number> = new Set([401, 403]);
/** There is no such route. */
const NO_ROUTE: ReadonlySet<number> = new Set([404, 405, 501]);

/**
 * What a request was made to find out: how the host refuses (`refusal`), what it does for a caller who may do it
 * (`action`), or how it reads a body at a route that may not be there (`body`).
 */
export type About = 'refusal' | 'action' | 'body';

/** Whether a status says nothing about what a request was made to find out: redirects are not followed. */
export function saysNothing(status: number, about: About): boolean {
  if (isForAnotherTime(status) || isRedirect(status)) return true;
  if (about === 'refusal') return false;
  return ANOTHER_CALLER.has(status) || (about === 'body' && NO_ROUTE.has(status));
}

export function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status <= 299;
}

/** The host cannot answer now, and may at another time. */
export function isForAnotherTime(status: number): boolean {
  return ANOTHER_TIME.has(status);
}

export function isRedirect(status: number): boolean {
  return status >= 300 && status <= 399;
}

/** A status in words; of a redirect, where it leads. */
export function statusText(status: number, location: string | undefined): string {
  if (!isRedirect(status)) return `${status}`;
  return `${status}, to ${location ?? 'nowhere'}: redirects are not followed`;
}

export function isClientError(status: number): boolean {
  return status >= 400 && status <= 499;
}

/** The host looked at what was requested, and failed over it. */
export function isServerError(status: number): boolean {
  return status >= 500 && status !== 501 && !isForAnotherTime(status);
}

/** A gateway answered in the place of the host. */
export function isGatewayError(status: number): boolean {
  return status >= 502 && status <= 504;
}

/** The credential is missing, is unknown or lacks a scope. */
export function isAboutCaller(status: number): boolean {
  return ANOTHER_CALLER.has(status);
}

/** The host has no such route, given that what the path names exists. */
export function isNoRoute(status: number): boolean {
  return NO_ROUTE.has(status);
}

/** What is there is not given in the form that was asked for, or there is nothing. */
export function isNoForm(status: number): boolean {
  return NO_ROUTE.has(status) || status === 400 || status === 406 || status === 415;
}

/** The host has no such route or no longer has what was there. */
export function isAbsent(status: number): boolean {
  return NO_ROUTE.has(status) || status === 410;
}

/** A run is refused because the host does not know its workflow. */
export function isUnknownWorkflow(status: number): boolean {
  return status === 404 || status === 400 || status === 422;
}

/** There is no such run. */
export function isUnknownRun(status: number): boolean {
  return status === 404 || status === 400 || status === 410;
}

/** The host cannot take what was sent as it stands: 400, or 422 for what is well-formed and means nothing. */
export function isMalformed(status: number | null): boolean {
  return status === 400 || status === 422;
}

/** The range of events that a fork needs has expired (replay.md, Retention; readings: 410 or 422). */
export function isExpired(status: number): boolean {
  return status === 410 || status === 422;
}

/** A duplicate is still being worked on: the same request may be sent again. */
export function isInFlight(status: number): boolean {
  return status === 409 || status === 425 || status === 429;
}

/** What was requested may be there a little later. */
export function isNotYet(status: number): boolean {
  return status === 202 || status === 404 || status === 409 || status === 425;
}
