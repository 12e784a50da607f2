import type { HostParts } from '../../reference-host/index.ts';

/** The reference host with one difference that the documents allow: every check that applies must pass. */
export interface Variant {
  readonly id: string;
  /** Checks that do not apply because of the difference, beside those that never apply to the reference host. */
  readonly notApplicable?: readonly string[];
  /** The difference is one on which two hosts must agree: right on a host alone, not beside another. */
  readonly alone?: true;
  /** The other region, which is the plain host, does not share the difference, as the regions of one host would. */
  readonly oneRegion?: true;
  /** The parts that it replaces, given those of the conformant host. */
  parts(conformant: HostParts): Partial<HostParts>;
}
