/** How long evidence is judged, in milliseconds: honest logs of 50,000 events take half of that. */
const JUDGING_MS = 60_000;

/** How many times as long that may take by the clock on a machine that has others to serve as well. */
const BUSY = 5;

/** What has passed of the time for judging, in milliseconds. */
interface Watch {
  readonly passed: () => number;
  /** Whether so much has. It is asked for each observation, and the clock alone answers quickly. */
  readonly isPast: (milliseconds: number) => boolean;
}

/** Counts the time of the clock and that of the processor, which stands still while others are served: the lesser passes. */
function watch(): Watch {
  const [start, before] = [performance.now(), process.cpuUsage()];
  const byClock = (): number => performance.now() - start;
  const passed = (): number => {
    const { user, system } = process.cpuUsage(before);
    return Math.max(byClock() / BUSY, Math.min(byClock(), (user + system) / 1000));
  };
  return { passed, isPast: (milliseconds) => byClock() >= milliseconds && passed() >= milliseconds };
}

/**
 * Time for judging beside a run, all of it together: as much as at its end, and none after the run's own time. What was judged when
 * that was over does not count: undefined.
 */
export function judgingBeside(maxTimeMs: number): <T>(judge: (isOver: () => boolean) => T) => T | undefined {
  const end = performance.now() + maxTimeMs;
  let leftMs = JUDGING_MS;
  return (judge) => {
    const { passed, isPast } = watch();
    const isOver = (): boolean => performance.now() >= end || isPast(leftMs);
    if (isOver()) return undefined;
    const judged = judge(isOver);
    const isLate = isOver();
    leftMs -= passed();
    return isLate ? undefined : judged;
  };
}

/** Says, from now on, whether the time for judging is over. */
export function judgingTime(): () => boolean {
  const { isPast } = watch();
  return () => isPast(JUDGING_MS);
}
