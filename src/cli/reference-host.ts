import { createReferenceHost, listen, type Credential, type HostParts } from '../../reference-host/index.ts';

/** A reference host that listens on loopback. */
export interface RunningHost {
  readonly baseUrl: string;
  close(): Promise<void>;
}

/** Starts a reference host with its seams on a free loopback port, for self-test and the kill matrix. */
export async function startReferenceHost(
  credentials: readonly Credential[],
  parts: Partial<HostParts> = {},
): Promise<RunningHost> {
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
