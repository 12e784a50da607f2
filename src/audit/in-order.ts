/** A piece of work, and what came of it once it is over. */
interface Open<Done> {
  result?: { readonly value: Done } | { readonly error: unknown };
}

/**
 * Works on `atOnce` items at a time and yields the results in the order of the items, each as soon as all before it are there. Holds no more
 * than `atOnce` results, however many items there are. Ends at once where the signal aborts.
 */
export async function* inOrder<Item, Done>(
  items: AsyncIterable<Item> | Iterable<Item>,
  work: (item: Item) => Promise<Done>,
  { atOnce, signal }: { readonly atOnce: number; readonly signal: AbortSignal },
): AsyncGenerator<Done, void> {
  const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  const open: Open<Done>[] = [];
  const list: { state: 'idle' | 'asked' | 'over'; failure?: { readonly error: unknown } } = { state: 'idle' };
  let wake: (() => void) | undefined;
  const start = (item: Item): void => {
    const each: Open<Done> = {};
    open.push(each);
    work(item)
      .then(
        (value) => (each.result = { value }),
        (error: unknown) => (each.result = { error }),
      )
      .finally(() => wake?.());
  };
  const ask = async (): Promise<void> => {
    list.state = 'asked';
    try {
      const next = await iterator.next();
      list.state = next.done === true ? 'over' : 'idle';
      if (next.done !== true) start(next.value);
    } catch (error) {
      Object.assign(list, { state: 'over', failure: { error } });
    }
    wake?.();
  };
  const woken = (): void => wake?.();
  signal.addEventListener('abort', woken);
  try {
    while (!signal.aborted && (list.state !== 'over' || open.length > 0)) {
      const result = open[0]?.result;
      if (result !== undefined) {
        open.shift();
        if ('error' in result) throw result.error;
        yield result.value;
      } else {
        const woke = new Promise<void>((resolve) => {
          wake = resolve;
        });
        if (list.state === 'idle' && open.length < atOnce) void ask();
        await woke;
      }
    }
    if (list.failure !== undefined && !signal.aborted) throw list.failure.error;
  } finally {
    signal.removeEventListener('abort', woken);
    // One that is being waited for ends when its own reading does.
    void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}
