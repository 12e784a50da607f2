import { isObject, member } from '../json.ts';
import type { Purge } from '../store/response-cache.ts';

/** Which responses a purge request means, or what is wrong with it. An empty object means all of them. */
export function readPurge(body: unknown): Purge | string {
  if (!isObject(body)) return 'The body must be a JSON object.';
  const names = ['runId', 'nodeId', 'cacheKey'].filter((name) => member(body, name) !== undefined);
  const wrong = names.find((name) => typeof body[name] !== 'string');
  if (wrong !== undefined) return `${wrong} must be a string.`;
  return Object.fromEntries(names.map((name) => [name, body[name]]));
}
