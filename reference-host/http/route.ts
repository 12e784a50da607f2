import type { Scope } from '../credentials.ts';
import type { WorkflowCatalogue } from '../engine/catalogue.ts';
import type { RunService } from '../engine/run-service.ts';
import type { HostParts } from '../parts.ts';
import type { Redactor } from '../privacy/redactor.ts';
import type { RunSecrets } from '../privacy/run-secrets.ts';
import type { Store } from '../store/store.ts';
import type { Quota, TenantLimits } from './limits.ts';

/** What the routes of one host work with. */
export interface Host {
  readonly parts: HostParts;
  readonly store: Store;
  readonly runs: RunService;
  readonly workflows: WorkflowCatalogue;
  readonly secrets: RunSecrets;
  readonly redactor: Redactor;
  readonly limits: TenantLimits;
  /** How many streams and waiting polls each tenant has open. */
  readonly streams: Quota;
}

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
  readonly method: 'GET' | 'POST' | 'DELETE';
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
