import { isObject, type JsonObject } from '../../json.ts';
import type { Fetch } from '../../parts.ts';
import type { Parts } from '../mutant.ts';

export const EXECUTION_MODEL = ['multiAgent', 'executionModel'] as const;
export const REPLAY_DETERMINISM = [...EXECUTION_MODEL, 'replayDeterminism'] as const;

/** Replaces the value at a path of the discovery document, in its mirror under `capabilities` too; undefined removes it. */
export function advertising(path: readonly string[], change: (value: unknown) => unknown): Parts {
  return () => ({
    discovery: (document) => replaced(replaced(document, path, change), ['capabilities', ...path], change),
  });
}

/** Puts members into the block at a path of the discovery document, in the place of those that have the same names. */
export function advertisingWith(path: readonly string[], members: JsonObject): Parts {
  return advertising(path, (block) => (isObject(block) ? { ...block, ...members } : block));
}

/** Answers the request for the discovery document itself; `next` is the conformant host. */
export function answeringDiscovery(answer: (request: Request, next: Fetch) => ReturnType<Fetch>): Parts {
  return () => ({
    middleware: (next) => (request) =>
      new URL(request.url).pathname === '/.well-known/openwop' ? answer(request, next) : next(request),
  });
}

/** A path that is not there is left alone. */
function replaced(value: unknown, path: readonly string[], change: (value: unknown) => unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return change(value);
  if (!isObject(value) || !Object.hasOwn(value, name)) return value;
  return { ...value, [name]: replaced(value[name], rest, change) };
}
