import { isDeepStrictEqual } from 'node:util';
import { advertisedRecipe, executionModelVersion, IN_SCOPE, locate, member } from '../../src/contract/discovery.ts';
import { VENDOR_RECIPE } from '../../src/contract/gates.ts';
import { fail, notApplicable, type Outcome, pass, undecidedUntil } from '../../src/contract/outcome.ts';
import { faultsIn, scalarAt, validate, type Violation } from '../../src/contract/validate.ts';
import { isRecord } from '../../src/host/run-event.ts';
import { pointerToken } from '../../src/protocol/json-pointer.ts';
import { misshapenText, placesIn } from '../shared/misshapen.ts';
import { isLink, isPlaceholder } from '../shared/still-to-be-said.ts';
import { type Advertised, short, shown } from './observation.ts';
import { wrong as naming } from './diagnoses.ts';

/** 0041 §D: the recipe is named `spec-rfc-0041` or after the vendor pattern. */
export function judgeRecipeIdentifier({ discovery, evidence }: Advertised): Outcome {
  const recipe = member(discovery.replayDeterminism?.value, 'llmCacheKeyRecipe');
  if (recipe === undefined) return notApplicable('no llmCacheKeyRecipe is advertised', evidence);
  const isNamed = typeof recipe === 'string' && (recipe === 'spec-rfc-0041' || VENDOR_RECIPE.test(recipe));
  if (isNamed) return pass(evidence);
  return fail(
    {
      diagnosis: naming('recipe-unnamed'),
      expected: 'spec-rfc-0041 or x-host-<host>-<recipe>',
      actual: `llmCacheKeyRecipe is ${shown(recipe)}`,
    },
    evidence,
  );
}

/** 0041 §D: version 4 comes with replay determinism, a named recipe and the commitment to emit refusal divergence. */
export function judgeVersionFourComplete({ discovery, evidence }: Advertised): Outcome {
  const version = executionModelVersion(discovery);
  if (version === undefined || version < 4) {
    const value = shown(member(discovery.executionModel?.value, 'version'));
    return notApplicable(`executionModel.version is ${value}`, evidence);
  }
  const block = discovery.replayDeterminism?.value;
  const supported = member(block, 'supported');
  const recipe = member(block, 'llmCacheKeyRecipe');
  const emission = member(block, 'refusalDivergenceEmission');
  const wrong = [
    ...(supported === true ? [] : [['supported', supported] as const]),
    ...(typeof recipe === 'string' && recipe !== '' ? [] : [['llmCacheKeyRecipe', recipe] as const]),
    ...(emission === true ? [] : [['refusalDivergenceEmission', emission] as const]),
  ];
  if (wrong.length === 0) return pass(evidence);
  const expected = `with version ${version}: supported true, a named recipe, refusalDivergenceEmission true`;
  const actual = wrong.map(([name, value]) => `replayDeterminism.${name} is ${shown(value)}`).join('; ');
  // Another row may say so of one member; the others are a mistake of their own.
  const places = isRecord(block) ? wrong.map(([name]) => `/${name}`) : ['/replayDeterminism'];
  return fail({ diagnosis: naming('version-four-incomplete'), expected, actual, places }, evidence);
}

const ABOUT_RECIPE = /recipe|cache-?_?key/iu;

/**
 * 0041 §D: a vendor recipe's algorithm is documented at the discovery document. The text names no place, so any is
 * taken: a member that says more about the recipe than its identifier — by naming it in a key or a text, or by being
 * called after recipes or cache keys — with something in it, a link among it.
 */
export function judgeVendorRecipeDocumented({ document, discovery, evidence }: Advertised): Outcome {
  const recipe = advertisedRecipe(discovery.replayDeterminism);
  if (recipe === undefined || !VENDOR_RECIPE.test(recipe)) {
    return notApplicable(`llmCacheKeyRecipe is ${shown(recipe)}, no vendor recipe`, evidence);
  }
  if (documents(document, recipe)) return pass(evidence);
  // It may stand under any name: what speaks of an algorithm, or leads to documentation, may be about the recipe.
  const hint = hintIn(document, '', recipe);
  if (hint !== undefined) {
    const why = `nothing in the document describes ${recipe} by name, and ${hint} may be about it, or lead to what is`;
    return undecidedUntil('name the recipe where its algorithm is described', why, evidence);
  }
  const expected = `a description of ${recipe} in the discovery document, or a link to one`;
  const actual = 'nothing in the document says more about the recipe than its identifier';
  return fail({ diagnosis: naming('vendor-recipe-undocumented'), expected, actual }, evidence);
}

function documents(value: unknown, recipe: string): boolean {
  if (typeof value === 'string') return value.includes(recipe) && value !== recipe;
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([key, item]) =>
      (key !== 'llmCacheKeyRecipe' && (key.includes(recipe) || ABOUT_RECIPE.test(key)) && says([key], item, recipe)) ||
      documents(item, recipe),
  );
}

/** What a text about the algorithm of a key says, whatever it is called. */
const OF_AN_ALGORITHM = /\bsha-?\d|\bdigest|\bhash|\bJCS\b|\b8785\b/iu;
const DOCS_NAME = /^(?:external_?)?doc(?:s|umentation)?(?:_?ur[il])?$/iu;

/** The place of a text that speaks of an algorithm, or of a link to documentation; undefined where there is none. */
function hintIn(value: unknown, pointer: string, recipe: string): string | undefined {
  if (typeof value === 'string') {
    if (value === recipe) return undefined;
    const names = pointer.split('/');
    const isPlace = names.some((name) => DOCS_NAME.test(name) || ABOUT_RECIPE.test(name) || name.includes(recipe));
    return (isLink(value) && (isPlace || value.includes(recipe))) || OF_AN_ALGORITHM.test(value) ? pointer : undefined;
  }
  if (typeof value !== 'object' || value === null || pointer.length > LONGEST_PLACE) return undefined;
  for (const [name, item] of Object.entries(value)) {
    // What this tool defines itself is about other keys.
    const isPassedOver = OURS.test(name) || (ABOUT_RECIPE.test(pointer) && isOfAnother(name, recipe));
    const hint = isPassedOver ? undefined : hintIn(item, `${pointer}/${pointerToken(name)}`, recipe);
    if (hint !== undefined) return hint;
  }
  return undefined;
}

const OURS = /^x-openwop-/u;

/** Whether a member of what is about recipes is called after another one. */
function isOfAnother(name: string, recipe: string): boolean {
  return VENDOR_RECIPE.test(name) && !name.includes(recipe);
}

/** Characters of the names that lead to a place, at most. */
const LONGEST_PLACE = 2000;

/** Names of members that say how something is computed, or where that is said. */
const DESCRIBES = /algorithm|descri|doc|spec|url|uri|link|hash|digest|canonical|field|input|member|step|include/iu;
/** As deep as a description may lie. */
const DEEP = 6;

/**
 * Whether something more than the recipe's identifier stands at these names: any text below the identifier itself or a name that
 * describes, else one of more than a word.
 */
function says(names: readonly string[], value: unknown, recipe: string): boolean {
  if (typeof value === 'object' && value !== null) {
    const own = Object.entries(value).filter(([name]) => !isOfAnother(name, recipe));
    return names.length < DEEP && own.some(([name, item]) => says([...names, name], item, recipe));
  }
  if (typeof value !== 'string' || isPlaceholder(value) || value === recipe) return false;
  const isDescribed = names.some((name) => name.includes(recipe) || DESCRIBES.test(name));
  return isDescribed || /[^\w-]/u.test(value.trim());
}

/**
 * 0041 §D: the blocks in scope validate against schemas/discovery.schema.json; the rest of the document is free. The types of those
 * that no document prints are for the row about the wire contract.
 */
export function judgeShape({ document, evidence }: Advertised): Outcome {
  const effective = Object.fromEntries(
    IN_SCOPE.flatMap((name) => {
      const placed = locate(document, [name]);
      return placed === undefined ? [] : [[name, placed.value]];
    }),
  );
  const violations = validate('discovery', effective);
  if (violations.length > 0) {
    const own = violations.filter((each) => ownerOf(each) === undefined);
    const [first] = own.length > 0 ? own : violations;
    const expected = 'the blocks in scope as schemas/discovery.schema.json describes them';
    return fail(
      {
        diagnosis: naming('discovery-shape'),
        expected,
        actual: listed(violations, effective),
        restsOn: first && ownerOf(first),
      },
      evidence,
    );
  }
  return pass(evidence, contradictionIn(document, IN_SCOPE));
}

/** wire-contract, Documents: what is said of families on which the root and its mirror differ; undefined where they agree. */
function contradictionIn(document: unknown, families: readonly string[]): string | undefined {
  const mirror = member(document, 'capabilities');
  const members = families.filter((name) => differ(member(document, name), member(mirror, name)));
  if (members.length === 0) return undefined;
  return `the root and its mirror in capabilities differ on ${members.join(', ')}; the root was read`;
}

/** The row that says what is wrong with a block of its own. */
function ownerOf({ pointer }: Violation): string | undefined {
  if (!pointer.startsWith(MODEL)) return undefined;
  return pointer.startsWith(`${MODEL}/replayDeterminism`)
    ? 'discovery.replay-determinism'
    : 'discovery.execution-model';
}

const MODEL = '/multiAgent/executionModel';

/** Members that the wire contract demands, and alone describes. */
const REQUIRED = ['protocolVersion', 'supportedEnvelopes', 'schemaVersions', 'limits'];

/** Families that it allows, beside `multiAgent`, which 0037 prints. */
const OPTIONAL = ['fixtures', 'extensions', 'implementation', 'replay', 'feedback', 'idempotency', 'eventLog'];

/** wire-contract, Documents: what suites read of the members that it alone describes fits the schema, where it is there. */
export function judgeFamilies({ document, evidence }: Advertised): Outcome {
  const placed = (names: readonly string[]): readonly (readonly [string, unknown])[] =>
    names.flatMap((name) => {
      const found = locate(document, [name]);
      return found === undefined ? [] : [[name, found.value] as const];
    });
  const optional = withoutNulls(Object.fromEntries(placed(OPTIONAL)));
  const described = { ...Object.fromEntries(placed(REQUIRED)), ...optional };
  if (Object.keys(described).length === 0) {
    return notApplicable(`none of ${[...REQUIRED, ...OPTIONAL].join(', ')} is there`, evidence);
  }
  const faults = faultsIn('discovery#families', described, 'sent');
  if (faults.length === 0)
    return pass(
      evidence,
      contradictionIn(
        document,
        OPTIONAL.filter((name) => !IN_SCOPE.includes(name)),
      ),
    );
  const first = faults.map((fault) => ({ what: 'the discovery document', fault }));
  const expected = 'what schemas/discovery.schema.json says under $defs/families';
  return fail(
    {
      diagnosis: naming('discovery-shape'),
      expected,
      actual: misshapenText(first, faults.length),
      places: placesIn(faults),
    },
    evidence,
  );
}

/** How deep families hold members that the schema describes. */
const DESCRIBED = 4;

/** Families as they are where null, which stands for no value, is left out. What lists hold is not looked at. */
function withoutNulls(value: Readonly<Record<string, unknown>>, depth = DESCRIBED): Readonly<Record<string, unknown>> {
  const held = Object.entries(value).filter(([, item]) => item !== null);
  return Object.fromEntries(
    held.map(([name, item]) => [name, depth > 1 && isRecord(item) ? withoutNulls(item, depth - 1) : item]),
  );
}

/** Whether two readings of one member contradict each other. */
function differ(a: unknown, b: unknown): boolean {
  return a !== undefined && b !== undefined && !isDeepStrictEqual(a, b);
}

/** 0037 §C: where the block is present, `supported` is a boolean and `version` an integer from 1. */
export function judgeExecutionModel({ discovery: { executionModel: block }, evidence }: Advertised): Outcome {
  if (block === undefined) return notApplicable('multiAgent.executionModel is not advertised', evidence);
  const violations = validate('discovery#executionModel', withoutReplayDeterminism(block.value));
  if (violations.length === 0) return pass(evidence);
  const expected = 'boolean supported and integer version >= 1';
  return fail(
    { diagnosis: naming('discovery-shape'), expected, actual: listed(violations, block.value, block.pointer) },
    evidence,
  );
}

/** That block has a row of its own. */
function withoutReplayDeterminism(block: unknown): unknown {
  if (!isRecord(block)) return block;
  const { replayDeterminism: _, ...rest } = block;
  return rest;
}

/** 0041 §D: where the block is present it is closed, with boolean `supported`. */
export function judgeReplayDeterminism({ discovery: { replayDeterminism: block }, evidence }: Advertised): Outcome {
  if (block === undefined) return notApplicable('replayDeterminism is not advertised', evidence);
  const violations = validate('discovery#replayDeterminism', block.value);
  if (violations.length === 0) return pass(evidence);
  const expected =
    'a closed object of boolean supported, string llmCacheKeyRecipe and boolean refusalDivergenceEmission';
  return fail(
    { diagnosis: naming('discovery-shape'), expected, actual: listed(violations, block.value, block.pointer) },
    evidence,
  );
}

/** Schema violations as one line: at most five of them, each short, since a host may choose the names in them. */
function listed(violations: readonly Violation[], value: unknown, at = ''): string {
  const lines = violations.slice(0, 5).map(({ pointer, message }) => {
    const came = scalarAt(value, pointer);
    return short(`${at}${pointer} ${came === undefined ? '' : `is ${came} and `}${message}`);
  });
  return violations.length > 5 ? `${lines.join('; ')}; and ${violations.length - 5} more` : lines.join('; ');
}
