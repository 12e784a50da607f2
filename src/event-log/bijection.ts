/** Pairs that are certainly remembered; at most twice as many are. */
const REMEMBERED = 32_768;

/** A one-to-one renaming of the source's event ids into the replay's, learned as the logs are read. */
export interface IdBijection {
  /**
   * Whether the two ids may stand for each other: both are new, or each is known as the other's. New pairs are
   * remembered.
   */
  bind(source: string, replay: string): boolean;
  /** The same for causes: one that was set apart has been reported already and contradicts nothing. */
  bindCauses(source: string, replay: string): boolean;
  /** Sets the id of an event without a counterpart apart. */
  setApart(id: string): void;
  /** What the source's id is called in the replay, where that is known. */
  inReplay(source: string): string | undefined;
  /** How many pairs were learned. */
  count(): number;
}

type Pair = readonly [source: string, replay: string];

/** Pairs that are forgotten together. Nobody asks for most ids: they are entered when somebody does. */
interface Generation {
  readonly size: () => number;
  readonly add: (pair: Pair) => void;
  readonly toReplay: (source: string) => string | undefined;
  readonly toSource: (replay: string) => string | undefined;
}

function emptyGeneration(): Generation {
  const pairs: Pair[] = [];
  const entered = { toReplay: new Map<string, string>(), toSource: new Map<string, string>() };
  const enter = (): typeof entered => {
    for (const [source, replay] of pairs.slice(entered.toReplay.size)) {
      entered.toReplay.set(source, replay);
      entered.toSource.set(replay, source);
    }
    return entered;
  };
  return {
    size: () => pairs.length,
    add: (pair) => void pairs.push(pair),
    toReplay: (source) => enter().toReplay.get(source),
    toSource: (replay) => enter().toSource.get(replay),
  };
}

/** Between which texts the ids lie that one log has shown: most hosts' ids go up. */
interface Range {
  readonly holds: (id: string) => boolean;
  readonly widen: (id: string) => void;
}

function emptyRange(): Range {
  let range: { low: string; high: string } | undefined;
  return {
    holds: (id) => range !== undefined && id >= range.low && id <= range.high,
    widen: (id) => {
      range ??= { low: id, high: id };
      if (id > range.high) range.high = id;
      else if (id < range.low) range.low = id;
    },
  };
}

/**
 * Makes an empty bijection of bounded memory: pairs older than the last 32,768 to 65,536 are forgotten and may be
 * learned again, so a cause that lies further back than that is only held to be consistent from then on.
 */
export function createIdBijection(): IdBijection {
  let young = emptyGeneration();
  let old = emptyGeneration();
  let learned = 0;
  const ranges = { source: emptyRange(), replay: emptyRange() };
  let [last, before]: (Pair | undefined)[] = [];
  const apart = new Set<string>();
  const inReplay = (source: string): string | undefined =>
    ranges.source.holds(source) ? (young.toReplay(source) ?? old.toReplay(source)) : undefined;
  const inSource = (replay: string): string | undefined =>
    ranges.replay.holds(replay) ? (young.toSource(replay) ?? old.toSource(replay)) : undefined;
  const bind = (source: string, replay: string): boolean => {
    // Most causes are the event before.
    if (isPair(before, source, replay) || isPair(last, source, replay)) return true;
    const [forth, back] = [inReplay(source), inSource(replay)];
    if (forth !== undefined || back !== undefined) return forth === replay && back === source;
    if (young.size() === REMEMBERED) [old, young] = [young, emptyGeneration()];
    [before, last] = [last, [source, replay]];
    young.add([source, replay]);
    ranges.source.widen(source);
    ranges.replay.widen(replay);
    learned += 1;
    return true;
  };
  return {
    bind,
    bindCauses: (source, replay) =>
      (apart.size > 0 && (apart.has(source) || apart.has(replay))) || bind(source, replay),
    setApart: (id) => {
      if (apart.size === REMEMBERED) apart.clear();
      apart.add(id);
    },
    inReplay,
    count: () => learned,
  };
}

function isPair(pair: Pair | undefined, source: string, replay: string): boolean {
  return pair !== undefined && pair[0] === source && pair[1] === replay;
}
