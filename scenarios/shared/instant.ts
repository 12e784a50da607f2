/** A time of ISO 8601 with its zone. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/u;

/** The instant that a text names, in milliseconds; undefined for anything else, a time without its zone among it. */
export function instantOf(time: unknown): number | undefined {
  if (typeof time !== 'string' || !INSTANT.test(time)) return undefined;
  const instant = Date.parse(time);
  return Number.isNaN(instant) ? undefined : instant;
}
