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

/** How often a request is sent again after a 429 that does not say when. */
const TURNS = 6;
/** How many such requests are turned away to the last before others are given up at once. */
const IN_VAIN = 3;
const TURN_MS = 100;

/** The patience with a host that turns requests away with 429 and does not say when they may come again. */
export interface Untimed {
  /** How long to wait before the next of so many tries, in milliseconds; undefined where there is none. */
  pauseMs(status: number, tries: number): number | undefined;
}

/** A request that was turned away was not carried out, so that it may come again, a POST too. */
export function createUntimed(): Untimed {
  let inVain = 0;
  return {
    pauseMs: (status, tries) => {
      if (status !== 429 || inVain >= IN_VAIN) return undefined;
      if (tries <= TURNS) return tries * TURN_MS;
      inVain += 1;
      return undefined;
    },
  };
}
