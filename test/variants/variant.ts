import type { HostParts } from '../../reference-host/index.ts';

/** The reference host with one difference that the documents allow: every check that applies must pass. */
export interface Variant {
  readonly id: string;
  /** Checks that do not apply because of the difference, beside those that never apply to the reference host. */
  readonly notApplicable?: readonly string[];
  /** The parts that it replaces, given those of the conformant host, perhaps with other differences: it wraps what it was given. */
  parts(conformant: HostParts): Partial<HostParts>;
}
