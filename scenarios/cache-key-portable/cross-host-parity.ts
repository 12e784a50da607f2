import type { HostHandle } from '../../src/host/client.ts';
import { advertisedRecipe, readDiscovery } from '../../src/contract/discovery.ts';
import { phase4, VENDOR_RECIPE } from '../../src/contract/gates.ts';
import type { Judgement } from '../../src/contract/verdict.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineJudgedScenario } from '../../src/runner/define-judged.ts';
import type { Recorded, RecipeName } from '../../src/runner/scenario.ts';
import { type Ask, askKeys, lineTo } from './ask.ts';
import { departures, HOSTS, remedyOf, type Sides } from './departures.ts';
import { after, before } from './invariance-asks.ts';
import { keyOf, unstable } from './judge-invariance.ts';
import { type CacheKeyObservation, cutShort, keysOf, type RecordedKey, shownAnswer } from './observation.ts';
import { controls, probe as ask, requestText, withContent, withSchema } from './requests.ts';
import { seamNeed } from './seam-need.ts';

const id = 'cache-key.cross-host-parity';
const title = 'Two hosts that name the same recipe compute the same key';

/** Which recipes the two hosts name; null where a document names none, `unread` where there is no document. */
interface RecipesObservation extends Observation {
  readonly type: 'recipes';
  readonly first: string | null;
  readonly second: string | null;
  readonly unread: string | null;
}

type ParityObservation = CacheKeyObservation | RecipesObservation;

function toolsNamed(...names: readonly string[]): string {
  return `[${names.map((name) => `{"name":"${name}","parameters":{}}`).join(',')}]`;
}

const eitherAsks: readonly Ask[] = [
  { name: 'tools: []', part: 'either', request: requestText({ tools: '[]' }) },
  { name: 'temperature: null', part: 'either', request: requestText({ temperature: 'null' }) },
];

const asks: readonly Ask[] = [
  ...before,
  ...controls.slice(1),
  ask('numbers', withSchema('{"const":[1.0,-0.0,1e21,1e-7,5e-324]}')),
  ask('names', withSchema('{"\ufb33":1,"\u{1f600}":2,"10":3,"9":4,"__proto__":5}')),
  ask('strings', withContent(String.raw`"<&>/\u2028\u001f\u00e9 e\u0301 \ud83d\ude00"`)),
  ask('tools', requestText({ tools: '[{"name":"a","parameters":{"b":1,"a":2}},{"name":"Z","parameters":{}}]' })),
  ask('names of tools', requestText({ tools: toolsNamed('\ufb33', '\u{1f600}', 'f', 'e\u0301') })),
  ask('blocks', withContent('[{"type":"text","text":"a"},{"type":"text","text":" b "}]')),
  ...eitherAsks,
  ...after,
];

async function readRecipes(probe: Probe, second: HostHandle): Promise<RecipesObservation> {
  const exchange = await second.exchange({ method: 'GET', path: '/.well-known/openwop', anonymous: true });
  const found =
    exchange.kind === 'response' && exchange.status === 200 && exchange.json.ok ? exchange.json.value : undefined;
  return {
    type: 'recipes',
    exchanges: [exchange.id],
    first: advertisedRecipe(readDiscovery(probe.discovery)) ?? null,
    second: advertisedRecipe(readDiscovery(found)) ?? null,
    unread: found === undefined ? 'the second host gave no discovery document' : null,
  };
}

/** A missing name counts as the canonical recipe, as it does for the gate. */
function nameOf(recipe: string | null): string {
  return recipe ?? 'spec-rfc-0041';
}

function judge(observations: readonly Recorded<ParityObservation>[], recipe: RecipeName): Judgement {
  const recipes = observations.find((each): each is Recorded<RecipesObservation> => each.type === 'recipes');
  const keys = keysOf(observations);
  const evidence = observations.map(({ id: observation }) => observation);
  const open = (verdict: 'pass' | 'inconclusive' | 'not-applicable', reason?: string): Judgement => ({
    check: id,
    verdict,
    ...(reason === undefined ? {} : { reason }),
    evidence,
  });
  if (recipes === undefined) return open('inconclusive', 'no second host was asked');
  if (recipes.unread !== null) return open('inconclusive', recipes.unread);
  const [one, two] = [nameOf(recipes.first), nameOf(recipes.second)];
  if (one !== two) return open('not-applicable', `the hosts name different recipes: ${one} and ${two}`);
  const sides = [
    keys.filter(({ secondHost }) => secondHost !== true),
    keys.filter(({ secondHost }) => secondHost === true),
  ] as const;
  for (const [index, side] of sides.entries()) {
    const why = unstable(side);
    if (why !== undefined) return open('inconclusive', `${HOSTS[index] ?? ''}: ${why}${remedyOf(side, index)}`);
  }
  const digests = VENDOR_RECIPE.test(one) ? undefined : recipe;
  const pairs = pairUp(sides[0], sides[1]);
  const different = pairs.filter(([a, b]) => keyOf(a) !== undefined && keyOf(b) !== undefined && keyOf(a) !== keyOf(b));
  const [shown] = different;
  if (shown !== undefined) return disagreement(different, shown, { sides, digests });
  const missing = cutShort(observations) ?? unpaired(pairs);
  if (missing !== undefined) return open('inconclusive', missing);
  const notes = [refusals(pairs), digests === undefined ? undefined : departures(sides, digests)?.message];
  return open('pass', notes.filter((text) => text !== undefined).join('; ') || undefined);
}

type Pair = readonly [RecordedKey, RecordedKey];

function pairUp(first: readonly RecordedKey[], second: readonly RecordedKey[]): readonly Pair[] {
  return first.flatMap((a) => {
    const b = second.find(({ name }) => name === a.name);
    return b === undefined ? [] : [[a, b] as const];
  });
}

/** A request that a host must answer and that one of them did not. */
function unpaired(pairs: readonly Pair[]): string | undefined {
  const [a, b] =
    pairs.find((pair) => pair[0].part !== 'either' && pair.some(({ answer }) => answer.kind !== 'key')) ?? [];
  if (a === undefined || b === undefined) return undefined;
  return told(a, b);
}

/** What the two hosts answered to one request. */
function told(a: RecordedKey, b: RecordedKey): string {
  return `"${a.name}": ${shownAnswer(a.answer)} by ${HOSTS[0]}, ${shownAnswer(b.answer)} by ${HOSTS[1]}`;
}

function refusals(pairs: readonly Pair[]): string | undefined {
  const found = pairs.filter((pair) => pair.some(({ answer }) => answer.kind !== 'key'));
  const lines = found.map(([a, b]) => told(a, b));
  return lines.length === 0 ? undefined : lines.join('; ');
}

interface Both {
  readonly sides: Sides;
  /** Undefined under a vendor recipe, whose keys cannot be computed offline. */
  readonly digests: RecipeName | undefined;
}

function disagreement(different: readonly Pair[], [a, b]: Pair, { sides, digests }: Both): Judgement {
  const diagnosis = digests === undefined ? undefined : departures(sides, digests);
  return {
    check: id,
    verdict: 'fail',
    expected: `one key from both hosts for ${different.map(([{ name }]) => `"${name}"`).join(', ')}`,
    actual: `${shownAnswer(a.answer)} and ${shownAnswer(b.answer)} for "${a.name}"`,
    ...(diagnosis === undefined ? {} : { diagnosis }),
    evidence: different.flatMap((pair) => pair.map(({ id: observation }) => observation)),
  };
}

/** replay.md §D: the same request, asked of both hosts; the either-cases must agree too where both give a key. */
export const crossHostParity = defineJudgedScenario<ParityObservation>({
  id,
  suite: 'cache-key-portable',
  title,
  checks: [{ id, requirement: id, title }],
  gate: phase4,
  needs: [seamNeed, { kind: 'second-host' }],
  exclusive: [],
  drive: async (probe) => {
    const { hostB } = probe;
    if (hostB === undefined) return [];
    const recipes = await readRecipes(probe, hostB);
    const own = await askKeys(lineTo(probe), asks);
    return [recipes, ...own, ...(await askKeys({ ...lineTo(probe, hostB), secondHost: true }, asks))];
  },
  judge: (observations, { recipe }) => [judge(observations, recipe)],
});
