import type { HostParts } from '../../reference-host/index.ts';
import type { Mutant } from '../../reference-host/mutants/mutant.ts';
import type { CheckReport } from '../contract/report.ts';
import { isRuledOut } from '../runner/plan.ts';
import { killsHosts, type Suite } from '../runner/scenario.ts';
import { watchParts } from './part-use.ts';
import { createReads } from './reads.ts';
import { type NamingPart, renamedParts } from './renames.ts';
import { runWithParts } from './run-mutant.ts';
import { watchedScenario } from './watched-scenario.ts';

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
