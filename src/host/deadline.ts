import type { TransportFailure } from '../evidence/types.ts';
import { whenAborted } from './pause.ts';

const BY_CODE: Readonly<Record<string, TransportFailure>> = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'unresolvable',
  EAI_AGAIN: 'unresolvable',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  UND_ERR_DESTROYED: 'reset',
  UND_ERR_CLOSED: 'reset',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'headers-too-large',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'body-too-large',
  ERR_ANSWER_ENCODED: 'encoded',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'protocol',
  EPROTO: 'tls',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls',
};

/** What the HTTP client calls an interim answer 100 to a request that did not expect it, behind which it reads nothing. */
const BAD_RESPONSE = 'bad response';
export const INTERIM = 'an interim answer 100 (Continue) came, for which no request asked';

/** Names the reason of a failed exchange from the error that the HTTP client threw. */
export function transportFailure(error: unknown): { reason: TransportFailure; message: string } {
  const code = errorCode(error);
  const message = error instanceof Error && error.message !== '' ? error.message : code;
  return { reason: reasonOf(code, error), message: message === BAD_RESPONSE ? INTERIM : message };
}

function reasonOf(code: string, error: unknown): TransportFailure {
  const known = Object.hasOwn(BY_CODE, code) ? BY_CODE[code] : undefined;
  if (known !== undefined) return known;
  if (code.startsWith('CERT_') || code.startsWith('ERR_TLS') || code.startsWith('ERR_SSL')) return 'tls';
  if (error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError')) return 'aborted';
  return 'protocol';
}

function errorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return 'unknown';
  return typeof error.code === 'string' ? error.code : 'unknown';
}

export type Outcome<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'failure'; readonly reason: TransportFailure; readonly message: string };

/** Stops the time of one piece of work while it waits for its turn here, for which the host can do nothing; the answer goes on. */
export type StopClock = () => () => void;

/** What a piece of work can say about its time. */
export interface Time {
  /** Says what ends the work early; the last one said counts, and is done at once where the work is stopped already. */
  readonly onStop: (end: () => void) => void;
  readonly stopClock: StopClock;
}

/** A timer that comes so much too late was kept by this process, which heard no host meanwhile; in milliseconds. */
const KEPT_MS = 250;

/** Runs `work` until it ends, `deadline` (epoch milliseconds) passes or `outer` aborts; a failure is a value. */
export async function withDeadline<T>(
  outer: AbortSignal,
  deadline: number,
  work: (time: Time) => Promise<T>,
): Promise<Outcome<T>> {
  if (outer.aborted) return ABORTED;
  let end: (() => void) | undefined;
  let isStopped = false;
  let late = false;
  let until = deadline;
  /** What may be added for this process at most. */
  let grace = Math.max(0, until - Date.now());
  const stop = (): void => {
    isStopped = true;
    end?.();
  };
  const stopAfter = (ms: number): NodeJS.Timeout => {
    const due = Date.now() + Math.max(0, ms);
    const over = (): void => {
      const kept = Math.min(Date.now() - due, grace);
      if (kept > KEPT_MS) {
        grace -= kept;
        until += kept;
        timer = stopAfter(kept);
        return;
      }
      late = true;
      stop();
    };
    return setTimeout(over, Math.max(0, ms));
  };
  let ended = false;
  let timer = stopAfter(until - Date.now());
  const stopClock: StopClock = () => {
    const left = until - Date.now();
    clearTimeout(timer);
    return () => {
      if (!ended) timer = stopAfter(left);
    };
  };
  const onStop: Time['onStop'] = (ends) => {
    end = ends;
    if (isStopped) ends();
  };
  const forget = whenAborted(outer, stop);
  try {
    return { kind: 'done', value: await work({ onStop, stopClock }) };
  } catch (error) {
    if (late) return { kind: 'failure', reason: 'timeout', message: 'no complete answer within the time-out' };
    if (outer.aborted) return ABORTED;
    return { kind: 'failure', ...transportFailure(error) };
  } finally {
    ended = true;
    clearTimeout(timer);
    forget();
  }
}

const ABORTED = { kind: 'failure', reason: 'aborted', message: 'the scenario was stopped' } as const;
