import { defaultParts, type HostParts } from '../../../reference-host/index.ts';

/** The parts of a host, each telling when it is called; `used` holds their paths (`llmCache.onReplay`). */
export interface WatchedParts {
  readonly parts: HostParts;
  readonly used: ReadonlySet<string>;
}

/** The conformant host's parts, watched. */
export function watchParts(): WatchedParts {
  const used = new Set<string>();
  return { parts: watched(defaultParts, '', (path) => used.add(path)) as HostParts, used };
}

/** The paths of the parts that are not the conformant host's own. */
export function replacedParts(parts: Partial<HostParts>): readonly string[] {
  return changes(defaultParts, { ...defaultParts, ...parts }, '');
}

/**
 * Whether replacing parts can change what a scenario sees, when it was run against the conformant host and used those of
 * `used`. A host runs the same code with and without a replacement until the replaced function is called for the first
 * time; where that never happens, it gives the same answers. A part that is not a function is read unseen, so it always
 * counts as used.
 */
export function canReach(replaced: readonly string[], used: ReadonlySet<string>): boolean {
  return replaced.some((path) => used.has(path) || !isFunction(path));
}

type Members = Readonly<Record<string, unknown>>;

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function watched(value: unknown, path: string, use: (path: string) => void): unknown {
  if (typeof value === 'function') {
    return function (this: unknown, ...given: unknown[]): unknown {
      use(path);
      return Reflect.apply(value, this, given);
    };
  }
  if (!isMembers(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, watched(each, below(path, name), use)]));
}

function changes(before: unknown, after: unknown, path: string): readonly string[] {
  if (before === after) return [];
  if (!isMembers(before) || !isMembers(after)) return [path];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => changes(before[name], after[name], below(path, name)));
}

function isFunction(path: string): boolean {
  const value = path.split('.').reduce<unknown>((at, name) => (isMembers(at) ? at[name] : undefined), defaultParts);
  return typeof value === 'function';
}

function below(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
