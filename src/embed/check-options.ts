import { nearestNames, unknownName } from '../contract/nearest.ts';
import { UsageError } from '../contract/usage-error.ts';
import type { ConformanceTarget, RunConformanceOptions } from './options.ts';

/** What an option has to be, in words, and whether a value is. */
export type Kind = readonly [what: string, is: (value: unknown) => boolean];

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isText = (value: unknown): value is string => typeof value === 'string';

export const TEXT: Kind = ['a text', isText];
export const TEXTS: Kind = ['a list of texts', (value) => Array.isArray(value) && value.every(isText)];
const NUMBER: Kind = ['a number', (value) => typeof value === 'number'];
export const FLAG: Kind = ['true or false', (value) => typeof value === 'boolean'];
const OBJECT: Kind = ['an object', (value) => isObject(value) && !Array.isArray(value)];
const FUNCTION: Kind = ['a function', (value) => typeof value === 'function'];
const SIGNAL: Kind = [
  'an AbortSignal',
  (value) => isObject(value) && 'aborted' in value && 'addEventListener' in value,
];

function oneOf(...values: readonly string[]): Kind {
  return [values.join(' or '), (value) => isText(value) && values.includes(value)];
}

const LEVEL = oneOf('must', 'should');
const RECIPE = oneOf('rfc-0041', 'rfc-0150');

/** The options of `judgeEvidence`, `cacheKey` and `compareLogs`. */
export const JUDGING = { level: LEVEL, allowInconclusive: FLAG } as const;
export const KEYING = { recipe: RECIPE } as const;
export const COMPARING = { volatile: TEXTS } as const;

const OPTIONS: Readonly<Record<keyof RunConformanceOptions, Kind>> = {
  target: OBJECT,
  suites: TEXTS,
  scenarios: TEXTS,
  requirements: TEXTS,
  ...JUDGING,
  ...KEYING,
  seed: NUMBER,
  vectors: NUMBER,
  forks: NUMBER,
  sweep: ['a number or all', (value) => typeof value === 'number' || value === 'all'],
  ...COMPARING,
  concurrency: NUMBER,
  timeoutMs: NUMBER,
  maxTimeMs: NUMBER,
  witness: OBJECT,
  evidence: TEXT,
  signal: SIGNAL,
  onProgress: FUNCTION,
};

const HOST = { baseUrl: TEXT, apiKey: TEXT, fetch: FUNCTION } as const;

const TARGET: Readonly<Record<keyof ConformanceTarget, Kind>> = {
  ...HOST,
  tenantBKey: TEXT,
  limitedKey: TEXT,
  blindKey: TEXT,
  second: OBJECT,
};

/**
 * Refuses what a program without types may give: names that no option has, and values of another kind. A misspelt option
 * would judge more, or less, than was asked for. Throws UsageError.
 */
export function checkOptions(requested: unknown): asserts requested is RunConformanceOptions {
  const options = membersOf('', requested, OPTIONS, 'target');
  const target = membersOf('target', options['target'], TARGET, 'baseUrl');
  if (target['second'] !== undefined) membersOf('target.second', target['second'], HOST, 'baseUrl');
  const { witness } = options;
  if (witness !== undefined) membersOf('witness', witness, { hostname: TEXT, port: NUMBER, url: TEXT });
}

type Members = Readonly<Record<string, unknown>>;

function membersOf(...given: Parameters<typeof wrongWith>): Members {
  const problem = wrongWith(...given);
  if (problem !== undefined) throw new UsageError(problem);
  return given[1] as Members;
}

/**
 * What is wrong with an object, `''` where it holds the options themselves; undefined where each member is of its kind. A host's object
 * may have others, such as what ends it, but none that is misspelt.
 */
export function wrongWith(
  name: string,
  value: unknown,
  members: Readonly<Record<string, Kind>>,
  needed?: string,
): string | undefined {
  if (!isObject(value) || Array.isArray(value)) return `${name || 'what is asked for'} has to be an object`;
  const given = value as Members;
  const known = Object.keys(members);
  const prefix = name === '' ? '' : `${name}.`;
  for (const [member, each] of Object.entries(given)) {
    const kind = known.includes(member) ? members[member] : undefined;
    if (kind === undefined && (name === '' || nearestNames(member, known).length > 0)) {
      const names = known.map((one) => `${prefix}${one}`);
      return unknownName('option', `${prefix}${member}`, names);
    }
    if (kind === undefined || each === undefined) continue;
    const [what, is] = kind;
    if (!is(each)) return `${prefix}${member} has to be ${what}`;
  }
  return needed !== undefined && given[needed] === undefined ? `${prefix}${needed} is missing` : undefined;
}
