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

async function startHost(credentials: readonly Credential[], parts: Partial<HostParts>): Promise<RunningHost> {
  const host = createReferenceHost({ credentials, enableTestSeams: true, parts });
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
 * Lends a target that leaves no row out: a reference host with some parts replaced, its second tenant, and a conformant
 * one as the second host, both with their seams on free loopback ports. They are stopped when `use` has ended.
 */
export async function withReferenceHosts<T>(
  parts: Partial<HostParts>,
  use: (target: Target) => Promise<T>,
): Promise<T> {
  const { apiKey, otherTenantApiKey, credentials } = defaultCredentials();
  const first = await startHost(credentials, parts);
  const second = await startHost(credentials, {});
  try {
    return await use({
      baseUrl: first.baseUrl,
      apiKey,
      tenantBKey: otherTenantApiKey,
      baseUrlB: second.baseUrl,
      apiKeyB: apiKey,
    });
  } finally {
    await Promise.all([first.close(), second.close()]);
  }
}
