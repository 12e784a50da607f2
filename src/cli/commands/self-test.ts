import { defaultCredentials } from '../../../reference-host/index.ts';
import type { RunFlags } from '../options.ts';
import { startReferenceHost } from '../reference-host.ts';
import { conductRun } from '../session.ts';

/**
 * `self-test`: runs every suite against the bundled reference host, with a second instance as the second host and its
 * second tenant, so that no row is left out. Returns the exit code of the verdict.
 */
export async function selfTest(flags: RunFlags): Promise<number> {
  const { apiKey, otherTenantApiKey, credentials } = defaultCredentials();
  const first = await startReferenceHost(credentials);
  const second = await startReferenceHost(credentials);
  try {
    const target = {
      baseUrl: first.baseUrl,
      apiKey,
      tenantBKey: otherTenantApiKey,
      baseUrlB: second.baseUrl,
      apiKeyB: apiKey,
    };
    return (await conductRun(target, flags)).exitCode;
  } finally {
    await Promise.all([first.close(), second.close()]);
  }
}
