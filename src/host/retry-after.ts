import { isGatewayError } from '../protocol/status.ts';

/**
 * How long a 429 or 503 asks to wait, in milliseconds (RFC 9110 §10.2.3: seconds or an HTTP date); undefined for any
 * other status, an absent or an unreadable header.
 */
export function retryAfterMs(
  status: number,
  headers: Readonly<Record<string, string>>,
  now: number,
): number | undefined {
  if (status !== 429 && status !== 503) return undefined;
  const value = headers['retry-after']?.trim();
  if (value === undefined || value === '') return undefined;
  if (/^\d{1,9}$/u.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** How often a request is sent again after an answer that does not say when. */
const TURNS = 6;
/** How many requests are put off to the last before others are given up at once. */
const IN_VAIN = 3;
const TURN_MS = 100;

/** An answer that may put a request off. */
interface PutOff {
  readonly status: number;
  /** How long the host asks to wait, in milliseconds; absent where it does not say. */
  readonly requestedMs?: number | undefined;
  /** Whether the request changes nothing, so that it may come again whatever was made of it. */
  readonly isReading?: boolean;
}

/** Whether an answer that does not say when puts a request off: it was turned away, or a gateway answered to a reading. */
export function isPutOff({ status, isReading = false }: PutOff): boolean {
  return status === 429 || (isReading && isGatewayError(status));
}

/** The patience with a host that puts requests of one caller off (429, 503 with Retry-After). */
export interface Patience {
  /** How long to wait before the next of so many tries, in milliseconds; undefined where there is none. */
  pauseMs(answered: PutOff, tries: number): number | undefined;
  /** A request was put off until its time was over. */
  putOff(): void;
  /** A request was taken: others may be, too. */
  taken(): void;
}

/** A request that was turned away with 429 was not carried out, so that it may come again, a POST too. */
export function createPatience(): Patience {
  let [untimed, putOff] = [0, 0];
  return {
    pauseMs: (answered, tries) => {
      if (answered.requestedMs !== undefined) return putOff < IN_VAIN ? answered.requestedMs : undefined;
      if (!isPutOff(answered) || untimed >= IN_VAIN) return undefined;
      if (tries <= TURNS) return tries * TURN_MS;
      untimed += 1;
      return undefined;
    },
    putOff: () => void (putOff += 1),
    taken: () => void (putOff = 0),
  };
}
