import { defaultParts, type HostParts } from '../../reference-host/index.ts';

/** The parts that give names. Often only that equal things have equal names can be seen of them, not the names. */
export const NAMING = [
  'cacheKey',
  'actKey',
  'llmCache.invocationId',
  'llmCache.namespace',
  'ledger.idempotencyKey',
  'ledger.externalKey',
] as const;

export type NamingPart = (typeof NAMING)[number];

/** What one thing is called by the conformant host and by a mutant. */
export interface Names {
  readonly conformant: string;
  readonly own: string;
}

/** What mutants call what the conformant host calls otherwise. */
export interface Renames {
  /** Notes a mutant's name; false where one name stands for two others by now. */
  readonly isOneToOne: (id: string, part: NamingPart, names: Names) => boolean;
  /** The parts of which a mutant has given other names, by its id. */
  readonly found: ReadonlyMap<string, ReadonlySet<NamingPart>>;
}

/** Makes an empty record. */
export function createRenames(): Renames {
  const found = new Map<string, Set<NamingPart>>();
  const known = new Map<string, string>();
  const isFirstOrSame = (key: string, name: string): boolean => {
    const before = known.get(key) ?? name;
    known.set(key, before);
    return before === name;
  };
  return {
    found,
    isOneToOne: (id, part, { conformant, own }) => {
      const there = isFirstOrSame(JSON.stringify([id, part, 'there', conformant]), own);
      const back = isFirstOrSame(JSON.stringify([id, part, 'back', own]), conformant);
      if (own !== conformant) found.set(id, (found.get(id) ?? new Set()).add(part));
      return there && back;
    },
  };
}

/** Whether a part gives names. */
export function isNaming(path: string): path is NamingPart {
  return (NAMING as readonly string[]).includes(path);
}

/** The conformant host, but that some of its parts give other names, one to one and of another form. */
export function renamedParts(parts: ReadonlySet<NamingPart>): HostParts {
  const { cacheKey, actKey, llmCache, ledger } = defaultParts;
  const give = <G extends readonly unknown[]>(part: NamingPart, name: (...given: G) => string) =>
    parts.has(part) ? (...given: G): string => otherName(name(...given)) : name;
  return {
    ...defaultParts,
    cacheKey: give('cacheKey', cacheKey),
    actKey: give('actKey', actKey),
    llmCache: {
      ...llmCache,
      invocationId: give('llmCache.invocationId', llmCache.invocationId),
      namespace: give('llmCache.namespace', llmCache.namespace),
    },
    ledger: {
      ...ledger,
      idempotencyKey: give('ledger.idempotencyKey', ledger.idempotencyKey),
      externalKey: give('ledger.externalKey', ledger.externalKey),
    },
  };
}

function otherName(name: string): string {
  return `Other-${Buffer.from(name).toString('hex')}`;
}
