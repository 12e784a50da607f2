/** A value and the JSON pointer where it stands in the document. */
export interface Placed {
  readonly pointer: string;
  readonly value: unknown;
}

/** The parts of a discovery document that gates and checks read. */
export interface Discovery {
  readonly executionModel: Placed | undefined;
  readonly replayDeterminism: Placed | undefined;
  readonly replay: Placed | undefined;
  readonly feedback: Placed | undefined;
  /** idempotency.multiRegion and eventLog.crossEngineOrdering (replay.md, Cross-region replay). */
  readonly multiRegionIdempotency: Placed | undefined;
  readonly crossEngineOrdering: Placed | undefined;
  /** The extension block of the provable-semantics table (readings, Extension block). */
  readonly provable: Placed | undefined;
  readonly fixtures: readonly string[];
}

/**
 * Finds a member by its path: at the document's root first, then under the `capabilities` mirror where older hosts keep
 * it (wire-contract, Documents). Undefined when it stands in neither place.
 */
export function locate(document: unknown, path: readonly string[]): Placed | undefined {
  for (const prefix of [[], ['capabilities']]) {
    const full = [...prefix, ...path];
    const value = full.reduce<unknown>(member, document);
    if (value !== undefined) return { pointer: `/${full.join('/')}`, value };
  }
  return undefined;
}

/**
 * Reads the parts in scope, a block and all that is in it from one place; nothing is validated beyond being found. Each
 * part is looked for when it is asked for, so that who watches the document sees what a reader depends on.
 */
export function readDiscovery(document: unknown): Discovery {
  return {
    get executionModel() {
      return locate(document, EXECUTION_MODEL);
    },
    get replayDeterminism() {
      const executionModel = locate(document, EXECUTION_MODEL);
      const value = member(executionModel?.value, 'replayDeterminism');
      if (executionModel === undefined || value === undefined) return undefined;
      return { pointer: `${executionModel.pointer}/replayDeterminism`, value };
    },
    get replay() {
      return locate(document, ['replay']);
    },
    get feedback() {
      return locate(document, ['feedback']);
    },
    get multiRegionIdempotency() {
      return locate(document, ['idempotency', 'multiRegion']);
    },
    get crossEngineOrdering() {
      return locate(document, ['eventLog', 'crossEngineOrdering']);
    },
    get provable() {
      return locate(document, ['extensions', 'x-openwop-provable-semantics']);
    },
    get fixtures() {
      const fixtures = locate(document, ['fixtures'])?.value;
      return Array.isArray(fixtures) ? fixtures.filter((id): id is string => typeof id === 'string') : [];
    },
  };
}

const EXECUTION_MODEL = ['multiAgent', 'executionModel'];

/** A member of a JSON object by its own name; undefined for anything else, inherited names among it. */
export function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}

/** The recipe identifier that a host advertises, or undefined where there is none that is a string. */
export function advertisedRecipe(discovery: Discovery): string | undefined {
  const recipe = member(discovery.replayDeterminism?.value, 'llmCacheKeyRecipe');
  return typeof recipe === 'string' ? recipe : undefined;
}

/** The modes that the replay block lists, or undefined where there is no list. Says nothing of `supported`. */
export function advertisedModes(discovery: Discovery): readonly string[] | undefined {
  const modes = member(discovery.replay?.value, 'modes');
  return Array.isArray(modes) ? modes.filter((mode): mode is string => typeof mode === 'string') : undefined;
}

/** The failpoints that the extension block lists, without those that are no text; none where there is no list. */
export function advertisedFailpoints(discovery: Discovery): readonly string[] {
  const failpoints = member(discovery.provable?.value, 'failpoints');
  return Array.isArray(failpoints) ? failpoints.filter((name): name is string => typeof name === 'string') : [];
}

/** The advertised executionModel.version, or undefined where there is none that is an integer. */
export function executionModelVersion(discovery: Discovery): number | undefined {
  const version = member(discovery.executionModel?.value, 'version');
  return typeof version === 'number' && Number.isInteger(version) ? version : undefined;
}
