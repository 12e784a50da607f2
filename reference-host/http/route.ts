import type { Scope } from '../credentials.ts';

/** A request that has been routed. */
export interface Call {
  readonly request: Request;
  /** The path's variables, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Whose credential the request carries; empty on a public route. */
  readonly tenant: string;
}

/** One operation of the host, as data: routing, authorisation and openapi.json are all made from it. */
export interface Route {
  readonly method: 'GET' | 'POST';
  /** In OpenAPI's form, such as `/v1/runs/{runId}:fork`. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  /** Who may call it: anybody, any credential (an empty list), or a credential with all these scopes. */
  readonly access: 'public' | readonly Scope[];
  /** Query parameters, each with its meaning. */
  readonly query?: Readonly<Record<string, string>>;
  /** The status codes that the operation itself answers, each with its meaning. */
  readonly answers: Readonly<Record<number, string>>;
  readonly handle: (call: Call) => Response | Promise<Response>;
}
