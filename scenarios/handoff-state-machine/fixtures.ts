import type { Need } from '../../src/runner/scenario.ts';
import type { Candidates } from '../shared/first-executed.ts';
import type { RunObservation } from '../shared/run-observation.ts';

/** The public fixtures: one worker, one turn, its outcome mapped. */
export const HANDOFF = 'conformance-multi-agent-handoff';
export const HANDOFF_CHILD = 'conformance-multi-agent-handoff-child';
export const PUBLIC = [HANDOFF, HANDOFF_CHILD] as const;
/** What the child's outcome is by default, and the variable that it is mapped to. */
export const OUTCOME = { variable: 'childOutcome', value: 'handoff-complete', mappedTo: 'parentResult' } as const;

const PREFIX = 'conformance-determinism-';
export const TELLER = `${PREFIX}handoff-teller`;
export const ECHO = `${PREFIX}handoff-echo`;
export const RELAY = `${PREFIX}handoff-relay`;
export const FAILING = `${PREFIX}handoff-failing`;
export const BROKEN = `${PREFIX}handoff-broken`;
export const WAITING = `${PREFIX}handoff-waiting`;
export const ASKER = `${PREFIX}handoff-asker`;
export const MISSING = `${PREFIX}handoff-missing`;
export const CLARIFY = `${PREFIX}handoff-clarify`;
export const ESCALATE = `${PREFIX}handoff-escalate`;
export const NESTED = `${PREFIX}handoff-nested`;
export const TOOL = `${PREFIX}handoff-tool`;
export const TOOL_CHILD = `${PREFIX}handoff-tool-child`;
/** The variable that the output of its child is mapped to, and the child's. */
export const TOOL_MAPPING = { result: 'toolResult' } as const;

/** What the teller returns. */
export const TELLER_OUTPUT = 'told-by-the-teller';
/** The variable of the parents that nothing may be harvested into, and what it is. */
export const SHARED = { variable: 'shared', untouched: 'untouched' } as const;

const CROSS = 'conformance-dispatch-cross-worker-handoff';
const GIVING = 'conformance-dispatch-input-mapping';
const OVERRIDE = 'conformance-dispatch-per-worker-override';

/**
 * Public workflows whose children are given something: the parent's variable that it comes from, what that is, the child's
 * variable that shows it, and the child.
 */
export const GIVEN = [
  { workflowId: GIVING, child: `${GIVING}-child`, from: 'parentName', value: 'Alice', variable: 'childGreeting' },
  {
    workflowId: 'conformance-subworkflow-input-mapping',
    child: 'conformance-subworkflow-child',
    from: 'currentPrdId',
    value: 'prd-1',
    variable: 'receivedPrdId',
  },
  { workflowId: OVERRIDE, child: `${OVERRIDE}-child-b`, from: 'sharedVar', value: 'override', variable: 'input' },
] as const;

/** The same of a child that is given what another child returned. */
export const GIVEN_BY_ANOTHER = {
  workflowId: CROSS,
  child: `${CROSS}-child-b`,
  from: 'sharedVar',
  value: 'hello',
  variable: 'input',
} as const;

/** One decision for two workers. The public one maps the outputs of the first worker alone. */
export const TWO_WORKERS: Candidates = [
  { workflowId: CROSS, children: [`${CROSS}-child-a`, `${CROSS}-child-b`] },
  { workflowId: `${PREFIX}handoff-pair`, children: [TELLER, ECHO] },
];

/** The workers of each decision to go on with some, in their order, by the workflows whose plans these are. */
export const PLANS: ReadonlyMap<string, readonly (readonly string[])[]> = new Map<
  string,
  readonly (readonly string[])[]
>([
  [HANDOFF, [[HANDOFF_CHILD]]],
  [RELAY, [[TELLER], [ECHO]]],
  [FAILING, [[BROKEN]]],
  [WAITING, [[ASKER]]],
  [MISSING, [[`${PREFIX}handoff-nobody`]]],
  [NESTED, [[HANDOFF]]],
  [TOOL, [[TOOL_CHILD]]],
  ...TWO_WORKERS.map(({ workflowId, children = [] }) => [workflowId, [children]] as const),
]);

/** A node that hands over without a decision. */
export const SUB_WORKFLOW: Candidates = [
  { workflowId: 'conformance-subworkflow-parent', children: ['conformance-subworkflow-child'] },
  { workflowId: `${PREFIX}sub-workflow`, children: [TELLER] },
];

/** A worker whose outputs nobody maps. */
export const UNMAPPED: Candidates = [
  { workflowId: GIVING, children: [`${GIVING}-child`] },
  { workflowId: `${PREFIX}handoff-unmapped`, children: [TELLER] },
];

/** Whether a run is of the public one of several candidates. */
export function isOfPublic({ workflowId }: Pick<RunObservation, 'workflowId'>, [first]: Candidates): boolean {
  return workflowId === first.workflowId;
}

/** Workflows that have to be seeded. */
export function seeded(...workflowIds: readonly string[]): readonly Need[] {
  return workflowIds.map((workflowId) => ({ kind: 'fixture', workflowId }));
}
