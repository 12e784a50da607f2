import type { LogState } from './fold.ts';
import { type RunIdRename, renameRunId, type Difference, findDifferences, same } from './same.ts';

const MOST_PLACES = 32;

/** Where two JSON values that stand at `pointer` differ once the source's run id is renamed, at most 32 places. */
export function diffValues(
  source: unknown,
  replay: unknown,
  at: { readonly pointer: string; readonly sourceRunId: string; readonly replayRunId: string },
): readonly Difference[] {
  const search = { rename: renameRunId(at.sourceRunId, at.replayRunId), found: [], limit: MOST_PLACES };
  findDifferences(source, replay, { pointer: at.pointer, places: undefined }, search);
  return search.found;
}

const LIMIT = 100;

/** Where two states differ, at most 100 places; JSON pointers below `/status`, `/variables` and `/channels`. */
export function diffStates(source: LogState, replay: LogState, rename: RunIdRename): readonly Difference[] {
  const search = { rename, found: [], limit: LIMIT };
  findDifferences(source.status, replay.status, { pointer: '/status', places: undefined }, search);
  for (const part of ['variables', 'channels'] as const) {
    if (areSame(source[part], replay[part], rename)) continue;
    findDifferences(
      Object.fromEntries(source[part]),
      Object.fromEntries(replay[part]),
      { pointer: `/${part}`, places: undefined },
      search,
    );
  }
  return search.found;
}

/** Most states are the same, which is seen without making objects of them. */
function areSame(
  source: ReadonlyMap<string, unknown>,
  replay: ReadonlyMap<string, unknown>,
  rename: RunIdRename,
): boolean {
  if (source.size !== replay.size) return false;
  for (const [name, value] of source) {
    if (!replay.has(name) || !same(value, replay.get(name), rename, undefined)) return false;
  }
  return true;
}
