import type { HostParts } from '../../parts.ts';
import type { Parts } from '../mutant.ts';

/** The groups of parts that a host has. */
type Policy =
  | 'llmCache'
  | 'refusal'
  | 'replay'
  | 'handoff'
  | 'sideResources'
  | 'secondRegion'
  | 'ledger'
  | 'governance';

/** Parts in which some of one policy are replaced, given the conformant ones. */
export function within<P extends Policy>(
  policy: P,
  change: (conformant: HostParts[P]) => Partial<HostParts[P]>,
): Parts {
  return (conformant) => ({ [policy]: { ...conformant[policy], ...change(conformant[policy]) } });
}
