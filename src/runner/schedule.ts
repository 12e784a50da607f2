/** A unit of work and the host resources that it must have for itself. */
export interface Job {
  readonly exclusive: readonly string[];
  run(): Promise<void>;
}

/**
 * Runs jobs in order with at most `concurrency` under way; two jobs that name the same exclusive resource never overlap.
 * Resolves when all have ended. A job is expected not to reject: where one does, the first rejection is passed on at once.
 */
export async function schedule(jobs: readonly Job[], concurrency: number): Promise<void> {
  const waiting = [...jobs];
  const held = new Set<string>();
  const running = new Set<Promise<void>>();
  while (waiting.length > 0 || running.size > 0) {
    const index =
      running.size < concurrency ? waiting.findIndex((job) => job.exclusive.every((name) => !held.has(name))) : -1;
    const [job] = index === -1 ? [] : waiting.splice(index, 1);
    if (job === undefined) {
      await Promise.race(running);
      continue;
    }
    for (const name of job.exclusive) held.add(name);
    const ended: Promise<void> = job.run().finally(() => {
      for (const name of job.exclusive) held.delete(name);
      running.delete(ended);
    });
    running.add(ended);
  }
}
