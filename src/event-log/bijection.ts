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

interface Generation {
  readonly toReplay: Map<string, string>;
  readonly toSource: Map<string, string>;
}

/**
 * Makes an empty bijection of bounded memory: pairs older than the last 32,768 to 65,536 are forgotten and may be
 * learned again, so a cause that lies further back than that is only held to be consistent from then on.
 */
export function createIdBijection(): IdBijection {
  let young = emptyGeneration();
  let old = emptyGeneration();
  let learned = 0;
  let last: { readonly source: string; readonly replay: string } | undefined;
  const apart = new Set<string>();
  const bind = (source: string, replay: string): boolean => {
    // Most causes are the event before.
    if (last?.source === source && last.replay === replay) return true;
    const forth = young.toReplay.get(source) ?? old.toReplay.get(source);
    const back = young.toSource.get(replay) ?? old.toSource.get(replay);
    if (forth !== undefined || back !== undefined) return forth === replay && back === source;
    if (young.toReplay.size === REMEMBERED) {
      old = young;
      young = emptyGeneration();
    }
    young.toReplay.set(source, replay);
    young.toSource.set(replay, source);
    last = { source, replay };
    learned += 1;
    return true;
  };
  return {
    bind,
    bindCauses: (source, replay) => apart.has(source) || apart.has(replay) || bind(source, replay),
    setApart: (id) => {
      if (apart.size === REMEMBERED) apart.clear();
      apart.add(id);
    },
    inReplay: (source) => young.toReplay.get(source) ?? old.toReplay.get(source),
    count: () => learned,
  };
}

function emptyGeneration(): Generation {
  return { toReplay: new Map(), toSource: new Map() };
}
