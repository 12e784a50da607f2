import { canonicalRecipe } from '../../src/contract/gates.ts';
import { notApplicable } from '../../src/contract/outcome.ts';
import type { Diagnosis } from '../../src/contract/verdict.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import type { ScenarioOptions } from '../../src/runner/scenario.ts';
import { type Answers, answersIn } from './answers.ts';
import { drawRequests, type Generated } from './generate.ts';
import { diagnosePairs, goldenRequests, sendPairs } from './golden.ts';
import { judgeReproducible } from './judge-reproducible.ts';
import type { CacheKeyObservation, RecordedKey } from './observation.ts';
import type { KeyRequest } from './requests.ts';
import { lineTo, seamNeed, send, sendDrawn, withRepeats } from './send.ts';
import { isMismatch, shrink } from './shrink.ts';

const id = 'cache-key.reproducible-offline';

async function drive(probe: Probe, options: ScenarioOptions): Promise<readonly CacheKeyObservation[]> {
  const line = lineTo(probe);
  const vectors = goldenRequests(options.recipe);
  const golden = await send(
    line,
    vectors.map(({ name, request }): KeyRequest => ({ name, part: 'golden', request })),
  );
  const [first] = vectors;
  const pairs = first === undefined || probe.signal.aborted ? [] : await sendPairs(probe, first);
  const sent = [...golden, ...pairs];
  if (options.vectors === 0 || probe.signal.aborted) return sent;
  return withRepeats(line, [...sent, ...(await sendGenerated(probe, options))], options.recipe);
}

/** Sends requests that are drawn from the seed, and makes the smallest of those that get a wrong answer smaller still. */
async function sendGenerated(probe: Probe, options: ScenarioOptions): Promise<readonly CacheKeyObservation[]> {
  const fc = await import('fast-check');
  const { recipe } = options;
  const wrong: Generated[] = [];
  const drawn = new Map<string, Generated>();
  const sent = await sendDrawn(lineTo(probe), {
    requests: requestsFor(drawRequests(fc, options), drawn),
    planned: options.vectors,
    onAnswer: ({ name, request, answer }) => {
      const generated = drawn.get(name);
      drawn.delete(name);
      if (generated !== undefined && isMismatch(request, answer, recipe)) wrong.push(generated);
    },
  });
  // The smallest wrong request has the least to lose.
  const [chosen] = wrong.toSorted((a, b) => a.request.length - b.request.length || (a.name < b.name ? -1 : 1));
  if (chosen === undefined) return sent;
  const smallest = await shrink(fc, lineTo(probe), { generated: chosen, recipe, withinMs: 2 * probe.timeoutMs });
  return smallest === undefined ? sent : [...sent, smallest];
}

/** The generated requests to send; each stays in `drawn` until its answer came. */
function* requestsFor(requests: Iterable<Generated>, drawn: Map<string, Generated>): Generator<KeyRequest> {
  for (const generated of requests) {
    const { name, request } = generated;
    drawn.set(name, generated);
    yield { name, part: 'generated', request };
  }
}

/** How many requests a slow host answers in one time-out, as a rule of thumb for the whole scenario's patience. */
const VECTORS_IN_A_TIMEOUT = 100;

interface Seen {
  readonly golden: Answers;
  readonly generated: Answers;
  readonly smallest: RecordedKey | undefined;
  readonly pairs: Diagnosis | undefined;
}

/** replay.md §B, 0041 §E: the key is recomputed from the request's own text, for fixed requests and for generated ones. */
export const reproducibleOffline = defineScenario<CacheKeyObservation, Seen>({
  id,
  suite: 'cache-key-portable',
  title: 'The key equals the SHA-256 of the canonical form, computed from the request alone',
  gate: canonicalRecipe,
  needs: [seamNeed],
  patience: ({ vectors }) => 30 + Math.ceil(vectors / VECTORS_IN_A_TIMEOUT),
  drive,
  see: (recorded, { options: { recipe } }) => ({
    golden: answersIn(recorded, ['golden']),
    generated: answersIn(recorded, ['generated']),
    smallest: answersIn(recorded, ['shrunk']).keys.find(({ request, answer }) => isMismatch(request, answer, recipe)),
    pairs: diagnosePairs(answersIn(recorded).keys),
  }),
  checks: [
    {
      id: `${id}.golden`,
      title: 'The golden vectors get the keys that are computed offline',
      judge: ({ golden, pairs }, { options: { recipe } }) =>
        judgeReproducible({ answers: golden, recipe, planned: 1, pairs }),
    },
    {
      id: `${id}.generated`,
      title: 'Generated requests get the keys that are computed offline',
      judge: ({ generated, pairs, smallest }, { options: { recipe, vectors } }) =>
        vectors === 0
          ? notApplicable('no generated requests were wanted: --vectors 0', [])
          : judgeReproducible({ answers: generated, recipe, planned: vectors, smallest, pairs }),
    },
  ],
});
