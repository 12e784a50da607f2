import type { Waiting } from '../evidence/witness.ts';

/** Those who wait for news: each until one of them says what it waits for, its time is over, its signal aborts or all are let go. */
export interface Waiters<News> {
  /** What `look` makes of the news, as soon as it makes something of them; undefined where that never comes. */
  wait<Found>(look: (news: News) => Found | undefined, waiting: Partial<Waiting>): Promise<Found | undefined>;
  tell(news: News): void;
  release(): void;
}

/** Nobody waits at first. */
export function createWaiters<News = void>(): Waiters<News> {
  const open = new Set<{ tell(news: News): void; end(): void }>();
  return {
    wait<Found>(look: (news: News) => Found | undefined, { timeoutMs, signal }: Partial<Waiting>) {
      return new Promise<Found | undefined>((resolve) => {
        const settle = (found: Found | undefined): void => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', end);
          open.delete(waiter);
          resolve(found);
        };
        const end = (): void => settle(undefined);
        const tell = (news: News): void => {
          const found = look(news);
          if (found !== undefined) settle(found);
        };
        const waiter = { tell, end };
        const timer = timeoutMs === undefined ? undefined : setTimeout(end, timeoutMs);
        open.add(waiter);
        if (signal?.aborted === true) end();
        else signal?.addEventListener('abort', end, { once: true });
      });
    },
    tell(news) {
      for (const waiter of open) waiter.tell(news);
    },
    release() {
      for (const waiter of open) waiter.end();
    },
  };
}
