import type { Discovery } from '../../src/contract/discovery.ts';
import type { Evidence } from '../../src/contract/outcome.ts';

/** A discovery document that is a JSON object, where its parts stand, and the observation to cite. */
export interface Advertised {
  readonly document: Readonly<Record<string, unknown>>;
  readonly discovery: Discovery;
  readonly evidence: Evidence;
}

/** A value for a message, short. */
export function shown(value: unknown): string {
  return value === undefined ? 'absent' : short(JSON.stringify(value));
}

/** A text that a host may have chosen, cut. */
export function short(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
