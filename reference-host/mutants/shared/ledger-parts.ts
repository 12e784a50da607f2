import type { HostParts } from '../../parts.ts';
import type { LedgerPolicy } from '../../policies/ledger.ts';

/** Parts in which a part of the ledger's policy is replaced. */
export function withLedger(
  change: Partial<LedgerPolicy> | ((conformant: LedgerPolicy) => Partial<LedgerPolicy>),
): (conformant: HostParts) => Partial<HostParts> {
  return ({ ledger }) => ({ ledger: { ...ledger, ...(typeof change === 'function' ? change(ledger) : change) } });
}
