import { createRegions, defaultCredentials, type HostParts, listen } from '../../reference-host/index.ts';
import type { Witness } from '../evidence/witness.ts';
import { type Scenario, usesWitness } from '../runner/scenario.ts';
import type { Target } from '../runner/target.ts';
import { hostTimeline } from '../timeline/index.ts';
import { openWitness } from '../witness/index.ts';

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

/** What the first host is told beside its parts. */
interface BundledHostsOptions {
  /** Where it sends its spans: the full address of an OTLP/HTTP collector. */
  readonly otlpEndpoint?: string;
  /** The second host has the same parts, instead of the conformant ones. */
  readonly sameParts?: boolean;
}

/**
 * Lends a target that leaves no row out: a reference host with some parts replaced, its second tenant, credentials
 * that may only read and only create, and a conformant one as the second host, which is another region of the same store; both with their
 * seams on free loopback ports. They are stopped when `use` has ended.
 */
async function withBundledHosts<T>(
  parts: Partial<HostParts>,
  use: (target: Target) => Promise<T>,
  options: BundledHostsOptions = {},
): Promise<T> {
  const { apiKey, otherTenantApiKey, limitedApiKey, blindApiKey, credentials } = defaultCredentials();
  const hosts = createRegions({ credentials, enableTestSeams: true, pages: hostTimeline, parts, ...options });
  const [first, second] = await Promise.all([listen(hosts.first), listen(hosts.second)]);
  try {
    return await use({
      baseUrl: first.baseUrl,
      apiKey,
      tenantBKey: otherTenantApiKey,
      limitedKey: limitedApiKey,
      blindKey: blindApiKey,
      baseUrlB: second.baseUrl,
      apiKeyB: apiKey,
    });
  } finally {
    await Promise.all([first.close(), second.close()]);
    await Promise.all([hosts.first.close(), hosts.second.close()]);
  }
}
