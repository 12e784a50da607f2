import { isDeepStrictEqual } from 'node:util';
import { readDiscovery, type Discovery } from '../../src/contract/discovery.ts';
import type { Judgement } from '../../src/contract/verdict.ts';
import type { Violation } from '../../src/contract/validate.ts';

/** What a row of the suite sees: the document, where its parts stand, and the observation to cite. */
export interface RowInput {
  readonly document: Readonly<Record<string, unknown>>;
  readonly discovery: Discovery;
  readonly evidence: readonly string[];
}

/** One row's judge: a pure function of a document that is a JSON object. */
export type Row = (input: RowInput) => Omit<Judgement, 'check' | 'evidence'>;

/** Arranges a document for the rows. */
export function rowInput(document: Readonly<Record<string, unknown>>, evidence: readonly string[]): RowInput {
  return { document, discovery: readDiscovery(document), evidence };
}

/** Schema violations as one line: at most five of them, each short, since a host may choose the names in them. */
export function listViolations(violations: readonly Violation[], at: string): string {
  const lines = violations.slice(0, 5).map(({ pointer, message }) => short(`${at}${pointer} ${message}`));
  return violations.length > 5 ? `${lines.join('; ')}; and ${violations.length - 5} more` : lines.join('; ');
}

/** A value for a message, short. */
export function shown(value: unknown): string {
  return value === undefined ? 'absent' : short(JSON.stringify(value));
}

function short(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

/** Whether two readings of one member contradict each other. */
export function differ(a: unknown, b: unknown): boolean {
  return a !== undefined && b !== undefined && !isDeepStrictEqual(a, b);
}
