import type { Need } from '../../src/runner/scenario.ts';

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
export const PAIR = `${PREFIX}handoff-pair`;
export const UNMAPPED = `${PREFIX}handoff-unmapped`;
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
export const SUB_WORKFLOW = `${PREFIX}sub-workflow`;

/** What the teller returns. */
export const TELLER_OUTPUT = 'told-by-the-teller';
/** The variable of the parents that nothing may be harvested into, and what it is. */
export const SHARED = { variable: 'shared', untouched: 'untouched' } as const;

/** Public workflows whose child is given something, and its variable that shows it. */
export const GIVEN = [
  { workflowId: 'conformance-dispatch-input-mapping', variable: 'childGreeting' },
  { workflowId: 'conformance-subworkflow-input-mapping', variable: 'receivedPrdId' },
] as const;

/** Workflows that have to be seeded. */
export function seeded(...workflowIds: readonly string[]): readonly Need[] {
  return workflowIds.map((workflowId) => ({ kind: 'fixture', workflowId }));
}
