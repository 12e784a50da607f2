/** Things that are lent to one borrower at a time, in the order in which they are asked for. */
export interface LanePool<T> {
  readonly size: number;
  /** Resolves with a free one; undefined when the signal aborts first. */
  take(signal: AbortSignal): Promise<T | undefined>;
  give(lane: T): void;
}

export function createLanePool<T>(lanes: readonly T[]): LanePool<T> {
  const free = [...lanes];
  const waiting: ((lane: T) => void)[] = [];
  return {
    size: lanes.length,
    take: (signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve(undefined);
        const lane = free.shift();
        if (lane !== undefined) return resolve(lane);
        const leave = (): void => {
          waiting.splice(waiting.indexOf(lend), 1);
          resolve(undefined);
        };
        const lend = (given: T): void => {
          signal.removeEventListener('abort', leave);
          resolve(given);
        };
        waiting.push(lend);
        signal.addEventListener('abort', leave, { once: true });
      }),
    give: (lane) => {
      const next = waiting.shift();
      if (next === undefined) free.push(lane);
      else next(lane);
    },
  };
}
