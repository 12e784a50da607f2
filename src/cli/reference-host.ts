import {
  createReferenceHost,
  defaultCredentials,
  listen,
  type Credential,
  type HostParts,
} from '../../reference-host/index.ts';
import type { Target } from '../runner/target.ts';

interface RunningHost {
  readonly baseUrl: string;
  close(): Promise<void>;
}

/** What the first host is told beside its parts. */
export interface ReferenceHostsOptions {
  /** Where it sends its spans: the full address of an OTLP/HTTP collector. */
  readonly otlpEndpoint?: string;
}

async function startHost(
  credentials: readonly Credential[],
  parts: Partial<HostParts>,
  options: ReferenceHostsOptions,
): Promise<RunningHost> {
  const host = createReferenceHost({ credentials, enableTestSeams: true, parts, ...options });
  const server = await listen(host, {});
  return {
    baseUrl: server.baseUrl,
    close: async () => {
      await server.close();
      await host.close();
    },
  };
}

/**
 * Lends a target that leaves no row out: a reference host with some parts replaced, its second tenant, a credential
 * that may only read, and a conformant one as the second host, both with their seams on free loopback ports. They are stopped when `use` has ended.
 */
export async function withReferenceHosts<T>(
  parts: Partial<HostParts>,
  use: (target: Target) => Promise<T>,
  options: ReferenceHostsOptions = {},
): Promise<T> {
  const { apiKey, otherTenantApiKey, limitedApiKey, credentials } = defaultCredentials();
  const first = await startHost(credentials, parts, options);
  const second = await startHost(credentials, {}, {});
  try {
    return await use({
      baseUrl: first.baseUrl,
      apiKey,
      tenantBKey: otherTenantApiKey,
      limitedKey: limitedApiKey,
      baseUrlB: second.baseUrl,
      apiKeyB: apiKey,
    });
  } finally {
    await Promise.all([first.close(), second.close()]);
  }
}
