import { readPart } from '../../src/contract/discovery.ts';
import type { AddedWorkflow, ScenarioOptions } from '../../src/runner/scenario.ts';
import { PUBLIC } from '../shared/public-workflows.ts';
import { SHORT, SWEPT, type SweptFixture } from '../shared/swept-fixtures.ts';

/** A workflow that is not swept, and why. */
export interface LeftOut {
  readonly workflowId: string;
  readonly why: string;
}

/** Which workflows are swept beside the fixtures that rows drive themselves. */
export interface SweepPlan {
  /** How many workflows the host advertises, those that were added among them, fixtures of this project apart. */
  readonly advertised: number;
  /** Those of them that are swept in any case. */
  readonly always: number;
  readonly others: readonly SweptFixture[];
  readonly leftOut: readonly LeftOut[];
}

/** Fixtures of this project that are not swept diverge by design, or need what only their rows know. */
const OWN = /^conformance-determinism-/u;

/** An id that can be shown as it is. */
const PLAIN = /^[^\p{C}]{1,200}$/u;

/** As many ids of a discovery document are looked at. */
const READ_IDS = 2000;

const ALWAYS: ReadonlySet<string> = new Set(SWEPT.map(({ workflowId }) => workflowId));

/**
 * Plans a sweep of whatever the host advertises in `fixtures`: workflows that were added first, then the public ones, then
 * all others, in the order in which the host names them; `sweep` bounds how many. A host that lists none may have the public
 * ones all the same.
 */
export function planSweep(
  document: unknown,
  { sweep = 'all', workflows = [], forks }: Pick<ScenarioOptions, 'sweep' | 'workflows' | 'forks'>,
): SweepPlan {
  const named = [...new Set(readPart(document, 'fixtures').slice(0, READ_IDS))];
  const listed = named.filter((id) => PLAIN.test(id));
  const given = workflows.map(withInputs);
  const added = new Set(workflows.map(({ workflowId }) => workflowId));
  const isShort = forks < SHORT;
  const isOther = (id: string): boolean => !added.has(id) && !ALWAYS.has(id) && !OWN.test(id);
  const known = new Set(PUBLIC.map(({ workflowId }) => workflowId));
  const hasNone = listed.length === 0;
  const ofPublic = PUBLIC.filter(({ workflowId, like }) =>
    hasNone ? like === undefined : isOther(workflowId) && listed.includes(workflowId),
  );
  const unknown = listed.filter((id) => isOther(id) && !known.has(id)).map((workflowId) => ({ workflowId }));
  const candidates: readonly SweptFixture[] = [...ofPublic, ...unknown];
  const kept = candidates.filter(({ like }) => !isShort || like === undefined);
  const most = sweep === 'all' ? kept.length : Math.min(sweep, kept.length);
  const others = kept.slice(0, most);
  const always = listed.filter((id) => ALWAYS.has(id) && !OWN.test(id) && !added.has(id)).length;
  return {
    advertised: given.length + always + candidates.length + (named.length - listed.length),
    always,
    others: [...given, ...others],
    leftOut: [
      ...kept.slice(most).map(({ workflowId }) => ({ workflowId, why: `--sweep ${String(sweep || 'none')}` })),
      ...candidates.filter((each) => !kept.includes(each)).map(({ workflowId }) => ({ workflowId, why: FEW_FORKS })),
      ...named.filter((id) => !PLAIN.test(id)).map(() => ({ workflowId: 'an id', why: 'it cannot be shown' })),
    ],
  };
}

const FEW_FORKS = `another one is like it, and --forks is below ${SHORT}`;

/** A workflow with inputs of somebody's own; what is known of a public one holds as well. */
function withInputs({ workflowId, given }: AddedWorkflow): SweptFixture {
  const known = [...PUBLIC, ...SWEPT].find((each) => each.workflowId === workflowId) ?? { workflowId };
  return given === undefined ? known : { ...known, given: { ...known.given, inputs: given.inputs } };
}
