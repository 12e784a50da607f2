import { canonicalRecipe } from '../../src/contract/gates.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineJudgedScenario } from '../../src/runner/define-judged.ts';
import type { ScenarioOptions } from '../../src/runner/scenario.ts';
import { askAgain } from './ask-again.ts';
import { type Ask, askDrawn, askKeys, lineTo } from './ask.ts';
import { drawRequests, type Generated } from './generate.ts';
import type { Library } from '../shared/generate-text.ts';
import { goldenRequests } from './golden.ts';
import { pairNames } from './pairs.ts';
import { judgeReproducible } from './judge-reproducible.ts';
import type { CacheKeyObservation } from './observation.ts';
import { seamNeed } from './seam-need.ts';
import { isMismatch, shrink } from './shrink.ts';

const id = 'cache-key.reproducible-offline';

async function drive(probe: Probe, options: ScenarioOptions): Promise<readonly CacheKeyObservation[]> {
  const line = lineTo(probe);
  const golden = goldenRequests(options.recipe).map(({ name, request }): Ask => ({ name, part: 'golden', request }));
  const first = [...(await askKeys(line, golden)), ...(await askPairs(probe, golden))];
  if (options.vectors === 0 || probe.signal.aborted) return first;
  const fc = await import('fast-check');
  const wrong: Generated[] = [];
  const drawn = new Map<string, Generated>();
  const second = await askDrawn(line, {
    asks: asksFor(drawRequests(fc, options), drawn),
    planned: options.vectors,
    onAnswer: ({ name, request, answer }) => {
      const generated = drawn.get(name);
      drawn.delete(name);
      if (generated !== undefined && isMismatch(request, answer, options.recipe)) wrong.push(generated);
    },
  });
  const smallest = await shrinkSmallest({ fc, probe, options }, wrong);
  const again = await askAgain(line, [...first, ...second], options.recipe);
  return [...first, ...second, ...smallest, ...again];
}

/** The generated requests to send; each stays in `drawn` until its answer came. */
function* asksFor(requests: Iterable<Generated>, drawn: Map<string, Generated>): Generator<Ask> {
  for (const generated of requests) {
    const { name, request } = generated;
    drawn.set(name, generated);
    yield { name, part: 'generated', request };
  }
}

/** Asks the first vector in other ways too: a salt, a tenant and a request id have no digest that could be recomputed. */
async function askPairs(probe: Probe, golden: readonly Ask[]): Promise<readonly CacheKeyObservation[]> {
  const [first] = golden;
  if (first === undefined || probe.signal.aborted) return [];
  const again = (name: string, headers?: Readonly<Record<string, string>>): Ask => ({
    name,
    part: 'pair',
    request: first.request,
    variation: name,
    ...(headers === undefined ? {} : { headers }),
  });
  const pinned = { 'x-request-id': 'conformance-request-1' };
  const own = await askKeys(lineTo(probe), [
    again(pairNames.again),
    again(pairNames.pinned, pinned),
    again(pairNames.pinnedAgain, pinned),
  ]);
  if (probe.otherTenant === undefined) return own;
  return [...own, ...(await askKeys(lineTo(probe, probe.otherTenant), [again(pairNames.tenant)]))];
}

interface Shrinking {
  readonly fc: Library;
  readonly probe: Probe;
  readonly options: ScenarioOptions;
}

/** The smallest wrong request has the least to lose, so it is the one to be shrunk. */
async function shrinkSmallest(
  { fc, probe, options: { recipe } }: Shrinking,
  wrong: readonly Generated[],
): Promise<readonly CacheKeyObservation[]> {
  const [chosen] = wrong.toSorted((a, b) => a.request.length - b.request.length || (a.name < b.name ? -1 : 1));
  if (chosen === undefined) return [];
  const found = await shrink(fc, lineTo(probe), { generated: chosen, recipe, withinMs: 2 * probe.timeoutMs });
  return found === undefined ? [] : [found];
}

/** How many requests a slow host answers in one time-out, as a rule of thumb for the whole scenario's patience. */
const vectorsInATimeout = 100;

/** replay.md §B, 0041 §E: the key is recomputed from the request's own text, for fixed requests and for generated ones. */
export const reproducibleOffline = defineJudgedScenario<CacheKeyObservation>({
  id,
  suite: 'cache-key-portable',
  title: 'The key equals the SHA-256 of the canonical form, computed from the request alone',
  checks: [
    { id: `${id}.golden`, requirement: id, title: 'The golden vectors get the keys that are computed offline' },
    { id: `${id}.generated`, requirement: id, title: 'Generated requests get the keys that are computed offline' },
  ],
  gate: canonicalRecipe,
  needs: [seamNeed],
  exclusive: [],
  patience: ({ vectors }) => 30 + Math.ceil(vectors / vectorsInATimeout),
  drive,
  judge: (observations, options) => [
    judgeReproducible(observations, { check: `${id}.golden`, part: 'golden', options }),
    judgeReproducible(observations, { check: `${id}.generated`, part: 'generated', options }),
  ],
});
