import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { packageFile } from '../contract/package-root.ts';
import type { CrashHosts } from '../host/crash-host.ts';
import { startSupervisedHost, type SupervisedHost } from './supervised-host.ts';

/** As many as have work on a small machine: a killed host's next start is most of what a cut costs. */
const HOSTS = 2;

/**
 * Starts bundled hosts as processes of their own, each with a data file in a temporary directory, for scenarios that kill
 * them. None where the signal aborts before they run; rejects where one does not start.
 */
export async function openSupervisedHosts(signal: AbortSignal): Promise<CrashHosts> {
  const directory = mkdtempSync(join(tmpdir(), 'openwop-conformance-'));
  const remove = (): void => rmSync(directory, { recursive: true, force: true });
  process.on('exit', remove);
  const remover = removeAfterUs(directory);
  const starts = Array.from({ length: HOSTS }, (_, index) =>
    startBundledHost(join(directory, `${index}.sqlite`), signal),
  );
  const started = await Promise.allSettled(starts);
  const hosts = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const close = async (): Promise<void> => {
    await Promise.all(hosts.map((host) => host.end()));
    remove();
    process.off('exit', remove);
    remover.stdin.end();
  };
  const failed = started.find((each) => each.status === 'rejected');
  if (failed === undefined) return { hosts, close };
  await close();
  if (!signal.aborted) throw failed.reason;
  return { hosts: [], close: async () => {} };
}

/** What the remover does: it waits for the end of its standard input. */
const REMOVE = `process.stdin.resume().once('close', () =>
  fs.rmSync(process.argv[1], { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))`;

/**
 * Starts a process that removes a directory when ours has ended, killed or not. It is in a group of its own: what a terminal
 * or a shell sends to ours does not reach it.
 */
function removeAfterUs(directory: string): ChildProcessByStdio<Writable, null, null> {
  const child = spawn(process.execPath, ['-e', REMOVE, directory], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  child.on('error', () => undefined).unref();
  child.stdin.on('error', () => undefined);
  return child;
}

function startBundledHost(data: string, signal: AbortSignal): Promise<SupervisedHost> {
  const program = packageFile('dist', 'bin', 'openwop-conformance.cjs');
  const args = [program, 'serve', '--data', data, '--enable-test-seams', '--until-stdin-ends', '--json'];
  return startSupervisedHost({ args, name: 'the bundled host' }, signal);
}
