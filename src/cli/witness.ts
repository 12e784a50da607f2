import type { Witness } from '../evidence/witness.ts';
import { usesWitness, type Scenario } from '../runner/scenario.ts';
import type { ListenAddress } from './arguments.ts';
import { UsageError } from '../contract/usage-error.ts';

/** Where the witness listens and how the host under test reaches it. */
export interface WitnessFlags {
  readonly witnessListen?: ListenAddress;
  readonly witnessUrl?: string;
}

const LOOPBACK: ListenAddress = { hostname: '127.0.0.1', port: 0 };
/** Every address of a machine: one can listen there, but nobody can be sent there. */
const WILDCARDS = new Set(['0.0.0.0', '::']);

/**
 * Lends the witness to `use` where one of the scenarios needs it, and closes it when `use` has ended. An address on which
 * it cannot listen is a usage error.
 */
export async function withWitness<T>(
  flags: WitnessFlags,
  scenarios: readonly Scenario[],
  use: (witness: Witness | undefined) => Promise<T>,
): Promise<T> {
  const { hostname, port } = flags.witnessListen ?? LOOPBACK;
  if (WILDCARDS.has(hostname) && flags.witnessUrl === undefined) {
    throw new UsageError(`--witness-listen ${hostname} needs --witness-url: how does the host reach the witness?`);
  }
  return lendWitness('--witness-listen', { hostname, port, url: flags.witnessUrl }, scenarios, use);
}

/** Where to listen, any port of this machine where nothing is said. */
interface Place extends Partial<ListenAddress> {
  readonly url?: string | undefined;
}

/** The same for an address that an option names. */
export async function lendWitness<T>(
  option: string,
  { hostname = LOOPBACK.hostname, port = LOOPBACK.port, url }: Place,
  scenarios: readonly Scenario[],
  use: (witness: Witness | undefined) => Promise<T>,
): Promise<T> {
  if (!scenarios.some(usesWitness)) return use(undefined);
  const { openWitness } = await import('../witness/index.ts');
  const opened = await openWitness({ hostname, port, url });
  if (!opened.ok) throw new UsageError(`${option}: ${opened.reason}`);
  try {
    return await use(opened.witness);
  } finally {
    await opened.close();
  }
}
