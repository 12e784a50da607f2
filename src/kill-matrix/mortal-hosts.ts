import { rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  createReferenceHost,
  type Credential,
  defaultCredentials,
  type HostParts,
  listen,
} from '../../reference-host/index.ts';
import type { CrashHost, CrashHosts, Start } from '../host/crash-host.ts';
import type { Cut } from '../host/crash.ts';
import { repeatPaced } from '../host/paced.ts';
import { pause } from '../host/pause.ts';
import { temporaryDirectory } from './temporary-directory.ts';

/** What a reference host that dies inside this process is told. */
export interface MortalOptions {
  readonly credentials: readonly Credential[];
  readonly data: string;
  readonly enableTestSeams: boolean;
  readonly parts: Partial<HostParts>;
  readonly leaseMs: number;
  readonly failpoint?: Cut;
  /** Called at an armed failpoint, in the place of a kill. */
  readonly die: () => void;
}

/** A reference host as far as its life is concerned. */
export interface Mortal {
  readonly fetch: (request: Request) => Response | Promise<Response>;
  close(): Promise<void>;
  /** Lets go of the data file as a killed process does. */
  abandon(): void;
}

/** What is the same in all lives of one host. */
interface MortalSetup extends Pick<MortalOptions, 'credentials' | 'data' | 'parts' | 'leaseMs'> {
  readonly apiKey: string;
  create(options: MortalOptions): Mortal;
}

/** A host inside this process that can be killed; `end` ends it for good. */
interface MortalHost extends CrashHost {
  end(): Promise<void>;
}

interface Life {
  readonly baseUrl: string;
  /** Aborted when the host died. */
  readonly death: AbortSignal;
  /** Resolves when nobody listens and nothing is open any more. */
  end(): Promise<void>;
}

/** How long a host may take to die at its failpoint. */
const DEATH_MS = 20_000;
/** How long its port is waited for. */
const PORT_MS = 20_000;

/** Starts a host that dies as a killed process does: every connection ends at once, and the data file is all that is left. */
export async function startMortalHost(setup: MortalSetup): Promise<MortalHost> {
  let life = await live(setup, 0, undefined);
  const { baseUrl } = life;
  const port = Number(new URL(baseUrl).port);
  return {
    baseUrl,
    apiKey: setup.apiKey,
    variable: 'OPENWOP_API_KEY',
    armsAtStart: true,
    leaseMs: setup.leaseMs,
    isUp: async () => !life.death.aborted,
    start: async (failpoint, signal) => {
      await pause(DEATH_MS, AbortSignal.any([signal, life.death]));
      if (!life.death.aborted) return { ok: false, reason: 'still running: the host did not die' };
      await life.end();
      // A connection of somebody else may have the port for a moment.
      const again = await repeatPaced(
        () =>
          live(setup, port, failpoint).catch((error: unknown) =>
            error instanceof Error ? error.message : String(error),
          ),
        (each) => typeof each !== 'string' || !each.includes('already in use'),
        { patienceMs: PORT_MS, signal },
      );
      if (typeof again === 'string') return { ok: false, reason: again };
      life = again;
      return begun(life);
    },
    end: () => life.end(),
  };
}

function begun({ death }: Life): Start {
  const end = { how: 'a death at its failpoint', mayHaveDied: true, isFinal: true };
  return { ok: true, end: () => (death.aborted ? end : undefined) };
}

/** One life of the host, from its start on; it may be over before anybody could reach it. */
async function live(setup: MortalSetup, port: number, failpoint: Cut | undefined): Promise<Life> {
  const controller = new AbortController();
  const death = controller.signal;
  const host = createMortal(setup, failpoint, controller);
  const listening = host === undefined || death.aborted ? undefined : listen(host, { port });
  // A host that nobody can reach goes on with nothing.
  const server = await listening?.catch((error: unknown) => {
    host?.abandon();
    throw error;
  });
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= server?.close() ?? Promise.resolve());
  death.addEventListener('abort', () => void close(), { once: true });
  if (death.aborted) void close();
  return {
    baseUrl: server?.baseUrl ?? '',
    death,
    end: async () => {
      await close();
      if (death.aborted) host?.abandon();
      else await host?.close();
    },
  };
}

/** The host, or undefined where it died while it was made. */
function createMortal(setup: MortalSetup, failpoint: Cut | undefined, death: AbortController): Mortal | undefined {
  const { credentials, data, parts, leaseMs } = setup;
  const armed = failpoint === undefined ? {} : { failpoint };
  try {
    return setup.create({
      credentials,
      data,
      parts,
      leaseMs,
      ...armed,
      enableTestSeams: true,
      die: () => death.abort(),
    });
  } catch (error) {
    if (death.signal.aborted) return undefined;
    throw error;
  }
}

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
