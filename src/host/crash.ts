import type { HostHandle } from './client.ts';

/** One pass of a failpoint: its name and which pass from arming on, 1 being the next. */
export interface Cut {
  readonly name: string;
  readonly hit: number;
}

/** A cut as FAILPOINT and reports name it: `name@hit`. */
export function cutText({ name, hit }: Cut): string {
  return `${name}@${hit}`;
}

export type CutSet = 'few' | 'quick' | 'full';

/**
 * How a start after a death went. `downMs` is the time from asking for the start until the host answered its discovery
 * request. `answered` is false only where a failpoint was armed for the start and the host was gone again before it
 * answered, as it may be when it recovers before it listens: the second death has happened, and the next `revive` is due.
 */
export type Revival =
  | { readonly ok: true; readonly downMs: number; readonly answered: boolean }
  | { readonly ok: false; readonly reason: string };

/** A host that may be killed, lent to one piece of work at a time. */
export interface CrashLane {
  /** Records under the scenario's id and stops with its signal, as every handle of a probe. */
  readonly host: HostHandle;
  /**
   * After the host died: starts it again, with FAILPOINT armed where one is given, and resolves when discovery answers.
   * A host that comes back by itself is waited for. Never rejects; a host that did not die is `ok: false`.
   */
  readonly revive: (failpoint?: Cut) => Promise<Revival>;
  /** Whether a failpoint can be armed for the start itself, which a second crash during recovery needs. */
  readonly armsAtStart: boolean;
  /** How long the host's workers hold a lease, in milliseconds, where that is known. */
  readonly leaseMs?: number | undefined;
}

/**
 * The hosts that a scenario may kill. There is one lane where the host under test itself is killed and several where the
 * harness starts hosts of its own. A lane is lent with its host up, to one piece of work at a time, also among
 * scenarios that run at once; so what one piece of work keeps on a lane (runs, an armed failpoint that was not passed) is
 * there when the lane is lent again.
 */
export interface CrashBench {
  /** How many pieces of work can go on at the same time. */
  readonly width: number;
  /** How many cuts the caller asked for (`--crash`); `few` is one in each window, for tests that are about something else. */
  readonly cuts: CutSet;
  /** Waits for a free lane and lends it until `work` ends; undefined where the scenario was stopped before. */
  use<T>(work: (lane: CrashLane) => Promise<T>): Promise<T | undefined>;
  /**
   * Runs all jobs, in order, each on the next free lane. Starts no further one after the scenario was stopped or a job
   * rejected; the first rejection is passed on when those under way have ended.
   */
  each<J>(jobs: readonly J[], work: (lane: CrashLane, job: J) => Promise<void>): Promise<void>;
}
