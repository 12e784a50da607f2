import { isDeepStrictEqual } from 'node:util';
import { defaultParts, type HostParts } from '../../../reference-host/index.ts';
import type { Mutant } from '../../../reference-host/mutants/mutant.ts';

/** The parts of a host, watched; `reaching` holds the ids of the mutants that would have made a difference so far. */
export interface WatchedParts {
  readonly parts: HostParts;
  readonly reaching: ReadonlySet<string>;
}

/**
 * The conformant host's parts, each asking the mutants' parts beside it whenever it is called.
 *
 * A host runs the same code with and without a mutant until a replaced function gives another result than the conformant
 * one. A mutant whose functions, made afresh and asked with the same arguments in the same order, always gave the same
 * results is the conformant host in that scenario, and has nothing to be run for. This assumes that those functions act
 * through their results alone, and that what they depend on beside their arguments (a count, a set of what was seen, a
 * clock) shows in a run of the scenario alone. Functions around a whole request cannot be asked without answering it
 * twice: to be called at all counts as a difference there. So does a part that is not a function, for it is read unseen.
 */
export function watchParts(mutants: readonly Pick<Mutant, 'id' | 'parts'>[]): WatchedParts {
  const reaching = new Set<string>();
  const beside = new Map<string, Suspect[]>();
  for (const { id, parts } of mutants) {
    const own = parts(defaultParts);
    const suspect = { id, parts: { ...defaultParts, ...own } };
    for (const path of replacedParts(own).map((replaced) => (isKeyStep(replaced) ? 'cacheKey' : replaced))) {
      if (typeof at(defaultParts, path) !== 'function') reaching.add(id);
      const known = beside.get(path);
      if (known === undefined) beside.set(path, [suspect]);
      else known.push(suspect);
    }
  }
  const watch = (path: string, given: readonly unknown[]): unknown => {
    const outcome = call(defaultParts, path, given);
    for (const { id, parts } of beside.get(path) ?? []) {
      if (reaching.has(id)) continue;
      if (AROUND_REQUESTS.has(path) || !same(outcome, call(parts, path, given))) reaching.add(id);
    }
    if (outcome.kind === 'thrown') throw outcome.error;
    return outcome.value;
  };
  return { parts: watched(defaultParts, '', watch) as HostParts, reaching };
}

/** The paths (`llmCache.onReplay`) of the parts that are not the conformant host's own. */
export function replacedParts(parts: Partial<HostParts>): readonly string[] {
  return changes(defaultParts, { ...defaultParts, ...parts }, '');
}

const AROUND_REQUESTS: ReadonlySet<string> = new Set(['middleware', 'forkEndpoint']);

/** The host takes these steps nowhere but through the whole key, which takes them from the parts that it is given. */
function isKeyStep(path: string): boolean {
  return path === 'projectRequest' || path === 'serialise' || path === 'digest';
}

interface Suspect {
  readonly id: string;
  readonly parts: HostParts;
}

type Outcome =
  | { readonly kind: 'returned'; readonly value: unknown }
  | { readonly kind: 'thrown'; readonly error: unknown };

function call(parts: HostParts, path: string, given: readonly unknown[]): Outcome {
  const called = at(parts, path);
  if (typeof called !== 'function') return { kind: 'returned', value: called };
  try {
    const value: unknown = Reflect.apply(called, undefined, path === 'cacheKey' ? [given[0], parts] : given);
    return { kind: 'returned', value };
  } catch (error) {
    return { kind: 'thrown', error };
  }
}

/** The order of members is a difference too: it can be seen on the wire. */
function same(a: Outcome, b: Outcome): boolean {
  if (a.kind === 'returned' && b.kind === 'returned' && Object.is(a.value, b.value)) return true;
  return isDeepStrictEqual(a, b) && JSON.stringify(a) === JSON.stringify(b);
}

type Members = Readonly<Record<string, unknown>>;

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function watched(value: unknown, path: string, watch: (path: string, given: readonly unknown[]) => unknown): unknown {
  if (typeof value === 'function') return (...given: readonly unknown[]): unknown => watch(path, given);
  if (!isMembers(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, watched(each, below(path, name), watch)]),
  );
}

function changes(before: unknown, after: unknown, path: string): readonly string[] {
  if (before === after) return [];
  if (!isMembers(before) || !isMembers(after)) return [path];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => changes(before[name], after[name], below(path, name)));
}

function at(parts: HostParts, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (isMembers(value) ? value[name] : undefined), parts);
}

function below(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
