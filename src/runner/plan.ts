import { createHash } from 'node:crypto';
import {
  advertisedRecipe,
  executionModelVersion,
  locate,
  member,
  readDiscovery,
  type Discovery,
  speaksOpenwop,
} from '../contract/discovery.ts';
import { always, type GateAnswer } from '../contract/gates.ts';
import type { Remedy } from '../contract/remedy.ts';
import type { TargetFacts } from '../contract/report.ts';
import type { Observation, PlanRecord } from '../evidence/types.ts';
import type { Exchange } from '../host/client.ts';
import type { Probe } from '../host/probe.ts';
import { DISCOVERY_PATH } from '../protocol/paths.ts';
import { createLackFinder, deniedBy, discoveryOf, notGiven, type Given } from './needs.ts';
import type { Lack, Need, Scenario } from './scenario.ts';
import { cut } from '../evidence/cut.ts';

/** The scenario id under which the planner's own requests and facts are recorded. */
export const PLAN = 'plan';

/** What the planner learned of the target, as one line of evidence. */
export interface TargetObservation extends Observation, Omit<TargetFacts, 'recipeObserved'> {
  readonly type: 'target';
  /** Whether it advertises replay or the execution model; null where there is no discovery document. */
  readonly offersReplay?: boolean | null;
}

/** Reads the facts of a report's `target` from the discovery answer. */
export function observeTarget(exchange: Exchange, document: unknown): TargetObservation {
  const discovery = readDiscovery(document);
  return {
    type: 'target',
    exchanges: [exchange.id],
    implementation: implementationName(document),
    discoverySha256: exchange.kind === 'response' ? createHash('sha256').update(exchange.text).digest('hex') : null,
    executionModelVersion: executionModelVersion(discovery) ?? null,
    recipeAdvertised: advertisedRecipe(discovery.replayDeterminism) ?? null,
    offersReplay: discoveryOf(document) === undefined ? null : offersReplay(discovery),
  };
}

function offersReplay({ replay, executionModel }: Discovery): boolean {
  return [replay, executionModel].some((block) => block !== undefined && member(block.value, 'supported') !== false);
}

/** Characters of an implementation's own name that a report carries. */
const SHOWN_CHARACTERS = 200;

function implementationName(document: unknown): string | null {
  const implementation = locate(document, ['implementation'])?.value;
  if (typeof implementation === 'string') return cut(implementation, SHOWN_CHARACTERS);
  const parts = [member(implementation, 'name'), member(implementation, 'version')];
  const named = parts.filter((part) => typeof part === 'string');
  return named.length === 0 ? null : cut(named.join(' '), SHOWN_CHARACTERS);
}

/**
 * Decides for each scenario whether it applies: its gate against the discovery document, then each of its needs against
 * the host. A seam or fixture is asked for once, however many scenarios need it.
 */
export async function planScenarios(
  scenarios: readonly Scenario[],
  probe: Probe,
  given: Given,
): Promise<readonly PlanRecord[]> {
  const requested = new Map<string, Promise<Lack | undefined>>();
  const findLack = createLackFinder(probe);
  const lacking = (need: Need): Promise<Lack | undefined> => {
    const key = JSON.stringify(need);
    const answer = requested.get(key) ?? findLack(need);
    requested.set(key, answer);
    return answer;
  };
  const asking: Asking = { probe, given, lacking };
  return Promise.all(scenarios.map((scenario) => planScenario(scenario, asking)));
}

interface Asking {
  readonly probe: Probe;
  readonly given: Given;
  readonly lacking: (need: Need) => Promise<Lack | undefined>;
}

async function planScenario(scenario: Scenario, { probe, given, lacking }: Asking): Promise<PlanRecord> {
  const record = (
    status: PlanRecord['status'],
    reason: string,
    more: Pick<PlanRecord, 'restsOn' | 'remedies'> = {},
  ): PlanRecord => ({ kind: 'plan', scenario: scenario.id, status, reason, ...more });
  const { hindrance } = given;
  if (hindrance?.hasDocument === false) return record('inconclusive', hindrance.message);
  const gate = gateAnswer(scenario, probe.discovery);
  if (gate === undefined)
    return record('inconclusive', unreadable(probe.discoveryExchange), { restsOn: 'discovery.reachable' });
  if (!gate.open) {
    const { because, restsOn } = gate;
    return restsOn === undefined ? record('not-applicable', because) : record('inconclusive', because, { restsOn });
  }
  if (hindrance !== undefined && scenario.documentOnly !== true) {
    return record('inconclusive', hindrance.message, { remedies: [CREDENTIAL] });
  }
  const absent = notGiven(scenario.needs, probe, given);
  // What is given in vain decides nothing: where there are no forks, that is lacking, too, or the row is about nothing.
  const asked = scenario.needs.filter(({ kind }) => absent.length === 0 || kind === 'fork');
  const others = await lacksOf(asked, lacking);
  const isAbout = others.every(({ status, remedy }) => status !== 'not-applicable' || remedy !== undefined);
  const lacks = isAbout ? [...absent, ...others] : others;
  const [first] = lacks;
  if (first === undefined) return record('applicable', gate.because);
  const { status, reason, restsOn } = first;
  const remedies = lacks.flatMap(({ remedy }) => remedy ?? []);
  return record(status, reason, {
    ...(restsOn === undefined ? {} : { restsOn }),
    ...(remedies.length === lacks.length ? { remedies } : {}),
  });
}

const CREDENTIAL: Remedy = { step: 'give a credential that the host accepts' };

/** What a scenario lacks, as far as somebody can do something about it: one lack that nobody can remedy ends the search. */
async function lacksOf(needs: readonly Need[], lacking: Asking['lacking']): Promise<readonly Lack[]> {
  const lacks: Lack[] = [];
  for (const need of needs.toSorted(byDecisiveness)) {
    const lack = await lacking(need);
    if (lack !== undefined) lacks.push(lack);
    if (lack !== undefined && lack.remedy === undefined) return lacks;
  }
  return lacks;
}

/**
 * What a scenario's gate says to a discovery document. Undefined where that cannot be read and the gate asks for
 * something: what such a host advertises is not known, and nothing at all would open the gate of older versions.
 */
function gateAnswer({ gate }: Pick<Scenario, 'gate'>, document: unknown): GateAnswer | undefined {
  const discovery = discoveryOf(document);
  if (gate === always) return gate(discovery ?? readDiscovery({}));
  const answer = discovery && gate(discovery);
  return answer?.open === true && !speaksOpenwop(document) ? SAYS_NOTHING : answer;
}

/** Silence opens no gate: a document without any member of the protocol does not say that something is not offered. */
const SAYS_NOTHING: GateAnswer = {
  open: false,
  because: `GET ${DISCOVERY_PATH} gave a JSON object that has no member of an OpenWOP discovery document`,
  restsOn: 'discovery.shape',
};

/** Whether a discovery document alone keeps a scenario from being driven: its gate is closed, or a need is denied. */
export function isRuledOut(scenario: Pick<Scenario, 'gate' | 'needs'>, document: unknown): boolean {
  return gateAnswer(scenario, document)?.open !== true || deniedBy(discoveryOf(document), scenario.needs);
}

/** In one line: why there is no discovery document. */
export function unreadable(exchange: Exchange): string {
  const what = `GET ${DISCOVERY_PATH}`;
  if (exchange.kind === 'failure') return `${what} got no answer: ${exchange.reason} (${exchange.message})`;
  if (exchange.status !== 200) return `${what} answered ${exchange.status}`;
  if (exchange.json.ok) return `${what} gave JSON that is no object`;
  return `${what} was not read: ${exchange.json.message}`;
}

/** A fork is asked for first: it alone can make a scenario not applicable, and then nothing else is missing. */
function byDecisiveness(a: Need, b: Need): number {
  return Number(b.kind === 'fork') - Number(a.kind === 'fork');
}
