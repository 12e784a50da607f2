import type { HostParts } from '../../reference-host/index.ts';
import type { Witness } from '../evidence/witness.ts';
import { usesWitness, type Scenario } from '../runner/scenario.ts';
import type { Target } from '../runner/target.ts';
import { openWitness } from '../witness/index.ts';
import { type BundledHostsOptions, withBundledHosts } from './bundled-hosts.ts';

/**
 * Lends reference hosts and, where one of the scenarios needs it, a witness that the first one calls and, where spans are
 * needed, exports them to.
 */
export async function withWitnessedHosts<T>(
  parts: Partial<HostParts>,
  scenarios: readonly Scenario[],
  use: (target: Target, witness: Witness | undefined) => Promise<T>,
  options: Pick<BundledHostsOptions, 'sameParts'> = {},
): Promise<T> {
  if (!scenarios.some(usesWitness)) return withBundledHosts(parts, (target) => use(target, undefined), options);
  const opened = await openWitness({ hostname: '127.0.0.1', port: 0 });
  if (!opened.ok) throw new Error(`the witness cannot listen: ${opened.reason}`);
  const { witness } = opened;
  const exports = scenarios.some(({ needs }) => needs.some(({ kind }) => kind === 'spans'));
  const spans = exports ? { otlpEndpoint: `${witness.baseUrl}/v1/traces` } : {};
  try {
    return await withBundledHosts(parts, (target) => use(target, witness), { ...options, ...spans });
  } finally {
    await opened.close();
  }
}
