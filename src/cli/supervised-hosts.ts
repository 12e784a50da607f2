import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { packageFile } from '../contract/package-root.ts';
import type { CrashHosts } from '../host/crash-host.ts';
import { startSupervisedHost, type SupervisedHost } from './supervised-host.ts';
import { temporaryDirectory } from '../kill-matrix/temporary-directory.ts';

/** As many as have work on a small machine: a killed host's next start is most of what a cut costs. */
const HOSTS = 2;

/**
 * Starts bundled hosts as processes of their own, each with a data file in a temporary directory, for scenarios that kill
 * them. None where the signal aborts before they run; rejects where one does not start.
 */
export async function openSupervisedHosts(signal: AbortSignal): Promise<CrashHosts> {
  const directory = temporaryDirectory();
  const starts = Array.from({ length: HOSTS }, (_, index) =>
    startBundledHost(join(directory, `${index}.sqlite`), signal),
  );
  const started = await Promise.allSettled(starts);
  const hosts = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const close = async (): Promise<void> => {
    await Promise.all(hosts.map((host) => host.end()));
    rmSync(directory, { recursive: true, force: true });
  };
  const failed = started.find((each) => each.status === 'rejected');
  if (failed === undefined) return { hosts, close };
  await close();
  if (!signal.aborted) throw failed.reason;
  return { hosts: [], close: async () => {} };
}

function startBundledHost(data: string, signal: AbortSignal): Promise<SupervisedHost> {
  const program = packageFile('dist', 'bin', 'openwop-conformance.cjs');
  const args = [program, 'serve', '--data', data, '--enable-test-seams', '--until-stdin-ends', '--no-ui', '--json'];
  return startSupervisedHost({ args, name: 'the bundled host' }, signal);
}
