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
