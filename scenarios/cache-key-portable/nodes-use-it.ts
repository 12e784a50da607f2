import { canonicalRecipe } from '../../src/contract/gates.ts';
import { member } from '../../src/contract/discovery.ts';
import { fail, isOutcome, pass, rests, undecided, type Outcome } from '../../src/contract/outcome.ts';
import { notVisited } from '../../src/contract/remedy.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { ChatAnswer } from '../../src/evidence/witness.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import type { RecipeName, Recorded, ScenarioOptions } from '../../src/runner/scenario.ts';
import { eventsOf, isCompleted, named, shown } from '../shared/compare-runs.ts';
import { sharedCause } from '../shared/diagnoses.ts';
import { leftWithout, need, runOf, runsOf, type RecordedRun } from '../shared/need.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import { isOnlyOfOtherMode } from '../shared/other-mode.ts';
import { nodeOf } from '../shared/read-event.ts';
import { startFork, startRun } from '../shared/run-observation.ts';
import { purge } from '../shared/seams.ts';
import { outputIn } from '../shared/shown-values.ts';
import { callsAfter, callsOf, type CallsObservation } from '../shared/witnessed-run.ts';
import { wrong } from './diagnoses.ts';
import { keysOfCall, MODELS, NODES } from './node-requests.ts';
import { LLM_KEYS as workflowId } from './stated-requests.ts';

const id = 'cache-key.nodes-use-it';
const SOURCE = 'source';

/** The replays of the source, each after something was purged. */
const REPLAYS = {
  served: 'replay of what is recorded',
  other: 'replay after the key of another call was purged',
  one: 'replay after the key of one of its calls was purged',
  own: 'replay after the keys of its calls were purged',
  whole: 'replay after all that its source recorded was purged',
} as const;

/** How many models a replay may ask before what was purged says nothing. */
const ASKED_AT_MOST = new Map<string, number>([
  [REPLAYS.one, 1],
  [REPLAYS.own, MODELS.size],
]);

/** What was purged before a replay. */
interface PurgeObservation extends Observation {
  readonly type: 'purge';
  readonly before: string;
  /** The keys that were named; none where the run was. */
  readonly keys: readonly string[];
  /** How many responses the host says it forgot. */
  readonly purged: number;
  /** The models whose call's key stood for any of them. */
  readonly forgotten?: readonly string[];
  /** Why the seam did not work; null where it did. */
  readonly problem: string | null;
}

/** What the tool is asked for that a model calls, and the node that has it. */
const QUERY = 'called by the witness';
const TOOL_NODE = 'tool-call';

/**
 * Every model answers the same each time, so that a replay that asks again shows nothing else than one that is served. That of the node
 * whose format is stated says nothing beside that, the others say who answers, and one calls its tool, where that is wanted.
 */
function answerOf(model: string, calls = false): ChatAnswer {
  const by = model === NODES.get('schema-call') ? {} : { by: model };
  const call = calls && model === NODES.get(TOOL_NODE) ? { call: { name: 'search', arguments: { query: QUERY } } } : {};
  return { kind: 'valid', content: JSON.stringify({ valid: true, ...by }), ...call };
}

async function drive(probe: Probe, { recipe }: ScenarioOptions): Promise<readonly Observation[]> {
  const { witness } = probe;
  if (witness === undefined) return [];
  const start = async (calls: boolean) => {
    const visit = witness.visit();
    visit.stageChat((model) => answerOf(model, calls));
    const request = { workflowId, inputs: { witnessUrl: visit.url } };
    return { visit, source: await startRun(probe, request, { role: SOURCE }) };
  };
  const calling = await start(true);
  // A host may do without calls of tools, fail for them or wait for whoever carries them out.
  const isRefused = calling.visit.calls().length > 0 && !isCompleted(calling.source);
  const { visit, source } = isRefused ? await start(false) : calling;
  const recorded: Observation[] = [source, callsAfter(SOURCE, visit)];
  const bodies = visit.calls().flatMap(({ name, body }) => (MODELS.has(name) ? [body] : []));
  const keysFor = (body: unknown): readonly NamedKey[] =>
    keysOfCall(body, recipe).map((cacheKey) => ({ cacheKey, model: String(member(body, 'model')) }));
  const steps = [
    { role: REPLAYS.served },
    { role: REPLAYS.other, keys: keysFor(withModel(bodies[0], 'witness-of-nobody')).slice(0, 1) },
    { role: REPLAYS.one, keys: keysFor(bodies[0]) },
    { role: REPLAYS.own, keys: bodies.flatMap((body) => keysFor(body)) },
    { role: REPLAYS.whole, runId: source.runId ?? '' },
  ];
  for (const { role, ...which } of steps) {
    const requested = visit.calls().length;
    const cleared = role === REPLAYS.served ? undefined : await clear(probe, role, which);
    if (cleared !== undefined) recorded.push(cleared);
    if (source.problem !== null || (cleared?.problem ?? null) !== null) break;
    recorded.push(await startFork(probe, source, { mode: 'replay' }, { role }), callsAfter(role, visit));
    const again = new Set(
      visit
        .calls()
        .slice(requested)
        .map(({ name }) => name),
    );
    // What is asked in any case shows no key, and what was found by its key needs no other proof.
    if (again.size > (ASKED_AT_MOST.get(role) ?? 0) || again.size === MODELS.size) break;
  }
  return recorded;
}

function withModel(body: unknown, model: string): unknown {
  return typeof body === 'object' && body !== null ? { ...body, model } : undefined;
}

/** A key that a call of a model may have. */
interface NamedKey {
  readonly cacheKey: string;
  readonly model: string;
}

/** Makes the host forget what stands under some keys, or all of a run. */
async function clear(
  probe: Probe,
  before: string,
  { keys: asked = [], runId }: { readonly keys?: readonly NamedKey[]; readonly runId?: string },
): Promise<PurgeObservation> {
  const exchanges: string[] = [];
  const keys = asked.map(({ cacheKey }) => cacheKey);
  const forgotten = new Set<string>();
  let purged = 0;
  for (const { model, ...which } of runId === undefined ? asked : [{ runId, model: undefined }]) {
    const { exchange, body, problem } = await purge(probe.host, which);
    exchanges.push(exchange);
    if (problem !== null) return { type: 'purge', before, keys, purged, problem, exchanges };
    const count = member(body, 'purged');
    purged += typeof count === 'number' ? count : 0;
    if (model !== undefined && typeof count === 'number' && count > 0) forgotten.add(model);
  }
  return { type: 'purge', before, keys, purged, forgotten: [...forgotten], problem: null, exchanges };
}

interface NodeRuns {
  readonly source: RecordedRun;
  /** How many calls the source made. */
  readonly count: number;
  /** The models that were asked during the source run, and during each replay that was driven. */
  readonly asked: ReadonlyMap<string, ReadonlySet<string>>;
  readonly replays: readonly RecordedRun[];
  readonly purges: readonly Recorded<PurgeObservation>[];
  readonly evidence: readonly { readonly id: string }[];
}

/** The source and its replays with the models that were asked, or the outcome that is left. */
function see(recorded: readonly Recorded<Observation>[]): NodeRuns | Outcome {
  const runs = need(recorded, SOURCE);
  if (isOutcome(runs)) return runs;
  const source = runs[SOURCE];
  const requested = new Map<string, ReadonlySet<string>>();
  let before = 0;
  for (const role of [SOURCE, ...Object.values(REPLAYS)]) {
    const calls = callsOf(recorded, role)?.calls;
    if (calls === undefined) continue;
    requested.set(role, new Set(calls.slice(before).flatMap((call) => String(member(call, 'name')))));
    before = calls.length;
  }
  const replays = runsOf(recorded).filter(({ fork }) => fork !== null);
  const purges = ofType<PurgeObservation>(recorded, 'purge');
  const evidence = [...replays, ...purges, ...ofType<CallsObservation>(recorded, 'calls'), source];
  const count = callsOf(recorded, SOURCE)?.calls.length ?? 0;
  return { source, count, asked: requested, replays, purges, evidence };
}

const UNSEEN =
  "the keys of the nodes were not seen, so that this suite's other rows hold at most for the seam llm-cache-key";

/** replay.md Phase 4 §A.1: what stands under the recipe's key of a node's call is what the node is served. */
function judge({ source, count, asked, replays, purges, evidence }: NodeRuns): Outcome {
  const open = (why: string) => undecided(`${UNSEEN}: ${why}`, evidence);
  const called = [...MODELS].filter((model) => asked.get(SOURCE)?.has(model) === true);
  if (called.length < MODELS.size) {
    const why = `${called.length} of ${MODELS.size} models were called`;
    const isServed = called.length > 0 && isCompleted(source);
    const another = count === called.length ? servedAnothers(source, called) : undefined;
    return another ?? open(isServed ? `${why}, and ${named(source)} completed` : notVisited(why));
  }
  const left = leftWithout(replays);
  if (left !== undefined) return left;
  const again = (role: string): readonly string[] => called.filter((model) => asked.get(role)?.has(model) === true);
  if (again(REPLAYS.served).length > 0) {
    return rests(SERVED, open(`a replay asks ${again(REPLAYS.served).join(', ')} although its answer is recorded`));
  }
  const closed = purges.find(({ problem }) => problem !== null);
  if (closed !== undefined) return open(closed.problem ?? '');
  if (again(REPLAYS.other).length > 0 || again(REPLAYS.one).length > 1) {
    return open('llm-cache/purge forgets more than what stands under the cacheKey that it is given');
  }
  const found = new Set([...again(REPLAYS.one), ...again(REPLAYS.own)]);
  const lost = called.filter((model) => !found.has(model));
  if (lost.length === 0) return pass(evidence, otherKeysIn(source, purges));
  const onRecord = lost.filter((model) => asked.get(REPLAYS.whole)?.has(model) === true);
  const twofold = underTwoKeys(purges);
  const elsewhere = onRecord.filter((model) => !twofold.has(model));
  const [first] = elsewhere;
  if (first === undefined && onRecord.length > 0) {
    const what = `what stood under the recipe's keys of ${onRecord.join(', ')} was forgotten, and replays are served still`;
    return open(`${what}: other keys lead there as well, as they may for some time (replay.md, Migration)`);
  }
  if (first === undefined) {
    return open(`a replay is served the answers of ${lost.join(', ')} although all of its source was purged`);
  }
  const own = purges.find(({ before }) => before === REPLAYS.own);
  const whole = replays.find(({ role }) => role === REPLAYS.whole) ?? source;
  const mismatch = {
    expected: `${first} is asked again after llm-cache/purge of its call's key, one of ${own?.keys.length ?? 0} that were named`,
    actual: `not asked until all of ${named(source)} was purged; ${elsewhere.length} of ${called.length} models: ${elsewhere.join(', ')}`,
    diagnosis: wrong('node-key'),
  };
  return fail(mismatch, [own ?? source, whole, ...evidence]);
}

/** The failure of a run that did not call the model of a node, and shows as what the node put out the answer of another node's. */
function servedAnothers(source: RecordedRun, called: readonly string[]): Outcome | undefined {
  if (!isCompleted(source)) return undefined;
  for (const event of eventsOf(source)) {
    const model = event.type === 'node.completed' ? NODES.get(nodeOf(event) ?? '') : undefined;
    if (model === undefined || called.includes(model)) continue;
    const output = (JSON.stringify(outputIn(event.payload)) ?? '').replaceAll('\\', '');
    const [other, ...more] = [...MODELS].filter((each) => output.includes(`"by":"${each}"`));
    if (other === undefined || more.length > 0 || !called.includes(other)) continue;
    const expected = `an answer of ${model} to ${nodeOf(event)} in ${named(source)}`;
    const actual = `that of ${other}, to another request, at sequence ${event.sequence}: ${model} was not called`;
    return fail({ expected, actual, diagnosis: wrong('node-key') }, [source]);
  }
  return undefined;
}

/**
 * What is left to say where events of the source show other keys than the recipe's, under which answers are kept: the documents do not
 * say which key an event shows, and a host may have others beside these for some time (replay.md, Migration).
 */
function otherKeysIn(source: RecordedRun, purges: readonly PurgeObservation[]): string | undefined {
  const known = new Set(purges.flatMap(({ keys }) => keys));
  const others = eventsOf(source).filter(({ type, payload }) => {
    const key = type === 'provider.usage' ? member(payload, 'cacheKey') : undefined;
    return typeof key === 'string' && !known.has(key);
  });
  const [first] = others;
  if (first === undefined) return undefined;
  return `answers are kept under the recipe's keys, and ${others.length} provider.usage of ${named(source)} show another cacheKey, such as ${shown(member(first.payload, 'cacheKey'))} at sequence ${first.sequence}`;
}

/**
 * The models under whose own key something was forgotten, by a host that counts what it forgets: of a key that nobody uses,
 * nothing. One that uses other keys alone has nothing there.
 */
function underTwoKeys(purges: readonly PurgeObservation[]): ReadonlySet<string> {
  const other = purges.find(({ before }) => before === REPLAYS.other);
  if (other?.forgotten?.length !== 0 || other.keys.length === 0) return new Set();
  return new Set(purges.flatMap(({ forgotten = [] }) => forgotten));
}

/** The failure of a replay that asks no model and does not show the call of a tool that its source was answered, though it completes as that did. */
export function callLost(recorded: Recordings): Outcome | undefined {
  const [source, replay] = [SOURCE, REPLAYS.served].map((role) => runOf(recorded, role));
  const [before, after] = [SOURCE, REPLAYS.served].map((role) => callsOf(recorded, role)?.calls.length);
  if (source === undefined || replay === undefined || before === undefined || after !== before) return undefined;
  const isShown = (run: RecordedRun): boolean =>
    eventsOf(run).some((event) => nodeOf(event) === TOOL_NODE && JSON.stringify(event.payload).includes(QUERY));
  if (![source, replay].every(isCompleted) || !isShown(source) || isShown(replay)) return undefined;
  const expected = `search, called for ${shown(QUERY)}, in what ${TOOL_NODE} puts out in ${named(replay)}, as in ${named(source)}`;
  return fail({ expected, actual: 'no such call, though no model was asked', diagnosis: wrong('call-lost') }, [
    replay,
    source,
  ]);
}

/** The row about replays that ask a model although its answer is recorded. */
const SERVED = 'cache-key.every-llm-node';

/**
 * The failure of the replay before which nothing was purged, where a model gets a request again that its source, which completed, had an
 * answer to. It belongs to the row about one call of a model, where that one shows it, too.
 */
export function askedAgain(recorded: Recordings, recipe: RecipeName): Outcome | undefined {
  const [source, replay] = [SOURCE, REPLAYS.served].map((role) => runOf(recorded, role));
  const [before, after] = [SOURCE, REPLAYS.served].map((role) => callsOf(recorded, role));
  if (source === undefined || replay === undefined || before === undefined || after === undefined) return undefined;
  if (!isCompleted(source) || isOnlyOfOtherMode(replay)) return undefined;
  const requestOf = (call: unknown): string => keysOfCall(member(call, 'body'), recipe).join();
  const answered = new Set(before.calls.map(requestOf));
  // A body that is no request.
  answered.delete('');
  const again = after.calls
    .slice(before.calls.length)
    .filter((call) => MODELS.has(String(member(call, 'name'))) && answered.has(requestOf(call)));
  if (again.length === 0) return undefined;
  const mismatch = {
    expected: `the answers that ${named(source)} had to the same requests, without a call`,
    actual: `${named(replay)} asks ${again.map((call) => String(member(call, 'name'))).join(', ')}`,
    diagnosis: sharedCause('second-call'),
    restsOn: 'replay.no-second-external-call.model',
  };
  return fail(mismatch, [after, replay, before, source]);
}

/** The nodes' own keys, found from outside: what is forgotten under the key of a call is asked again, and nothing else is. */
export const nodesUseIt = defineScenario<Observation, NodeRuns>({
  id,
  suite: 'cache-key-portable',
  title: "LLM nodes keep answers under the recipe's keys",
  gate: canonicalRecipe,
  needs: [
    { kind: 'fork', mode: 'replay', absent: 'inconclusive' },
    { kind: 'witness' },
    { kind: 'fixture', workflowId },
  ],
  drive,
  see,
  checks: [
    { id, title: 'A replay asks again for what was purged under the key of its call, and for nothing else', judge },
  ],
});
