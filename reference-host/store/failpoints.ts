/** What can be cut before and after: every durable write, and the tool's execution. */
const STEPS = [
  'create-run',
  'create-fork',
  'append-event',
  'claim',
  'acquire',
  'reclaim',
  'append-started',
  'execute',
  'put-effect',
  'append-finished',
  'append-command-committed',
  'ledger-commit',
  'append-node-completed',
  'record-loss',
  'record-observation',
  'store-response',
  'renew-lease',
] as const;

export type FailpointStep = (typeof STEPS)[number];

/** Where a worker can be made to stand still: it holds a record in flight, and has not declared the call yet. */
export const STALL_POINTS: readonly string[] = ['after-acquire'];

/** The names of all failpoints. */
export const FAILPOINTS: readonly string[] = STEPS.flatMap((step) => [`before-${step}`, `after-${step}`]);

/** A failpoint and which of its passes is meant; 1 is the next. */
export interface Failpoint {
  readonly name: string;
  readonly hit: number;
}

/** A place where the next worker that comes by stands still, without a sign of life. */
export interface Stall {
  readonly name: string;
  readonly milliseconds: number;
}

/** The host was told to die here and goes on no further. Seen only by who replaced the kill by something milder. */
class Killed extends Error {
  override readonly name = 'Killed';
}

/** The places at which a host can be made to crash, for tests (wire contract, Test seams). */
export interface Failpoints {
  /** Arms one failpoint, in the place of the one that was armed. Passes count from now on. */
  arm(failpoint: Failpoint): void;
  armStall(stall: Stall): void;
  /** The names passed so far, in order: the newest of `total`. */
  passed(): { readonly passed: readonly string[]; readonly total: number };
  /** Passes a failpoint. Does not return where it is armed and this is the hit. */
  pass(name: string): void;
  /** Passes what is armed to stall here: waits as long as it says. */
  stall(name: string): Promise<void>;
  /** Does a step with a failpoint before and after it. */
  around<T>(step: FailpointStep, work: () => T): T;
}

/** Passes that are remembered: the newest. */
const REMEMBERED = 10_000;

/** Failpoints of one host. `die` ends it; where it returns, `pass` throws Killed. */
export function createFailpoints(die: () => void): Failpoints {
  let names: string[] = [];
  let total = 0;
  let armed: Failpoint | undefined;
  let hits = 0;
  let stalling: Stall | undefined;
  const pass = (name: string): void => {
    total += 1;
    names.push(name);
    if (names.length >= 2 * REMEMBERED) names = names.slice(-REMEMBERED);
    if (armed?.name !== name) return;
    hits += 1;
    if (hits !== armed.hit) return;
    armed = undefined;
    die();
    throw new Killed(name);
  };
  return {
    arm(failpoint) {
      armed = failpoint;
      hits = 0;
    },
    armStall(stall) {
      stalling = stall;
    },
    passed: () => ({ passed: names.slice(-REMEMBERED), total }),
    pass,
    async stall(name) {
      if (stalling?.name !== name) return;
      const { milliseconds } = stalling;
      stalling = undefined;
      await new Promise((resolve) => setTimeout(resolve, milliseconds));
    },
    around(step, work) {
      pass(`before-${step}`);
      const result = work();
      pass(`after-${step}`);
      return result;
    },
  };
}

/** Ends the process at once, as a crash does: nothing is flushed, nothing is closed. */
export function killOwnProcess(): void {
  process.kill(process.pid, 'SIGKILL');
  // The signal may take a moment; nothing of this process may happen in it.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
