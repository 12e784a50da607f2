import type { Mismatch } from '../../src/contract/outcome.ts';

/** What is wrong, and the check that owns the cause where another one does. */
export type Fault = Mismatch & { readonly restsOn?: string };

/** The first fault that is a check's own, which goes before those that rest on others; else the first of these. */
export function ownFirst(faults: readonly Fault[]): Fault | undefined {
  return faults.find(({ restsOn }) => restsOn === undefined) ?? faults[0];
}
