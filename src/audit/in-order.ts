/**
 * Does a piece of work for each item, so many at once, and gives what came of them in the items' order. Holds no more than
 * these at a time, however many items there are.
 */
export async function* inOrder<Item, Done>(
  items: AsyncIterable<Item> | Iterable<Item>,
  work: (item: Item) => Promise<Done>,
  atOnce: number,
): AsyncGenerator<Done, void> {
  const open: Promise<Done>[] = [];
  for await (const item of items) {
    const done = work(item);
    // Whoever waits for it hears of a failure; until then it is no unhandled one.
    done.catch(() => undefined);
    open.push(done);
    const first = open.length >= atOnce ? open.shift() : undefined;
    if (first !== undefined) yield await first;
  }
  for (const each of open) yield await each;
}
