import type { HostParts } from '../../reference-host/index.ts';
import type { Mutant } from '../../reference-host/mutants/mutant.ts';
import type { CheckReport } from '../contract/report.ts';
import type { Exchange, HostHandle } from '../host/client.ts';
import type { CrashBench } from '../host/crash.ts';
import type { Probe } from '../host/probe.ts';
import { DISCOVERY_PATH } from '../protocol/paths.ts';
import { isRuledOut } from '../runner/plan.ts';
import { killsHosts, type Scenario, type Suite } from '../runner/scenario.ts';
import { watchParts } from './part-use.ts';
import { createReads, type Reads } from './reads.ts';
import { type NamingPart, renamedParts } from './renames.ts';
import { runWithParts } from './run-mutant.ts';

/**
 * The scenario, with what its drive reads of the discovery document noted. What is read of it before, for the gate and the
 * needs, is not: these can be asked about another document.
 */
export function watchedScenario(scenario: Scenario, reads: Reads): Scenario {
  return {
    ...scenario,
    drive: (probe, options) => scenario.drive(watchedProbe(probe, reads), options),
  };
}

function watchedProbe(probe: Probe, reads: Reads): Probe {
  const handle = (each: HostHandle | undefined) => each && watchedHandle(each, reads);
  return {
    ...probe,
    host: watchedHandle(probe.host, reads),
    otherTenant: handle(probe.otherTenant),
    limited: handle(probe.limited),
    blind: handle(probe.blind),
    // The second host keeps the conformant document.
    crash: probe.crash && watchedBench(probe.crash, reads),
    discoveryExchange: watchedAnswer(probe.discoveryExchange, ID, reads),
    get discovery() {
      reads.handedOut(probe.discovery);
      return reads.view(probe.discovery);
    },
  };
}

function watchedBench(bench: CrashBench, reads: Reads): CrashBench {
  const lend = <L extends { readonly host: HostHandle }>(lane: L): L => ({
    ...lane,
    host: watchedHandle(lane.host, reads),
  });
  return {
    ...bench,
    use: (work) => bench.use((lane) => work(lend(lane))),
    each: (jobs, work) => bench.each(jobs, (lane, job) => work(lend(lane), job)),
  };
}

function watchedHandle(handle: HostHandle, reads: Reads): HostHandle {
  return {
    ...handle,
    exchange: async (request) => {
      const answer = await handle.exchange(request);
      const mayHoldIt = answer.kind === 'response' && request.path.startsWith(DISCOVERY_PATH);
      return mayHoldIt ? watchedAnswer(answer, STATUS, reads) : answer;
    },
    stream: (request, reader) => {
      if (request.path.startsWith(DISCOVERY_PATH)) reads.whole();
      return handle.stream(request, reader);
    },
  };
}

/** The name of an answer says nothing of what was answered. */
const ID: ReadonlySet<string | symbol> = new Set(['id']);

/** Requests beside the planner's are compared as they are answered: what is noted here is who reads the document. */
const STATUS: ReadonlySet<string | symbol> = new Set([
  'id',
  'kind',
  'status',
  // Read of whatever an async function returns.
  'then',
]);

function watchedAnswer(answer: Exchange, free: ReadonlySet<string | symbol>, reads: Reads): Exchange {
  return new Proxy(answer, {
    get: (target, name, self) => {
      if (!free.has(name)) reads.whole();
      return Reflect.get(target, name, self);
    },
  });
}

/** What a host of these parts is put into: it may have less. */
type Furnish = (parts: HostParts) => Partial<HostParts>;

/**
 * Runs the conformant host, all mutants beside it: gives the ids of those that can make a difference in these scenarios.
 * Throws where a check is red on the conformant host itself.
 */
export async function reachingMutants(
  suites: readonly Suite[],
  mutants: readonly Pick<Mutant, 'id' | 'parts'>[],
  furnish: Furnish = (parts) => parts,
): Promise<readonly string[]> {
  const scenarios = suites.flatMap((suite) => suite.scenarios);
  const { parts, reaching, documents, renames } = watchParts(mutants, scenarios.some(killsHosts));
  const reads = createReads();
  const watched = suites.map((suite) => ({
    ...suite,
    scenarios: suite.scenarios.map((scenario) => watchedScenario(scenario, reads)),
  }));
  const { checks } = await runWithParts(watched, furnish(parts), { crash: 'few' });
  const wrong = checks.find((check) => check.verdict === 'fail' || check.verdict === 'error');
  if (wrong !== undefined)
    throw new Error(`${wrong.id} is ${wrong.verdict} on the conformant host: ${wrong.reason ?? wrong.actual}`);
  const different = new Set(await reaching());
  const others = [...documents].filter(([id, document]) => !different.has(id) && !reads.sameIn(document));
  const isLikeAnother = reads.isWhole() ? () => false : withoutDocumentAgain();
  for (const [id, document] of others) if (!isLikeAnother(document)) different.add(id);
  const open = [...renames].filter(([id]) => !different.has(id));
  const shown = await shownNames({ suites, checks, furnish }, new Set(open.flatMap(([, names]) => [...names])));
  for (const [id, names] of open) if ([...names].some((name) => shown.has(name))) different.add(id);
  // Nothing turns red in a scenario that is not driven, whatever else is different.
  const isDriven = (id: string): boolean =>
    !documents.has(id) || scenarios.some((scenario) => !isRuledOut(scenario, documents.get(id)));
  return [...different].filter(isDriven);
}

/** Hosts without a document are alike to whoever reads nothing else of the answer: whether there was such a one before. */
function withoutDocumentAgain(): (document: unknown) => boolean {
  let isThere = false;
  return (document) => {
    if (document !== undefined) return false;
    const wasThere = isThere;
    isThere = true;
    return wasThere;
  };
}

/** What the conformant host was found to be in some scenarios. */
interface Conformant {
  readonly suites: readonly Suite[];
  readonly checks: readonly CheckReport[];
  readonly furnish: Furnish;
}

/** Those of the parts that give names whose names, and not only their being the same, decide a verdict in these scenarios. */
async function shownNames(
  { suites, checks: conformant, furnish }: Conformant,
  names: ReadonlySet<NamingPart>,
): Promise<ReadonlySet<NamingPart>> {
  const isShown = async (of: ReadonlySet<NamingPart>): Promise<boolean> => {
    const { checks } = await runWithParts(suites, furnish(renamedParts(of)), { crash: 'few' });
    return checks.some(({ verdict }, index) => verdict !== conformant[index]?.verdict);
  };
  if (names.size === 0 || !(await isShown(names))) return new Set();
  if (names.size === 1) return names;
  const shown = new Set<NamingPart>();
  for (const name of names) if (await isShown(new Set([name]))) shown.add(name);
  return shown;
}
