/** How long evidence is judged, in milliseconds: honest logs of 50,000 events take half of that. */
const JUDGING_MS = 60_000;

/** How many times as long that may take by the clock on a machine that has others to serve as well. */
const BUSY = 5;

/** Says what has passed of the time for judging: of the clock's and of the processor's, which stands still while others are served, the lesser. */
function watch(): () => number {
  const [start, before] = [performance.now(), process.cpuUsage()];
  return () => {
    const byClock = performance.now() - start;
    const { user, system } = process.cpuUsage(before);
    return Math.max(byClock / BUSY, Math.min(byClock, (user + system) / 1000));
  };
}

/**
 * Time for judging beside a run, all of it together: as much as at its end, and none after the run's own time. What was judged when
 * that was over does not count: undefined.
 */
export function judgingBeside(maxTimeMs: number): <T>(judge: (isOver: () => boolean) => T) => T | undefined {
  const end = performance.now() + maxTimeMs;
  let leftMs = JUDGING_MS;
  return (judge) => {
    const passed = watch();
    const isOver = (): boolean => performance.now() >= end || passed() >= leftMs;
    if (isOver()) return undefined;
    const judged = judge(isOver);
    const isLate = isOver();
    leftMs -= passed();
    return isLate ? undefined : judged;
  };
}

/** Says, from now on, whether the time for judging is over. */
export function judgingTime(): () => boolean {
  const passed = watch();
  return () => passed() >= JUDGING_MS;
}
