const DATE = /^\d{4}-\d\d-\d\d$/u;

const CLOCK = /(?<hour>[01]\d|2[0-3]):(?<minute>[0-5]\d):(?<second>[0-5]\d|60)(?:\.\d+)?/u;
const ZONE = /z|(?<sign>[+-])(?<zoneHour>[01]\d|2[0-3])(?::?(?<zoneMinute>[0-5]\d))?/u;
const DATE_TIME = new RegExp(`^(?<date>\\S{10})[t\\s]${CLOCK.source}(?:${ZONE.source})$`, 'iu');

/** The minute of a day, in UTC, that a leap second prolongs: 23:59. */
const LAST_MINUTE = 24 * 60 - 1;

/** `date` of JSON Schema: a day of RFC 3339 that the calendar has. */
export function isDate(text: string): boolean {
  const day = new Date(text);
  // A day that a month does not have is read as one of the next.
  return DATE.test(text) && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** `date-time` of JSON Schema: a moment of RFC 3339, its zone with or without minutes or a colon. */
export function isDateTime(text: string): boolean {
  const parts = DATE_TIME.exec(text)?.groups;
  if (parts === undefined || !isDate(parts['date'] ?? '')) return false;
  if (parts['second'] !== '60') return true;
  const minutes = minutesIn(parts['hour'], parts['minute']);
  const ahead = minutesIn(parts['zoneHour'], parts['zoneMinute']);
  const inUtc = parts['sign'] === '-' ? minutes + ahead : minutes - ahead;
  return inUtc === LAST_MINUTE || inUtc === -1;
}

function minutesIn(hours = '0', minutes = '0'): number {
  return Number(hours) * 60 + Number(minutes);
}
