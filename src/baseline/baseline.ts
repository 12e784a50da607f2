import type { CheckReport } from '../contract/report.ts';

/** One check, or any check of one requirement, that a run accepts as it is. */
export interface BaselineEntry {
  readonly check?: string;
  readonly requirement?: string;
  readonly verdict: 'fail' | 'inconclusive';
  /** The code of the diagnosis that the failure has to have; any where absent. */
  readonly diagnosis?: string;
  readonly reason?: string;
  readonly link?: string;
  /** The last day, in UTC, on which the entry holds: `2027-01-31`. */
  readonly expires?: string;
}

/** What a host is known to lack (schemas/baseline.schema.json). */
export interface Baseline {
  readonly baselineVersion: 1;
  readonly known: readonly BaselineEntry[];
  /** The checks that passed or failed when it was made: they have to be decided ever after. */
  readonly decided: readonly string[];
}

/** The check or requirement that an entry names. */
export function nameOf({ check, requirement }: BaselineEntry): string {
  return check ?? requirement ?? '';
}

/** Whether an entry is about this check. */
export function isAbout(entry: BaselineEntry, check: CheckReport): boolean {
  return entry.check === undefined ? entry.requirement === check.requirement : entry.check === check.id;
}

/** Whether a check is as an entry says. */
export function isMet({ verdict, diagnosis }: BaselineEntry, check: CheckReport): boolean {
  return check.verdict === verdict && (diagnosis === undefined || check.diagnosis?.code === diagnosis);
}

/**
 * A baseline as its file holds it: entries and decided checks by name, an entry or a check on a line of its own, so that a
 * change of one is a change of one line.
 */
export function formatBaseline({ known, decided }: Baseline): string {
  const entries = known.toSorted((a, b) => order(nameOf(a), nameOf(b))).map(formatEntry);
  const checks = [...new Set(decided)].toSorted(order).map((id) => JSON.stringify(id));
  return `{\n  "baselineVersion": 1,\n  "known": ${list(entries)},\n  "decided": ${list(checks)}\n}\n`;
}

function formatEntry({ check, requirement, verdict, diagnosis, reason, link, expires }: BaselineEntry): string {
  const ordered = { check, requirement, verdict, diagnosis, reason, link, expires };
  const members = Object.entries(ordered).filter(([, value]) => value !== undefined);
  return `{ ${members.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`).join(', ')} }`;
}

function list(lines: readonly string[]): string {
  return lines.length === 0 ? '[]' : `[\n${lines.map((line) => `    ${line}`).join(',\n')}\n  ]`;
}

/** The same on every machine, whatever its language. */
function order(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
