import { computeKey, diagnoseKey, isPossibleKey, readRequestFile, type NamedRequest } from '../../cache-key/index.ts';
import { collectLargeGarbage } from '../../evidence/garbage.ts';
import { escapeTerminal } from '../../report/escape.ts';
import { print, printJson, printMessage } from '../printer.ts';
import { readTextInput } from '../text-file.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { cut } from '../../evidence/cut.ts';

export interface CacheKeyFlags {
  readonly recipe: 'rfc-0041' | 'rfc-0150';
  readonly json?: true;
  readonly diagnose?: string;
}

/** Characters of a key that none can be. */
const SHOWN = 100;

function shownKey(key: string): string {
  const rest = key.length - SHOWN;
  return rest > 0 ? `${JSON.stringify(cut(key, SHOWN))}… (${key.length} characters)` : JSON.stringify(key);
}

interface ComputedRequest {
  readonly named: NamedRequest;
  readonly canonical: string;
  readonly cacheKey: string;
}

/**
 * `cache-key`: prints canonical form and key of every request, or names the rule that gives a wrong key. Returns 0; 1
 * when a vector file states another key, or when no known rule gives the diagnosed key.
 */
export async function cacheKey(file: string, flags: CacheKeyFlags): Promise<number> {
  if (flags.diagnose !== undefined && !isPossibleKey(flags.diagnose)) {
    throw new UsageError(`no rule, right or wrong, gives the key ${shownKey(flags.diagnose)}`);
  }
  // What is in use now is no garbage of a large request.
  collectLargeGarbage();
  const read = readRequestFile(await readTextInput(file, MOST_BYTES));
  if (!read.ok) throw new UsageError(`${file}: ${read.message}`);
  // Each pass reads the text anew; the tree of the one before is garbage.
  collectLargeGarbage();
  const computed = read.requests.map((named) => computeOne(file, named, flags.recipe));
  collectLargeGarbage();
  if (flags.diagnose !== undefined) return diagnose(computed, flags.diagnose, flags);
  for (const one of computed) {
    if (flags.json === true) printJson({ cacheKey: one.cacheKey, canonical: one.canonical });
    else print(page(one, computed.length));
  }
  const wrong = flags.recipe === 'rfc-0041' ? computed.filter(contradictsVector) : [];
  for (const { named, cacheKey: key } of wrong) {
    printMessage(`${named.name}: the vector file says ${named.cacheKey}, the recipe gives ${key}`);
  }
  return wrong.length === 0 ? 0 : 1;
}

/** Bytes of a file of requests. */
const MOST_BYTES = 128 * 1024 * 1024;

function computeOne(file: string, named: NamedRequest, recipe: CacheKeyFlags['recipe']): ComputedRequest {
  const result = computeKey(named.request, recipe);
  if (!result.ok) throw new UsageError(`${file}: ${named.name}: ${result.message}`);
  return { named, canonical: result.canonical, cacheKey: result.cacheKey };
}

function page({ named, canonical, cacheKey: key }: ComputedRequest, amount: number): string {
  const title = amount === 1 ? '' : `${escapeTerminal(named.name)}\n`;
  return `${title}canonical  ${escapeTerminal(canonical)}\ncache key  ${key}\n`;
}

function contradictsVector({ named, cacheKey: key, canonical }: ComputedRequest): boolean {
  return (
    (named.cacheKey !== undefined && named.cacheKey !== key) ||
    (named.canonical !== undefined && named.canonical !== canonical)
  );
}

/** Variants of one rule that this request cannot tell apart count once: the first is the likeliest. */
function simplestOfEach<E extends { readonly codes: readonly string[] }>(explanations: readonly E[]): readonly E[] {
  const names = explanations.map(({ codes }) => codes.join('+'));
  return explanations.filter((_, index) => names.indexOf(names[index] ?? '') === index);
}

function diagnose(computed: readonly ComputedRequest[], key: string, flags: CacheKeyFlags): number {
  const [one, second] = computed;
  if (one === undefined || second !== undefined) throw new UsageError('--diagnose takes exactly one request');
  const right = one.cacheKey === key;
  const found = right ? [] : diagnoseKey(one.named.request, key, flags.recipe);
  const explanations = simplestOfEach(found ?? []);
  if (flags.json === true) {
    printJson({ key, expected: one.cacheKey, explanations, ...(found === undefined ? { bounded: true } : {}) });
  } else if (right) {
    print(`correct: this is the key of ${flags.recipe}\n`);
  } else if (found === undefined) {
    print(`unknown: not found within the bound of the search; ${flags.recipe} gives ${one.cacheKey}\n`);
  } else if (explanations.length === 0) {
    print(`unknown: no known rule gives this key; ${flags.recipe} gives ${one.cacheKey}\n`);
  } else {
    for (const { codes, message } of explanations) print(`${codes.join(' + ')}: ${escapeTerminal(message)}\n`);
    print(`expected ${one.cacheKey}\n`);
  }
  return right || explanations.length > 0 ? 0 : 1;
}
