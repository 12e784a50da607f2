/** Runs tasks with at most `limit` under way at once, in the order in which they were asked for. */
export type Semaphore = <T>(task: () => Promise<T>) => Promise<T>;

export function createSemaphore(limit: number): Semaphore {
  const waiting: (() => void)[] = [];
  let free = Math.max(1, limit);
  return async (task) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
