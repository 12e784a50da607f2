import type { Mismatch } from '../../src/contract/outcome.ts';

/** The checks of this suite that others rest on, by what they claim of a handoff (architecture, Causes). */
export const OWNERS = {
  /** Its transitions are all there, once each, in order. */
  path: 'handoff.happy-path',
  /** The same of each of two workers. */
  paths: 'handoff.happy-path.two-workers',
  /** The same of the workers of two turns. */
  turns: 'handoff.happy-path.turns',
  /** The same of a handoff and of the handoff of its worker. */
  nested: 'handoff.happy-path.nested',
  /** The same of a handoff that no decision asked for. */
  subWorkflow: 'handoff.happy-path.sub-workflow',
  /** Each of its transitions follows the one before it. */
  chain: 'handoff.causation-chain',
  /** A completed child whose outputs are mapped is harvested, once. */
  harvest: 'handoff.harvest-exactly-when',
  /** One whose outputs are not mapped is not. */
  unmapped: 'handoff.harvest-exactly-when.unmapped',
  /** Each turn has one decision, and nothing follows the one to terminate. */
  loop: 'handoff.loop',
  /** Mapped outputs are there before the next decision. */
  mapping: 'handoff.output-mapping',
  /** The end of a child without a harvest is told, once and in order. */
  failed: 'handoff.failed-child-skips-harvest.failed',
  cancelled: 'handoff.failed-child-skips-harvest.cancelled',
  notDispatched: 'handoff.dispatch-failure',
  /** What is dispatched is a run of its own. */
  child: 'handoff.child-is-a-run',
} as const;

/** What is wrong, and the check that owns the cause where another one does. */
export type Fault = Mismatch & { readonly restsOn?: string };

/** The first fault that is a check's own, which goes before those that rest on others; else the first of these. */
export function ownFirst(faults: readonly Fault[]): Fault | undefined {
  return faults.find(({ restsOn }) => restsOn === undefined) ?? faults[0];
}
