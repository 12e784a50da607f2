import { renameRunId } from './run-id.ts';
import { type Difference, findDifferences } from './same.ts';

const LIMIT = 32;

/** Where two JSON values that stand at `pointer` differ once the source's run id is renamed, at most 32 places. */
export function diffValues(
  source: unknown,
  replay: unknown,
  at: { readonly pointer: string; readonly sourceRunId: string; readonly replayRunId: string },
): readonly Difference[] {
  const search = { rename: renameRunId(at.sourceRunId, at.replayRunId), found: [], limit: LIMIT };
  findDifferences(source, replay, { pointer: at.pointer, places: undefined }, search);
  return search.found;
}
