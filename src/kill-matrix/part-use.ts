import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { defaultParts, type HostParts } from '../../reference-host/index.ts';
import type { Mutant } from '../../reference-host/mutants/mutant.ts';
import { type Answer, answerBeside, aroundHost, type Beside } from './exchanges.ts';
import { createPlannedDocuments } from './planned-documents.ts';
import { createRenames, isNaming, type NamingPart } from './renames.ts';

/** The parts of a host, watched. */
export interface WatchedParts {
  readonly parts: HostParts;
  /** The ids of the mutants that made a difference, once all that was begun is through; those that never are count, too. */
  readonly reaching: () => Promise<ReadonlySet<string>>;
  /**
   * The discovery documents of the mutants that give the planner another one, by id; undefined for one that gives none.
   * Whether that makes a difference depends on what is read of it, so these alone are no difference.
   */
  readonly documents: ReadonlyMap<string, unknown>;
  /** The parts of which a mutant gives other names, one to one, by its id. These alone are no difference either. */
  readonly renames: ReadonlyMap<string, ReadonlySet<NamingPart>>;
}

/** How long a mutant may take for an answer after the host was closed. */
const PATIENCE_MS = 2_000;

/**
 * The conformant host's parts, each asking the mutants' parts beside it whenever it is called.
 *
 * A host runs the same code with and without a mutant until a replaced function gives another result than the conformant
 * one. A mutant whose functions, made afresh and asked with the same arguments in the same order, always gave the same
 * results is the conformant host in that scenario, and has nothing to be run for. A function around requests is shown
 * the recorded answers. This assumes that those functions act through their results alone, not by when they give them,
 * and that what they depend on beside their arguments (a count, a set of what was seen, a clock) shows in a run of the
 * scenario alone. A part that is not a function is read unseen, so it always counts as a difference. Where `hostsDie`,
 * answers that broke off are not compared: the whole ones show what a function does.
 */
export function watchParts(mutants: readonly Pick<Mutant, 'id' | 'parts'>[], hostsDie = false): WatchedParts {
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
  const documents = createPlannedDocuments();
  const renames = createRenames();
  const isAlike = (id: string, path: string, [outcome, own]: readonly [Outcome, Outcome]): boolean => {
    const [conformant, other] = [nameIn(outcome), nameIn(own)];
    if (!isNaming(path) || conformant === undefined || other === undefined) return same(outcome, own);
    return renames.isOneToOne(id, path, { conformant, own: other });
  };
  const watch = (path: string, given: readonly unknown[]): unknown => {
    const outcome = call(defaultParts, path, given);
    for (const { id, parts } of beside.get(path) ?? []) {
      if (reaching.has(id)) continue;
      const own = call(parts, path, given);
      if (isAlike(id, path, [outcome, own])) continue;
      const isDocument = path === 'discovery' && own.kind === 'returned' && documents.made(id, own.value);
      if (!isDocument) reaching.add(id);
    }
    if (path === 'discovery') documents.hostMade();
    if (outcome.kind === 'thrown') throw outcome.error;
    return outcome.value;
  };
  const pending = new Map<Promise<void>, () => void>();
  const besides = (path: string, of: (parts: HostParts) => HostParts['forkEndpoint']): readonly Beside[] =>
    (beside.get(path) ?? []).map(({ id, parts }) => ({
      around: of(parts),
      isOpen: () => !reaching.has(id),
      differs: (requested?: Request, answer?: Answer) => {
        const isDocument = requested !== undefined && answer !== undefined && documents.answered(id, requested, answer);
        if (!isDocument) reaching.add(id);
      },
      hostsDie,
    }));
  const forking = besides('forkEndpoint', ({ forkEndpoint }) => forkEndpoint);
  const parts: HostParts = {
    ...(watched(defaultParts, '', watch) as HostParts),
    middleware: (next) => {
      const all = besides('middleware', ({ middleware }) => aroundHost(middleware, next));
      return (request) => {
        documents.requested(request);
        return answerBeside(request, next, { all, pending });
      };
    },
    forkEndpoint: (request, next) => answerBeside(request, next, { all: forking, pending }),
  };
  return {
    parts,
    reaching: async () => {
      const late = setTimeout(PATIENCE_MS, undefined, { ref: false });
      await Promise.race([late, Promise.all(pending.keys())]);
      for (const differs of pending.values()) differs();
      return reaching;
    },
    documents: documents.found,
    renames: renames.found,
  };
}

/** The paths (`llmCache.onReplay`) of the parts that are not the conformant host's own. */
export function replacedParts(parts: Partial<HostParts>): readonly string[] {
  return changes(defaultParts, { ...defaultParts, ...parts }, '');
}

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

function nameIn(outcome: Outcome): string | undefined {
  return outcome.kind === 'returned' && typeof outcome.value === 'string' ? outcome.value : undefined;
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
