import { createRegions, defaultCredentials, listen, type HostParts } from '../../reference-host/index.ts';
import { hostTimeline } from '../timeline/index.ts';
import type { Target } from '../runner/target.ts';

/** What the first host is told beside its parts. */
export interface BundledHostsOptions {
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
export async function withBundledHosts<T>(
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
