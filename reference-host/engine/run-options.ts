import { member, objectMember, type JsonObject } from '../json.ts';
import type { RunIndex, RunRecord } from '../store/runs.ts';

/** Run options that hold from a position of a log on, events about replays not counted. */
export interface Overlay {
  readonly position: number;
  readonly overlay: JsonObject;
}

const MERGED = ['inputs', 'configurable', 'metadata'];

/** Options with others laid over them: objects member by member, `tags` as a whole. */
export function overlaid(options: JsonObject, overlay: JsonObject): JsonObject {
  const merged = MERGED.map((name) => [name, { ...objectMember(options, name), ...objectMember(overlay, name) }]);
  const tags = member(overlay, 'tags') ?? member(options, 'tags') ?? [];
  return { ...options, ...Object.fromEntries(merged), tags };
}

/**
 * The overlays that a run lives under, the earliest first: a branch has its own and those of its source that held where
 * it left the source; a replay has all of its source's, so that it repeats a branch as the branch was.
 */
export function overlaysOf(runs: RunIndex, run: RunRecord): readonly Overlay[] {
  const branches: Overlay[] = [];
  for (let each: RunRecord | undefined = run; each !== undefined; each = runs.parent(each)) {
    if (each.fork?.mode === 'branch') branches.unshift(each.fork);
  }
  return branches.reduce<readonly Overlay[]>(
    (held, branch) => [...held.filter((each) => each.position <= branch.position), branch],
    [],
  );
}

/** The options that hold at a position of a log, given those of its run.started. */
export function optionsAt(started: JsonObject, overlays: readonly Overlay[], position: number): JsonObject {
  return overlays
    .filter((each) => each.position <= position)
    .reduce((options, each) => overlaid(options, each.overlay), started);
}
