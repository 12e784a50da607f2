/** The stores that can be made to hold another result than the stream (provable-semantics §1). */
export type PlantedStore = 'ledger' | 'effect';

/** A result that a store is to hold of the next call of a node, whatever the tool answers. */
export interface Plant {
  readonly nodeId: string;
  readonly store: PlantedStore;
  readonly result: unknown;
}

/** Results to plant, for tests: each is taken by one call. */
export interface Plants {
  /** Takes the place of what was set for the node. */
  set(plant: Plant): void;
  take(nodeId: string): Plant | undefined;
}

/** Plants that wait; the oldest go first. */
const MOST = 100;

export function createPlants(): Plants {
  const waiting = new Map<string, Plant>();
  return {
    set(plant) {
      waiting.delete(plant.nodeId);
      waiting.set(plant.nodeId, plant);
      const [oldest] = waiting.keys();
      if (waiting.size > MOST && oldest !== undefined) waiting.delete(oldest);
    },
    take(nodeId) {
      const plant = waiting.get(nodeId);
      waiting.delete(nodeId);
      return plant;
    },
  };
}
