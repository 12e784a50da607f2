import { CREDENTIAL_VARIABLES } from '../evidence/curl.ts';
import type { FetchHandler } from '../host/fetch-dispatcher.ts';

type Credential = keyof typeof CREDENTIAL_VARIABLES;

/** Whom a run is about, and with which credentials. Credentials live here and in request headers only. */
export interface Target {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  /** The same host's second tenant. */
  readonly tenantBKey: string | undefined;
  /** A credential of the same host and tenant that may read runs but not create them. */
  readonly limitedKey?: string | undefined;
  /** A credential of the same host and tenant that may not read runs. */
  readonly blindKey?: string | undefined;
  readonly baseUrlB: string | undefined;
  readonly apiKeyB: string | undefined;
  /** The host under test and the second one where they are called in this process, in the place of sockets. */
  readonly fetch?: FetchHandler | undefined;
  readonly fetchB?: FetchHandler | undefined;
  /** The environment variables that stand for the credentials in commands to paste, where they have other names. */
  readonly variables?: { readonly [Which in Credential]?: string };
}

/** The environment variable that stands for a credential in evidence and in commands to paste. */
export function variableOf({ variables }: Pick<Target, 'variables'>, which: Credential): string {
  return variables?.[which] ?? CREDENTIAL_VARIABLES[which];
}

/** Every credential of a run, for its redactor. */
export function credentialsOf({ apiKey, tenantBKey, limitedKey, blindKey, apiKeyB }: Target): readonly string[] {
  return [apiKey, tenantBKey, limitedKey, blindKey, apiKeyB].filter((key) => key !== undefined);
}

/** The hosts of a target that are called in this process, by their base URLs. */
export function inProcess({ baseUrl, fetch, baseUrlB, fetchB }: Target): ReadonlyMap<string, FetchHandler> {
  const hosts = new Map<string, FetchHandler>();
  if (fetch !== undefined) hosts.set(baseUrl, fetch);
  if (fetchB !== undefined && baseUrlB !== undefined) hosts.set(baseUrlB, fetchB);
  return hosts;
}
