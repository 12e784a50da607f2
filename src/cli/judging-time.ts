/** How long evidence is judged, in milliseconds: honest logs of 50,000 events take half of that. */
const JUDGING_MS = 60_000;

/**
 * Time for judging beside a run, all of it together: as much as at its end, and none after the run's own time. What was judged when
 * that was over does not count: undefined.
 */
export function judgingBeside(maxTimeMs: number): <T>(judge: (isOver: () => boolean) => T) => T | undefined {
  const end = performance.now() + maxTimeMs;
  let leftMs = JUDGING_MS;
  return (judge) => {
    const start = performance.now();
    const last = Math.min(end, start + leftMs);
    const isOver = (): boolean => performance.now() >= last;
    if (isOver()) return undefined;
    const judged = judge(isOver);
    leftMs -= performance.now() - start;
    return isOver() ? undefined : judged;
  };
}

/** Says, from now on, whether the time for judging is over. */
export function judgingTime(): () => boolean {
  const end = performance.now() + JUDGING_MS;
  return () => performance.now() >= end;
}
