/** What was read of a JSON document. */
export interface Reads {
  /** The document, or a value in it, as one that notes what is read of it. */
  readonly view: (document: unknown) => unknown;
  /** Notes that a reader got to know whether there is a document at all. */
  readonly handedOut: (document: unknown) => void;
  /** Notes that all of it may have been read, down to its text. */
  readonly whole: () => void;
  /** Whether all of it may have been read. */
  readonly isWhole: () => boolean;
  /** Whether everything that was read would have been found the same in another document; undefined stands for none. */
  readonly sameIn: (document: unknown) => boolean;
}

type Path = readonly string[];

/** Notes what is read of one document, by pointers and by what was found there: a plain value, or which kind of block. */
export function createReads(): Reads {
  const found = new Map<string, (document: unknown) => boolean>();
  const views = new WeakMap<object, unknown>();
  let isWhole = false;
  const note = (path: Path, find: typeof shown | typeof names, value: unknown): void => {
    const expected = find(value);
    const key = JSON.stringify([find.name, path]);
    found.set(key, (document) => find(path.reduce<unknown>(own, document)) === expected);
  };
  const view = (value: unknown, path: Path): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    const known = views.get(value) ?? new Proxy(value, handler(path));
    views.set(value, known);
    return known;
  };
  const handler = (path: Path): ProxyHandler<object> => ({
    get: (target, name, self) => {
      if (typeof name === 'string') note([...path, name], shown, own(target, name));
      const value: unknown = Reflect.get(target, name, self);
      return typeof name === 'string' && Object.hasOwn(target, name) ? view(value, [...path, name]) : value;
    },
    has: (target, name) => {
      if (typeof name === 'string') note([...path, name], shown, own(target, name));
      return Reflect.has(target, name);
    },
    getOwnPropertyDescriptor: (target, name) => {
      if (typeof name === 'string') note([...path, name], shown, own(target, name));
      const descriptor = Reflect.getOwnPropertyDescriptor(target, name);
      if (descriptor === undefined || typeof name !== 'string') return descriptor;
      return { ...descriptor, value: view(descriptor.value, [...path, name]) };
    },
    ownKeys: (target) => {
      note(path, names, target);
      return Reflect.ownKeys(target);
    },
  });
  return {
    view: (document) => view(document, []),
    handedOut: (document) => note([], shown, document),
    whole: () => {
      isWhole = true;
    },
    isWhole: () => isWhole,
    sameIn: (document) => !isWhole && [...found.values()].every((isSame) => isSame(document)),
  };
}

/** A value's own member, or undefined. */
function own(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

/** A plain value as JSON, a block by its kind; what is in a block is read by itself. */
function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return Array.isArray(value) ? '[]' : '{}';
}

/** The names of a block's members, in their order. */
function names(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(Object.keys(value)) : 'nothing';
}
