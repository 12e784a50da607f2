import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createReferenceHost, defaultCredentials, type HostParts } from '../../reference-host/index.ts';
import type { CrashHosts } from '../host/crash-host.ts';
import { temporaryDirectory } from './temporary-directory.ts';
import { startMortalHost, type MortalHost } from './mortal-host.ts';

const HOSTS = 2;

/**
 * Less than half of what a host is started with otherwise, so that nobody waits long for a lease to run out; and still more
 * than a busy machine keeps a worker from giving a sign of life.
 */
export const LEASE_MS = 800;

/**
 * Starts reference hosts with some parts replaced, which die inside this process: a mutant is put through its crashes
 * without a process of its own, and its parts are the same in all lives. A lease lasts `leaseMs`.
 */
export async function openMortalHosts(parts: Partial<HostParts>, leaseMs: number = LEASE_MS): Promise<CrashHosts> {
  const directory = temporaryDirectory();
  const setup = { ...defaultCredentials(), parts, create: createReferenceHost };
  const hosts: MortalHost[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(hosts.map((host) => host.end()));
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    for (let index = 0; index < HOSTS; index += 1) {
      const data = join(directory, `${index}.sqlite`);
      hosts.push(await startMortalHost({ ...setup, data, leaseMs }));
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { hosts, close };
}
