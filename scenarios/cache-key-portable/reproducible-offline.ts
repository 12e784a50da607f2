import { diagnoseAnswers, rightKeyOf, type AnswersDiagnosis, type KeyAnswer } from '../../src/cache-key/index.ts';
import { canonicalRecipe } from '../../src/contract/gates.ts';
import { fail, notApplicable, pass, undecided, type Mistake, type Outcome } from '../../src/contract/outcome.ts';
import type { Diagnosis } from '../../src/contract/verdict.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import type { Recorded, RecipeName, ScenarioOptions } from '../../src/runner/scenario.ts';
import { answersIn, diagnosisBy, keyAnswers, OWNERS, type Answers } from './answers.ts';
import { wrong } from './diagnoses.ts';
import { drawRequests, type Generated } from './generate.ts';
import { diagnosePairs, goldenRequests, sendPairs } from './golden.ts';
import { isUnobserved, shownAnswer, type CacheKeyObservation, type RecordedKey } from './observation.ts';
import { isAllowedRefusal, providerOf } from './refusable.ts';
import { before, controls, type KeyRequest, OTHER_MODEL } from './requests.ts';
import { lineTo, seamNeed, send, sendDrawn, withRepeats } from './send.ts';
import { ALIKE, judgeAlike, sharedByAll } from './shared-keys.ts';
import { isMismatch, shrink } from './shrink.ts';

/** Answers to vectors, and what else is known of the host's keys. */
interface Vectors {
  readonly answers: Answers;
  readonly recipe: RecipeName;
  /** How many answers there have to be. */
  readonly planned: number;
  /** The smallest request that was answered wrongly, where one was looked for. */
  readonly smallest?: RecordedKey | undefined;
  readonly causes: Causes;
}

/** What is known of the mistake behind wrong keys, whichever requests got them. */
interface Causes {
  /** What accounts for the most keys. */
  readonly rule: AnswersDiagnosis;
  /** The provider whose requests alone get wrong keys, where the rule is about these. */
  readonly provider?: string | undefined;
  /** The mistake that sending one vector in several ways showed, or one key for all. */
  readonly pairs?: Diagnosis | undefined;
}

/**
 * Judges keys against those computed offline from the requests' own texts. One wrong key or refusal of a valid request is
 * a failure, with the wrong rule that accounts for the most answers; answers that are missing only leave it open. Requests
 * that a host may refuse show nothing where it does.
 */
function judgeReproducible(vectors: Vectors): Outcome {
  const { keys } = vectors.answers;
  const refused = keys.filter((each) => isAllowedRefusal(each, vectors.recipe));
  const mismatched = keys.filter(({ request, answer }) => isMismatch(request, answer, vectors.recipe));
  const [first] = mismatched;
  if (first !== undefined) return failure(first, mismatched, vectors);
  const missing = missingIn(vectors);
  if (missing !== undefined) return undecided(missing, keys);
  if (refused.length === 0) return pass(keys);
  const note = `${refused.length} of ${keys.length} requests, which a host may refuse, were refused and show nothing`;
  return refused.length === keys.length ? undecided(note, keys) : pass(keys, note);
}

function missingIn({ answers: { keys, cutShort }, planned }: Vectors): string | undefined {
  if (keys.length === 0) return 'no request was sent';
  const unobserved = keys.filter(({ answer }) => isUnobserved(answer));
  const [first] = unobserved;
  if (first !== undefined) {
    return `${unobserved.length} of ${keys.length} not observed, the first "${first.name}": ${shownAnswer(first.answer)}`;
  }
  return cutShort ?? (keys.length < planned ? `only ${keys.length} of ${planned} answers were recorded` : undefined);
}

function failure(
  head: RecordedKey,
  mismatched: readonly RecordedKey[],
  { answers: { keys }, recipe, smallest, causes }: Vectors,
): Outcome {
  const named = causes.rule.kind === 'explained' ? causes.rule.first.name : head.name;
  const first = mismatched.find(({ name }) => name === named) ?? head;
  const shown = smallest ?? first;
  const about = smallest === undefined ? `"${shown.name}"` : 'the smallest wrong request';
  const cause = causeOf(head, mismatched, causes);
  const mismatch: Mistake & { readonly restsOn?: string | undefined } = {
    expected: `${rightKeyOf(shown.request, recipe) ?? 'no key'} for ${about}`,
    actual: `${shownAnswer(shown.answer)}; ${mismatched.length} of ${keys.length} wrong`,
    reason: `${about}: ${shortened(shown.request)}`,
    diagnosis: cause,
    // Keys that change by themselves can be recomputed by nobody.
    restsOn: cause.code === 'salted' ? OWNERS.sameKeys : undefined,
  };
  return fail(mismatch, [shown, first, ...mismatched]);
}

function causeOf(head: RecordedKey, mismatched: readonly RecordedKey[], { rule, pairs, provider }: Causes): Diagnosis {
  if (rule.kind === 'right' || mismatched.every(({ answer }) => answer.kind !== 'key')) {
    const { code, message } = wrong('refused');
    return { code, message: `${message}: ${shownAnswer(head.answer)}` };
  }
  if (rule.kind === 'explained') {
    const { explanation, first, explained, total } = rule;
    const { code, message } = diagnosisBy(explanation);
    const shown = `first shown by "${first.name}", where the wrong rule gives ${first.key}`;
    const among = provider === undefined ? '' : ` for ${provider}, and the others are right`;
    return { code, message: `${message}; ${shown}; explains ${explained} of ${total} keys${among}` };
  }
  if (pairs !== undefined) return pairs;
  const { code, message } = wrong('unexplained');
  return { code, message: `${message}; ${rule.right} of ${rule.total} are right` };
}

const SHOWN = 400;

/** A request on one line, short, with every character that could be mistaken for another as a JSON escape. */
function shortened(request: string): string {
  const line = request
    .replaceAll(/\s*\n\s*/gu, '')
    .replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}… (${request.length} characters)` : line;
}

const id = 'cache-key.reproducible-offline';

async function drive(probe: Probe, options: ScenarioOptions): Promise<readonly CacheKeyObservation[]> {
  const line = lineTo(probe);
  const vectors = goldenRequests(options.recipe);
  // What stands for everything plain in other rows gets its right key, too.
  const plain = [...controls, ...before.filter(({ name }) => name === OTHER_MODEL)];
  const golden = await send(
    line,
    [...vectors, ...plain].map(({ name, request }): KeyRequest => ({ name, part: 'golden', request })),
  );
  const [first] = vectors;
  const pairs = first === undefined || probe.signal.aborted ? [] : await sendPairs(probe, first);
  const sent = [...golden, ...pairs, ...(await send(line, ALIKE))];
  if (options.vectors === 0 || probe.signal.aborted) return sent;
  return withRepeats(line, [...sent, ...(await sendGenerated(probe, options))], options.recipe);
}

/** Sends requests that are drawn from the seed, and makes the smallest of those that get a wrong answer smaller still. */
async function sendGenerated(probe: Probe, options: ScenarioOptions): Promise<readonly CacheKeyObservation[]> {
  const fc = await import('fast-check');
  const { recipe } = options;
  const mistaken: Generated[] = [];
  const drawn = new Map<string, Generated>();
  const sent = await sendDrawn(lineTo(probe), {
    requests: requestsFor(drawRequests(fc, options), drawn),
    planned: options.vectors,
    onAnswer: ({ name, request, answer }) => {
      const generated = drawn.get(name);
      drawn.delete(name);
      if (generated !== undefined && isMismatch(request, answer, recipe)) mistaken.push(generated);
    },
  });
  // The smallest wrong request has the least to lose.
  const [chosen] = mistaken.toSorted((a, b) => a.request.length - b.request.length || (a.name < b.name ? -1 : 1));
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

interface RecomputedKeys {
  readonly golden: Answers;
  readonly generated: Answers;
  readonly alike: Answers;
  readonly smallest: RecordedKey | undefined;
  readonly causes: Causes;
}

/** What the vectors show of a mistake, golden and generated ones together: it has one name in both. */
function causesIn(recorded: readonly Recorded<CacheKeyObservation>[], recipe: RecipeName): Causes {
  const { keys } = answersIn(recorded, ['golden', 'generated']);
  const pairs = sharedByAll(keys, recipe) ?? diagnosePairs(answersIn(recorded).keys);
  const shrunk = keyAnswers(answersIn(recorded, ['shrunk']).keys);
  // Where the keys are known to change by themselves, or not at all, thousands of pairs of rules need not be tried.
  const drawn = diagnoseAnswers(keyAnswers(keys), recipe, pairs === undefined ? 'two rules' : 'one rule');
  // Of two rules that give all keys, the smallest request may tell which it is.
  const found = isRefuted(drawn, shrunk)
    ? diagnoseAnswers([...keyAnswers(keys), ...shrunk], recipe, 'one rule')
    : drawn;
  const rule = isRefuted(found, shrunk)
    ? ({ ...found, kind: 'unexplained', right: rightIn(keys, recipe) } as const)
    : found;
  if (rule.kind !== 'unexplained') return { pairs, rule };
  const own = causeForProvider(keys, recipe);
  return { pairs, rule, ...(own !== undefined && !isRefuted(own.rule, shrunk) ? own : {}) };
}

/** Whether a rule leaves a key unexplained, of those that it was looked for by or of these: it is not the host's. */
function isRefuted(
  rule: AnswersDiagnosis,
  others: readonly KeyAnswer[],
): rule is AnswersDiagnosis & { kind: 'explained' } {
  if (rule.kind !== 'explained') return false;
  return rule.explained < rule.total || others.some(({ request, key }) => rule.keyOf(request) !== key);
}

function rightIn(keys: readonly RecordedKey[], recipe: RecipeName): number {
  return keyAnswers(keys).filter(({ request, key }) => rightKeyOf(request, recipe) === key).length;
}

/** The wrong rule that a host has for the requests of one provider, where no others get wrong keys. */
function causeForProvider(
  keys: readonly RecordedKey[],
  recipe: RecipeName,
): Pick<Causes, 'rule' | 'provider'> | undefined {
  const wrongKeys = keys.filter(({ request, answer }) => isMismatch(request, answer, recipe));
  const [provider, ...others] = new Set(wrongKeys.map(({ request }) => providerOf(request)));
  if (provider === undefined || others.length > 0) return undefined;
  const own = keys.filter(({ request }) => providerOf(request) === provider);
  const rule = diagnoseAnswers(keyAnswers(own), recipe, 'one rule');
  return rule.kind === 'explained' ? { rule, provider } : undefined;
}

/** replay.md §B, 0041 §E: the key is recomputed from the request's own text, for fixed requests and for generated ones. */
export const reproducibleOffline = defineScenario<CacheKeyObservation, RecomputedKeys>({
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
    alike: answersIn(recorded, ['alike']),
    smallest: answersIn(recorded, ['shrunk']).keys.find(({ request, answer }) => isMismatch(request, answer, recipe)),
    causes: causesIn(recorded, recipe),
  }),
  checks: [
    {
      id: `${id}.golden`,
      title: 'The golden vectors and the plain requests get the keys that are computed offline',
      judge: ({ golden, causes }, { options: { recipe } }) =>
        judgeReproducible({ answers: golden, recipe, planned: 1, causes }),
    },
    {
      id: `${id}.generated`,
      title: 'Generated requests get the keys that are computed offline',
      judge: ({ generated, smallest, causes }, { options: { recipe, vectors } }) =>
        vectors === 0
          ? notApplicable('no generated requests were wanted: --vectors 0', [])
          : judgeReproducible({ answers: generated, recipe, planned: vectors, smallest, causes }),
    },
    {
      id: `${id}.alike`,
      title: 'Requests that differ in everything but their length get different keys',
      judge: ({ alike }) => judgeAlike(alike),
    },
  ],
});
