import type { HostParts } from '../../reference-host/index.ts';
import type { Witness } from '../evidence/witness.ts';
import type { Scenario } from '../runner/scenario.ts';
import type { Target } from '../runner/target.ts';
import { type ReferenceHostsOptions, withReferenceHosts } from './reference-host.ts';
import { withWitness } from './witness.ts';

/**
 * Lends reference hosts and, where one of the scenarios needs it, a witness that the first one calls and, where spans are
 * needed, exports them to.
 */
export function withWitnessedHosts<T>(
  parts: Partial<HostParts>,
  scenarios: readonly Scenario[],
  use: (target: Target, witness: Witness | undefined) => Promise<T>,
  options: Pick<ReferenceHostsOptions, 'sameParts'> = {},
): Promise<T> {
  return withWitness({}, scenarios, (witness) => {
    const exports = witness !== undefined && scenarios.some(({ needs }) => needs.some(({ kind }) => kind === 'spans'));
    const spans = exports ? { otlpEndpoint: `${witness.baseUrl}/v1/traces` } : {};
    return withReferenceHosts(parts, (target) => use(target, witness), { ...options, ...spans });
  });
}
