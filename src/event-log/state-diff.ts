import type { LogState } from './fold.ts';
import type { RunIdRename } from './run-id.ts';
import { type Difference, findDifferences } from './same.ts';

const LIMIT = 100;

/** Where two states differ, at most 100 places; JSON pointers below `/status`, `/variables` and `/channels`. */
export function diffStates(source: LogState, replay: LogState, rename: RunIdRename): readonly Difference[] {
  const search = { rename, found: [], limit: LIMIT };
  findDifferences(source.status, replay.status, { pointer: '/status', places: undefined }, search);
  for (const part of ['variables', 'channels'] as const) {
    findDifferences(
      Object.fromEntries(source[part]),
      Object.fromEntries(replay[part]),
      { pointer: `/${part}`, places: undefined },
      search,
    );
  }
  return search.found;
}
