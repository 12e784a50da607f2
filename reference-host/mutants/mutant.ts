import type { HostParts } from '../parts.ts';

/** The reference host with one deliberate defect (architecture, Kill matrix). */
export interface Mutant {
  readonly id: string;
  /** The defect, in one sentence. */
  readonly breaks: string;
  /** The checks that it must turn red; it may turn others of the same suites red as well. */
  readonly kills: readonly string[];
  /** The parts that it replaces, given those of the conformant host. */
  parts(conformant: HostParts): Partial<HostParts>;
}
