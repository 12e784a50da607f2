import type { JsonObject } from '../json.ts';

/** An answer before it becomes a Response: small enough to be stored for idempotent duplicates. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A refusal in the canonical envelope: exactly error, message and, where there are any, details. */
export function refusal(status: number, error: string, message: string, details?: JsonObject): Answer {
  return { status, body: { error, message, ...(details === undefined ? {} : { details }) } };
}

/** 400 for a request that is not what the endpoint takes. */
export function invalid(message: string): Answer {
  return refusal(400, 'validation_error', message);
}

/** The same answer for a run that does not exist and for one of another tenant: nothing tells them apart. */
export function runNotFound(): Answer {
  return refusal(404, 'run_not_found', 'There is no such run.');
}

/** The JSON response of an answer. Nothing but discovery may be cached. */
export function respond({ status, body, headers }: Answer): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
  });
}
