/** A value and the JSON pointer where it stands in the document. */
export interface Placed {
  readonly pointer: string;
  readonly value: unknown;
}

/** The parts of a discovery document that gates and checks read. */
export interface Discovery {
  /** The family that the execution model belongs to. */
  readonly multiAgent: Placed | undefined;
  readonly executionModel: Placed | undefined;
  readonly replayDeterminism: Placed | undefined;
  readonly replay: Placed | undefined;
  readonly feedback: Placed | undefined;
  /** idempotency.multiRegion and eventLog.crossEngineOrdering (replay.md, Cross-region replay). */
  readonly multiRegionIdempotency: Placed | undefined;
  readonly crossEngineOrdering: Placed | undefined;
  /** The extension block of the provable-semantics table (readings, Extension block). */
  readonly provable: Placed | undefined;
  /** The extension block of a Run Timeline View (docs/seams.md). */
  readonly timeline: Placed | undefined;
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

const at =
  (...path: readonly string[]) =>
  (document: unknown): Placed | undefined =>
    locate(document, path);

const executionModel = at('multiAgent', 'executionModel');

/** Where each part stands. */
const PARTS: { readonly [Part in keyof Discovery]: (document: unknown) => Discovery[Part] } = {
  multiAgent: at('multiAgent'),
  executionModel,
  replayDeterminism: (document) => {
    const model = executionModel(document);
    const value = member(model?.value, 'replayDeterminism');
    if (model === undefined || value === undefined) return undefined;
    return { pointer: `${model.pointer}/replayDeterminism`, value };
  },
  replay: at('replay'),
  feedback: at('feedback'),
  multiRegionIdempotency: at('idempotency', 'multiRegion'),
  crossEngineOrdering: at('eventLog', 'crossEngineOrdering'),
  provable: at('extensions', 'x-openwop-provable-semantics'),
  timeline: at('extensions', 'x-openwop-run-timeline'),
  fixtures: (document) => textsIn(locate(document, ['fixtures'])?.value) ?? [],
};

/** Reads one part, a block and all that is in it from one place; nothing else of the document is looked at. */
export function readPart<Part extends keyof Discovery>(document: unknown, part: Part): Discovery[Part] {
  return PARTS[part](document);
}

/** Reads the parts in scope; nothing is validated beyond being found. */
export function readDiscovery(document: unknown): Discovery {
  const parts = Object.entries(PARTS).map(([part, read]) => [part, read(document)]);
  return Object.fromEntries(parts) as Discovery;
}

/** Members in scope, each at the root or in the `capabilities` mirror: by one of them a document of this protocol is known. */
export const IN_SCOPE = [
  'protocolVersion',
  'supportedEnvelopes',
  'schemaVersions',
  'limits',
  'multiAgent',
  'replay',
  'fixtures',
  'extensions',
];

/** Whether a document says in any way that it is one of this protocol: any server may answer with a JSON object. */
export function speaksOpenwop(document: unknown): boolean {
  return IN_SCOPE.some((name) => locate(document, [name]) !== undefined);
}

/** A member of a JSON object by its own name; undefined for anything else, inherited names among it. */
export function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}

/** The recipe identifier that a host advertises, or undefined where there is none that is a string. */
export function advertisedRecipe(replayDeterminism: Discovery['replayDeterminism']): string | undefined {
  const recipe = member(replayDeterminism?.value, 'llmCacheKeyRecipe');
  return typeof recipe === 'string' ? recipe : undefined;
}

/** The modes that the replay block lists, or undefined where there is no list. Says nothing of `supported`. */
export function advertisedModes(replay: Discovery['replay']): readonly string[] | undefined {
  return textsIn(member(replay?.value, 'modes'));
}

/** The failpoints that the extension block lists, without those that are no text; none where there is no list. */
export function advertisedFailpoints(provable: Discovery['provable']): readonly string[] {
  return textsIn(member(provable?.value, 'failpoints')) ?? [];
}

/** The texts in a list; undefined for anything else. */
function textsIn(list: unknown): readonly string[] | undefined {
  return Array.isArray(list) ? list.filter((each): each is string => typeof each === 'string') : undefined;
}

/** How long a worker's lease of a call lasts as the extension block says it, in milliseconds; undefined where it does not. */
export function advertisedLease(provable: Discovery['provable']): number | undefined {
  const leaseMs = member(provable?.value, 'leaseMs');
  return typeof leaseMs === 'number' && leaseMs > 0 ? leaseMs : undefined;
}

/** The advertised executionModel.version, or undefined where there is none that is an integer. */
export function executionModelVersion(discovery: Discovery): number | undefined {
  const version = member(discovery.executionModel?.value, 'version');
  return typeof version === 'number' && Number.isInteger(version) ? version : undefined;
}

/** Whether a request under one Idempotency-Key may be sent again (discovery document, `idempotency`). */
export function advertisesIdempotency(document: unknown): boolean {
  const block = locate(document, ['idempotency'])?.value;
  const layer1 = member(block, 'layer1');
  if (layer1 === undefined) return member(block, 'supported') === true;
  return layer1 === true || member(layer1, 'supported') === true;
}
