import type { Json } from '../src/evidence/types.ts';
import type { Recorded } from '../src/runner/scenario.ts';
import type { PlantedCell } from '../scenarios/at-most-once/stream-wins.ts';
import { BEGUN, cellOf, type CellFacts, FULL, logInWords, NONCE } from './crash-cells.ts';

/** What was planted in the runs below. */
export const PLANTED = 'planted-1';

/** A cell, and which nonces stand in its result, in the node's output and in a warning; null where none does. */
interface PlantedFacts extends CellFacts {
  readonly result?: string | null;
  readonly output?: string | null;
  readonly warning?: string;
}

/** A run of a host that is right, in one of whose stores a result was planted, changed by `facts`. */
export function planted(
  store: PlantedCell['store'],
  place: PlantedCell['place'],
  facts: PlantedFacts = {},
): Recorded<PlantedCell> {
  const right = place === 'before' ? PLANTED : NONCE;
  const { result = right, output = right, warning, log: words = FULL, more, ...others } = facts;
  const told = warning === undefined ? words : `${words} log.appended`;
  const nonceOf: Readonly<Record<string, string | null | undefined>> = {
    tool_invocation_finished: result,
    'node.completed': output,
    'log.appended': warning,
  };
  const log = logInWords(told).map((event): Json => {
    const { type, payload } = event as { readonly type: string; readonly payload: object };
    const nonce = nonceOf[type];
    if (nonce === undefined) return event;
    const text = JSON.stringify(payload).replaceAll(NONCE, nonce ?? 'none');
    return { ...(event as object), payload: warning === nonce ? { data: nonce } : (JSON.parse(text) as Json) };
  });
  const cut = place === 'before' ? 'after-execute' : 'after-append-command-committed';
  const shown = place === 'before' ? `${BEGUN} started` : `${BEGUN} started finished`;
  const cell = cellOf({ cut, shown, callsThen: 1, log: words, ...others, more: { log, ...more } });
  return { id: `o-${store}-${place}`, type: 'planted-cell', store, place, nonce: PLANTED, cell, exchanges: [] };
}

/** The four runs of a host that is right, some of them replaced. */
export function plantedRuns(...others: readonly Recorded<PlantedCell>[]): readonly Recorded<PlantedCell>[] {
  const right = (['ledger', 'effect'] as const).flatMap((store) => [planted(store, 'before'), planted(store, 'after')]);
  return right.map((each) => others.find(({ id }) => id === each.id) ?? each);
}
