import type { HostParts } from '../../reference-host/parts.ts';

/** The reference host with one lie about what it did. */
export interface Liar {
  readonly id: string;
  /** What it pretends. */
  readonly lies: string;
  readonly parts: Partial<HostParts>;
  /** The checks that are red: those that say what is wrong, and no others. */
  readonly fails: readonly string[];
  /** Checks that are red where the lie meets them, which depends on the order of requests. */
  readonly mayFail?: readonly string[];
  /** Beginnings of checks of which none passes: a pass would not be true of this host. */
  readonly undecided: readonly string[];
  /** Checks that begin so and that the lie does not reach. */
  readonly mayPass?: readonly string[];
  /** Both regions lie alike; where one of them does not, that they differ is true, and red. */
  readonly everywhere?: true;
  /** How long an answer may take, in milliseconds, in scenarios where nothing is red: such a run never ends, whoever waits. */
  readonly timeoutMs?: number;
}
