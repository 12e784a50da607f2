/** The median of some numbers. */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * Runs `a` and `b` in turn, `rounds` times after one warm-up, and returns the medians of what they return and of the
 * ratio a/b pair by pair: the machine's drift hits both alike.
 */
export async function paired(rounds, a, b) {
  const pairs = [];
  for (let round = -1; round < rounds; round += 1) {
    const pair = { a: await a(), b: await b() };
    if (round >= 0) pairs.push(pair);
  }
  return {
    a: median(pairs.map((pair) => pair.a)),
    b: median(pairs.map((pair) => pair.b)),
    ratio: median(pairs.map((pair) => pair.a / pair.b)),
  };
}

/** Milliseconds that an async function takes. */
export async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Runs `work` on every item with at most `limit` under way. */
export async function eachConcurrently(items, limit, work) {
  let next = 0;
  const lane = async () => {
    while (next < items.length) {
      const item = items[next];
      next += 1;
      await work(item);
    }
  };
  await Promise.all(Array.from({ length: limit }, lane));
}
