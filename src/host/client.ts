import type { JsonExcess } from '../evidence/json-depth.ts';
import type { TransportFailure } from '../evidence/types.ts';
import type { Lean } from './log/lean.ts';

export interface HostRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path below the base URL, beginning with `/`. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body's text, sent as UTF-8 `application/json` unless headers say otherwise. */
  readonly body?: string;
  /** The body's bytes, in the place of a text, for what no text can say. */
  readonly bytes?: Uint8Array;
  /** Leave the credential out of this request. */
  readonly anonymous?: boolean;
  /** Send again when the connection was reset or a gateway answered: for requests without a side effect. GET is always repeatable. */
  readonly repeatable?: boolean;
  /** Ends the request before its time-out, with the scenario's own signal. */
  readonly signal?: AbortSignal;
  /** A time-out of its own, in milliseconds, and why it is shorter. */
  readonly patience?: { readonly ms: number; readonly because: string };
}

/** How a response body reads as JSON: its value, why it is none, or which bound of ours it goes beyond. */
export type JsonReading = { readonly ok: true; readonly value: unknown } | NoJson | JsonBeyond;

interface NoJson {
  readonly ok: false;
  readonly why: 'empty' | 'invalid-utf8' | 'malformed-json';
  readonly message: string;
}

/** A body that was not read, and may well be JSON. */
export interface JsonBeyond {
  readonly ok: false;
  readonly why: JsonExcess;
  readonly message: string;
}

/** An exchange that gave no usable response. */
export interface FailedExchange {
  readonly id: string;
  readonly kind: 'failure';
  readonly reason: TransportFailure;
  readonly message: string;
  /** There where the way by which a log was asked for has never answered at this host, and was waited for no longer. */
  readonly mute?: true;
}

/** One finished exchange: `id` points at its line in the evidence. */
export type Exchange =
  | {
      readonly id: string;
      readonly kind: 'response';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly text: string;
      readonly json: JsonReading;
      /** There where the host put the request off with 503 before, which it may have carried out all the same. */
      readonly again?: true;
      /** There where a stream failed, or was left for a bound of ours, before its end: what follows was not seen. */
      readonly cut?: true;
    }
  | FailedExchange;

/** What a streamed response is told to: the head first, then decoded text; `done` says that enough was read. */
export interface StreamReader {
  head(status: number, headers: Readonly<Record<string, string>>): 'read' | 'stop';
  text(chunk: string): 'more' | 'done';
}

/** One credential's view of one host, as a scenario drives it. */
export interface HostHandle {
  readonly baseUrl: string;
  /** The name of the credential and of the host, where there may be others of them. */
  readonly caller?: string;
  /** What is known of the streams that this caller reads. */
  readonly lean?: Lean;
  /** Sends one request; never throws for anything the host does. */
  exchange(request: HostRequest): Promise<Exchange>;
  /**
   * Sends one request and hands the response on as it arrives; resolves when the host or the reader ends it, or after
   * the time-out. The exchange keeps the part of the body that was read.
   */
  stream(request: HostRequest, reader: StreamReader): Promise<Exchange>;
}

/** Bounds of everything that a host may send. */
export interface Limits {
  readonly timeoutMs: number;
  readonly maxBodyBytes: number;
  /** The same for an answer that holds a run's log. */
  readonly maxLogBytes: number;
  readonly maxHeaderBytes: number;
}

export const DEFAULT_BODY_BYTES = 8 * 1024 * 1024;
export const DEFAULT_LOG_BYTES = 16 * 1024 * 1024;
export const DEFAULT_HEADER_BYTES = 64 * 1024;

/** Where a handle's requests go and what they carry. */
export interface HandleOptions {
  readonly baseUrl: string;
  readonly credential: string | undefined;
  /** The environment variable that stands for the credential in evidence and in commands to paste. */
  readonly variable: string;
  readonly scenario: string;
  readonly signal: AbortSignal;
}

/** The connections of one run, shared by its handles. Close it when the run is over. */
export interface HostClient {
  handle(options: HandleOptions): HostHandle;
  close(): Promise<void>;
}
