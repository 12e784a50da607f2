/** Whom a run is about, and with which credentials. Credentials live here and in request headers only. */
export interface Target {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  /** The same host's second tenant. */
  readonly tenantBKey: string | undefined;
  readonly baseUrlB: string | undefined;
  readonly apiKeyB: string | undefined;
}
