import type { HostParts } from '../../reference-host/parts.ts';

/** The reference host with one lie about what it did. */
export interface Liar {
  readonly id: string;
  /** What it pretends. */
  readonly lies: string;
  readonly parts: Partial<HostParts>;
  /** The checks that are red: those that say what is wrong, and no others. */
  readonly fails: readonly string[];
  /** Beginnings of checks of which none passes: a pass would not be true of this host. */
  readonly undecided: readonly string[];
  /** How long an answer may take, in milliseconds, where the host keeps nobody waiting with a run that never ends. */
  readonly timeoutMs?: number;
}
