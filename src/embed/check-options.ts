import { nearestNames, unknownName } from '../contract/nearest.ts';
import { UsageError } from '../contract/usage-error.ts';
import type { ConformanceTarget, RunConformanceOptions } from './options.ts';

/** What an option has to be, in words, and whether a value is. */
type Kind = readonly [what: string, is: (value: unknown) => boolean];

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isText = (value: unknown): value is string => typeof value === 'string';

const TEXT: Kind = ['a text', isText];
const TEXTS: Kind = ['a list of texts', (value) => Array.isArray(value) && value.every(isText)];
const NUMBER: Kind = ['a number', (value) => typeof value === 'number'];
const FLAG: Kind = ['true or false', (value) => typeof value === 'boolean'];
const OBJECT: Kind = ['an object', (value) => isObject(value) && !Array.isArray(value)];
const FUNCTION: Kind = ['a function', (value) => typeof value === 'function'];
const SIGNAL: Kind = [
  'an AbortSignal',
  (value) => isObject(value) && 'aborted' in value && 'addEventListener' in value,
];

function oneOf(...values: readonly string[]): Kind {
  return [values.join(' or '), (value) => isText(value) && values.includes(value)];
}

const OPTIONS: Readonly<Record<keyof RunConformanceOptions, Kind>> = {
  target: OBJECT,
  suites: TEXTS,
  scenarios: TEXTS,
  requirements: TEXTS,
  level: oneOf('must', 'should'),
  allowInconclusive: FLAG,
  recipe: oneOf('rfc-0041', 'rfc-0150'),
  seed: NUMBER,
  vectors: NUMBER,
  forks: NUMBER,
  sweep: ['a number or all', (value) => typeof value === 'number' || value === 'all'],
  volatile: TEXTS,
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
export function checkOptions(asked: unknown): asserts asked is RunConformanceOptions {
  const options = read('what is asked for', asked, OPTIONS, 'target');
  const target = read('target', options['target'], TARGET, 'baseUrl');
  if (target['second'] !== undefined) read('target.second', target['second'], HOST, 'baseUrl');
  if (options['witness'] !== undefined) {
    read('witness', options['witness'], { hostname: TEXT, port: NUMBER, url: TEXT }, undefined);
  }
}

type Members = Readonly<Record<string, unknown>>;

/** The members of an object, each of its kind. A host's object may have others, such as what ends it, but none that is misspelt. */
function read(
  name: string,
  value: unknown,
  members: Readonly<Record<string, Kind>>,
  needed: string | undefined,
): Members {
  if (!isObject(value) || Array.isArray(value)) throw new UsageError(`${name} has to be an object`);
  const given = value as Members;
  const known = Object.keys(members);
  const prefix = members === OPTIONS ? '' : `${name}.`;
  for (const [member, each] of Object.entries(given)) {
    const kind = known.includes(member) ? members[member] : undefined;
    if (kind === undefined && (members === OPTIONS || nearestNames(member, known).length > 0)) {
      const names = known.map((one) => `${prefix}${one}`);
      throw new UsageError(unknownName('option', `${prefix}${member}`, names));
    }
    if (kind === undefined || each === undefined) continue;
    const [what, is] = kind;
    if (!is(each)) throw new UsageError(`${prefix}${member} has to be ${what}`);
  }
  if (needed !== undefined && given[needed] === undefined) throw new UsageError(`${prefix}${needed} is missing`);
  return given;
}
