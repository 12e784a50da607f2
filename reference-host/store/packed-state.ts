import { isObject } from '../json.ts';
import type { Expired } from './expired.ts';
import { fold, type RunState } from './fold.ts';
import type { Store } from './store.ts';

const MAP = '$entries';
const ABSENT = '$absent';

/** A folded state as JSON that `unpackState` makes the same state of. */
export function packState(state: RunState): unknown {
  return pack(state);
}

/** The state that was packed. */
export function unpackState(packed: unknown): RunState {
  return unpack(packed) as RunState;
}

/** The state before the first event that is left of a log; undefined where nothing of it has expired. */
export function stateBefore(expired: Expired | undefined): RunState | undefined {
  return expired === undefined ? undefined : unpackState(expired.state);
}

/** The state of a run after its whole log, what has expired of it included. */
export function foldOf({ events, expired }: Pick<Store, 'events' | 'expired'>, runId: string): RunState {
  return fold(events.read(runId), stateBefore(expired.get(runId)));
}

function pack(value: unknown): unknown {
  if (value === undefined) return { [ABSENT]: true };
  if (value instanceof Map) return { [MAP]: [...value].map(([name, held]) => [name, pack(held)]) };
  if (Array.isArray(value)) return value.map(pack);
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, held]) => [escaped(name), pack(held)] as const);
  return Object.fromEntries(members);
}

function unpack(packed: unknown): unknown {
  if (Array.isArray(packed)) return packed.map(unpack);
  if (!isObject(packed)) return packed;
  if (Object.hasOwn(packed, ABSENT)) return undefined;
  const entries = Object.hasOwn(packed, MAP) ? packed[MAP] : undefined;
  if (Array.isArray(entries)) return new Map(entries.map(([name, held]: [string, unknown]) => [name, unpack(held)]));
  return Object.fromEntries(Object.entries(packed).map(([name, held]) => [name.replace(/^\$\$/, '$'), unpack(held)]));
}

/** A member's own dollar sign is doubled, so that no data looks like a sign of the packing. */
function escaped(name: string): string {
  return name.startsWith('$') ? `$${name}` : name;
}
