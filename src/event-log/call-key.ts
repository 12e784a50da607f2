import { createIdBijection } from './bijection.ts';
import type { LogEvent } from './event.ts';
import { isRecord } from './json-value.ts';

/** The events of a tool call (provable-semantics §3), however a host spells them. */
const CALL = /^(?:tool[._-]?invocation|command[._-]?committed)/iu;
/** The member of their payloads that names its key, however a host spells it. */
export const KEY_OF_CALL = /^idempotency[_-]?key$/iu;

interface CallKey {
  readonly member: string;
  readonly key: string;
}

function callKeyOf({ type, payload }: LogEvent): CallKey | undefined {
  if (!CALL.test(type) || !isRecord(payload)) return undefined;
  const member = Object.keys(payload).find((name) => KEY_OF_CALL.test(name));
  const key = member === undefined ? undefined : payload[member];
  return member === undefined || typeof key !== 'string' ? undefined : { member, key };
}

/** A call that two events which may belong together tell of, and its keys in the source and in the replay. */
export interface ComparedCall {
  /** The member of the replay's payload. */
  readonly member: string;
  readonly source: string;
  readonly replay: string;
}

/** The keys of tool calls in two logs: a run's own, which are made of its id (provable-semantics §4.1), stand for its source's. */
export interface CallKeys {
  /** The call that two events tell of; undefined where one of them tells of none, or names no key. */
  readonly look: (source: LogEvent, replay: LogEvent) => ComparedCall | undefined;
  /** What the source's key of a call is called in the replay. */
  readonly inReplay: (call: ComparedCall) => string;
  /**
   * Whether two keys may stand for each other, one for one: a key that the replay has of its own is no other call's, and is not
   * given up again. Learns them.
   */
  readonly fit: (call: ComparedCall) => boolean;
}

/** Makes an empty one, of bounded memory. Whether the keys are right is not said here. */
export function createCallKeys(): CallKeys {
  // A call that began in fixed history may end under the replay's own key.
  const [kept, own] = [createIdBijection(), createIdBijection()];
  return {
    look: (a, b) => {
      const source = callKeyOf(a);
      const replay = source && callKeyOf(b);
      return source && replay && { member: replay.member, source: source.key, replay: replay.key };
    },
    inReplay: ({ source, replay }) => own.inReplay(source) ?? replay,
    fit: ({ source, replay }) =>
      source === replay
        ? own.inReplay(source) === undefined && kept.bind(source, replay)
        : kept.inReplay(replay) === undefined && own.bind(source, replay),
  };
}
