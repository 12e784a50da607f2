import type { Exchange, HostRequest, StreamReader } from './client.ts';

/** One credential's view of one host, as a scenario drives it. */
export interface HostHandle {
  readonly baseUrl: string;
  /** Sends one request; never throws for anything the host does. */
  exchange(request: HostRequest): Promise<Exchange>;
  /**
   * Sends one request and hands the response on as it arrives; resolves when the host or the reader ends it, or after
   * the time-out. The exchange keeps the part of the body that was read.
   */
  stream(request: HostRequest, reader: StreamReader): Promise<Exchange>;
}

/** What a scenario drives with. Everything sent through it is recorded. */
export interface Probe {
  readonly host: HostHandle;
  /** The same host under the second tenant's credential, where one was given. */
  readonly otherTenant: HostHandle | undefined;
  /** The second host, where one was given. */
  readonly hostB: HostHandle | undefined;
  /** The run's one request for the discovery document. */
  readonly discoveryExchange: Exchange;
  /** The document that it gave, or undefined where it could not be read. */
  readonly discovery: unknown;
  /** How many requests the scenario may have under way at once. */
  readonly concurrency: number;
  /** Milliseconds that one exchange may take. */
  readonly timeoutMs: number;
  /** Aborted when the scenario's time is up or the run is interrupted. */
  readonly signal: AbortSignal;
}
