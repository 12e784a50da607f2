import { rightKeyOf } from '../../src/cache-key/index.ts';
import { advertisedRecipe, readPart } from '../../src/contract/discovery.ts';
import { phase4, VENDOR_RECIPE } from '../../src/contract/gates.ts';
import { fail, notApplicable, pass, undecided, type Outcome } from '../../src/contract/outcome.ts';
import type { Diagnosis } from '../../src/contract/verdict.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { HostHandle } from '../../src/host/client.ts';
import type { Probe } from '../../src/host/probe.ts';
import { isAboutCaller, isNoRoute } from '../../src/protocol/status.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import type { RecipeName, Recorded } from '../../src/runner/scenario.ts';
import { readSecond } from '../shared/second-host.ts';
import { answersIn, diagnosisOf, instabilityOf, joined, keyOf, OWNERS } from './answers.ts';
import { shownAnswer, shownKey, type CacheKeyObservation, type RecordedKey } from './observation.ts';
import { isAllowedRefusal } from './refusable.ts';
import {
  after,
  before,
  controls,
  either,
  probe as asProbe,
  requestText,
  withContent,
  withSchema,
  type KeyRequest,
} from './requests.ts';
import { lineTo, SEAM, seamNeed, send } from './send.ts';
import { wrong as naming } from './diagnoses.ts';

/** The two hosts, in the order of their keys. */
const HOSTS = ['the first host', 'the second host'] as const;

/** The keys of the first and of the second host. */
type Sides = readonly [readonly RecordedKey[], readonly RecordedKey[]];

/**
 * Which of the two hosts depart from the keys that the recipe gives offline, and by which mistake; undefined where
 * neither does. The cases that the documents leave open decide nothing here.
 */
function departures(sides: Sides, recipe: RecipeName): Diagnosis | undefined {
  const found = sides.flatMap((side, index) => {
    const diagnosis = departureOf(side, recipe);
    return diagnosis === undefined ? [] : [{ host: HOSTS[index] ?? '', ...diagnosis }];
  });
  if (found.length === 0) return undefined;
  return {
    code: [...new Set(found.map(({ code }) => code))].join('+'),
    message: found.map(({ host, message }) => `${host} departs from the offline key: ${message}`).join('; '),
  };
}

function departureOf(side: readonly RecordedKey[], recipe: RecipeName): Diagnosis | undefined {
  const explained = diagnosisOf(side, recipe);
  if (explained !== undefined) return explained;
  const wrong = side.find((each) => {
    const right = each.part === 'either' ? undefined : rightKeyOf(each.request, recipe);
    return right !== undefined && keyOf(each) !== undefined && keyOf(each) !== right;
  });
  if (wrong === undefined) return undefined;
  const message = `${shownKey(keyOf(wrong) ?? '')} for "${wrong.name}", which no known rule explains`;
  return { code: 'unexplained', message };
}

/** What a host that answers no plain request has to do, where its status tells. */
function remedyOf(side: readonly RecordedKey[], index: number): string {
  const statuses = side.flatMap(({ answer }) => (answer.kind === 'refused' ? [answer.status] : []));
  if (statuses.some(isAboutCaller)) {
    return `; give a credential that it accepts${index === 1 ? ' (--api-key-b-env)' : ''}`;
  }
  return statuses.some(isNoRoute) ? `; it has to expose POST ${SEAM} (docs/seams.md)` : '';
}

const row = {
  id: 'cache-key.cross-host-parity',
  title: 'Two hosts that name the same recipe compute the same key',
};

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

/** What is sent to both hosts because the rows about one host's keys ask it: values that are easily lost or changed. */
const EDGES: Readonly<Record<string, string>> = {
  'temperature: 0': requestText({ temperature: '0' }),
  'temperature: 1': requestText({ temperature: '1.0' }),
  'topP: 0': requestText({ topP: '0' }),
  'topP: 1': requestText({ topP: '1' }),
  'topK: 1': requestText({ topK: '1' }),
  'text format': requestText({ responseFormat: '{"type":"text"}' }),
  'empty schema': withSchema('{}'),
  'null and lists in a schema': withSchema('{"default":null,"enum":[],"required":["b","a"],"title":""}'),
  'tools out of order': requestText({ tools: toolsNamed('tool2', 'b', 'tool10', 'a_a', 'aB') }),
  'empty description': requestText({ tools: '[{"description":"","name":"f","parameters":{}}]' }),
  'spaces and line ends': withContent(String.raw`" a\r\n\tb\n "`),
  'JSON as a text': withContent(String.raw`"{ \"b\": 1.0, \"a\": [] }"`),
  'composed accent': withContent('"\u00e9"'),
  'decomposed accent': withContent('"e\u0301"'),
  'name of a sender': requestText({ messages: '[{"role":"user","name":"Ann","content":"hello"}]' }),
  'result of a tool': requestText({ messages: '[{"role":"tool","toolCallId":"c","content":"x"}]' }),
  'other provider': requestText({ provider: '"anthropic"' }),
  'model in capitals': requestText({ model: '"GPT-4-latest"' }),
};

const REQUESTS: readonly KeyRequest[] = [
  ...before,
  ...controls.slice(1),
  asProbe('numbers', withSchema('{"const":[1.0,-0.0,1e21,1e-7,5e-324]}')),
  asProbe('names', withSchema('{"\ufb33":1,"\u{1f600}":2,"10":3,"9":4,"__proto__":5}')),
  asProbe('strings', withContent(String.raw`"<&>/\u2028\u001f\u00e9 e\u0301 \ud83d\ude00"`)),
  asProbe('tools', requestText({ tools: '[{"name":"a","parameters":{"b":1,"a":2}},{"name":"Z","parameters":{}}]' })),
  asProbe('names of tools', requestText({ tools: toolsNamed('\ufb33', '\u{1f600}', 'f', 'e\u0301') })),
  asProbe('blocks', withContent('[{"type":"text","text":"a"},{"type":"text","text":" b "}]')),
  ...Object.entries(EDGES).map(([name, request]) => asProbe(name, request)),
  either('tools: []', requestText({ tools: '[]' })),
  ...['temperature', 'topP', 'tools', 'responseFormat'].map((name) =>
    either(`${name}: null`, requestText({ [name]: 'null' })),
  ),
  ...after,
];

async function readRecipes(probe: Probe, second: HostHandle): Promise<RecipesObservation> {
  const { document, unread, exchanges } = await readSecond(second);
  return {
    type: 'recipes',
    exchanges,
    first: advertisedRecipe(readPart(probe.discovery, 'replayDeterminism')) ?? null,
    second: advertisedRecipe(readPart(document, 'replayDeterminism')) ?? null,
    unread,
  };
}

async function drive(probe: Probe): Promise<readonly ParityObservation[]> {
  const { hostB } = probe;
  if (hostB === undefined) return [];
  const recipes = await readRecipes(probe, hostB);
  const own = await send(lineTo(probe), REQUESTS);
  return [recipes, ...own, ...(await send({ ...lineTo(probe, hostB), secondHost: true }, REQUESTS))];
}

/** A missing name counts as the canonical recipe, as it does for the gate. */
function nameOf(recipe: string | null): string {
  return recipe ?? 'spec-rfc-0041';
}

function judge(recorded: readonly Recorded<ParityObservation>[], recipe: RecipeName): Outcome {
  const recipes = recorded.find((each) => each.type === 'recipes');
  if (recipes === undefined) return undecided('no request was sent to a second host', recorded);
  if (recipes.unread !== null) return undecided(recipes.unread, recorded);
  const [one, two] = [nameOf(recipes.first), nameOf(recipes.second)];
  if (one !== two) return notApplicable(`the hosts name different recipes: ${one} and ${two}`, recorded);
  const { keys, cutShort } = answersIn(recorded);
  const sides: Sides = [
    keys.filter(({ secondHost }) => secondHost !== true),
    keys.filter(({ secondHost }) => secondHost === true),
  ];
  for (const [index, side] of sides.entries()) {
    const instability = instabilityOf(side);
    if (instability === undefined) continue;
    return undecided(`${HOSTS[index] ?? ''}: ${instability.reason}${remedyOf(side, index)}`, recorded);
  }
  // The keys of a vendor's recipe cannot be computed offline.
  const found = VENDOR_RECIPE.test(one) ? undefined : departures(sides, recipe);
  const pairs = pairUp(sides);
  const different = pairs.filter(([a, b]) => keyOf(a) !== undefined && keyOf(b) !== undefined && keyOf(a) !== keyOf(b));
  const [shown] = different;
  if (shown !== undefined) {
    const [a, b] = shown;
    const expected = `one key from both hosts for ${different.map(([{ name }]) => `"${name}"`).join(', ')}`;
    const actual = `${shownAnswer(a.answer)} and ${shownAnswer(b.answer)} for "${a.name}"`;
    // Keys that are wrong by themselves differ from anybody's; a vendor's cannot be computed.
    const restsOn = VENDOR_RECIPE.test(one) ? undefined : OWNERS.rightKeys;
    // All of it: what two hosts key alike says nothing beside what they do not.
    return fail({ expected, actual, diagnosis: found ?? naming('hosts-differ'), restsOn }, [
      ...different.flat(),
      ...recorded,
    ]);
  }
  const withoutKeys = pairs.filter((pair) => pair.some(({ answer }) => answer.kind !== 'key'));
  const unpaired = withoutKeys.find(
    (pair) => pair[0].part !== 'either' && !pair.every((each) => isAnswered(each, recipe)),
  );
  const missing = cutShort ?? (unpaired && bothAnswers(unpaired));
  if (missing !== undefined) return undecided(missing, recorded);
  return pass(recorded, joined([...withoutKeys.map(bothAnswers), found?.message]));
}

/** Whether a host gave a key, or refused what it may refuse: two hosts need not agree about that. */
function isAnswered(each: RecordedKey, recipe: RecipeName): boolean {
  return each.answer.kind === 'key' || isAllowedRefusal(each, recipe);
}

type Pair = readonly [RecordedKey, RecordedKey];

function pairUp([first, second]: Sides): readonly Pair[] {
  return first.flatMap((a) => {
    const b = second.find(({ name }) => name === a.name);
    return b === undefined ? [] : [[a, b] as const];
  });
}

/** What the two hosts answered to one request. */
function bothAnswers([a, b]: Pair): string {
  return `"${a.name}": ${shownAnswer(a.answer)} by ${HOSTS[0]}, ${shownAnswer(b.answer)} by ${HOSTS[1]}`;
}

/** replay.md §D: the same request, sent to both hosts; the either-cases must agree too where both give a key. */
export const crossHostParity = defineScenario<ParityObservation>({
  ...row,
  suite: 'cache-key-portable',
  gate: phase4,
  needs: [seamNeed, { kind: 'second-host' }],
  drive,
  checks: [{ ...row, judge: (recorded, { options: { recipe } }) => judge(recorded, recipe) }],
});
