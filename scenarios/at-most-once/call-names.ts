import type { RunObservation } from '../shared/run-observation.ts';
import type { FixtureTool } from './fixtures.ts';
import type { KeyParts } from './idempotency-key.ts';
import { type InvocationEvent, stepsOf } from './invocation-events.ts';

/** The names that a call may be known by in its keys (sem §4): the wire's first, then those of the host's own. */
export interface CallNames {
  readonly runIds: readonly string[];
  readonly nodeIds: readonly string[];
}

/** The names of a tool's call in a run, with what its events name step and job. */
export function callNamesIn(
  run: Pick<RunObservation, 'events' | 'runId'>,
  tool: Pick<FixtureTool, 'nodeId'>,
): CallNames {
  const steps = stepsOf(run, tool);
  return {
    runIds: [...new Set([run.runId ?? '', ...ownOf(steps, 'jobId')])],
    nodeIds: [...new Set([tool.nodeId, ...ownOf(steps, 'stepId')])],
  };
}

/** What the events of a call name so; names that change within it are none. */
function ownOf(steps: readonly InvocationEvent[], member: 'jobId' | 'stepId'): readonly string[] {
  const [name, ...others] = new Set(steps.flatMap((step) => step[member] ?? []));
  return name === undefined || name === '' || others.length > 0 ? [] : [name];
}

/** The names without those of the host's own that stand for something else, too: for another step, or another run's job. */
export function untaken({ runIds, nodeIds }: CallNames, taken: readonly CallNames[]): CallNames {
  return {
    runIds: filtered(runIds, (name) => !taken.some((each) => each.runIds.includes(name))),
    nodeIds: filtered(nodeIds, (name) => !taken.some((each) => each.nodeIds.includes(name))),
  };
}

/** The names without those of the host's own that were others elsewhere, as before a death. */
export function kept({ runIds, nodeIds }: CallNames, elsewhere: CallNames): CallNames {
  return {
    runIds: filtered(runIds, (name) => elsewhere.runIds.includes(name)),
    nodeIds: filtered(nodeIds, (name) => elsewhere.nodeIds.includes(name)),
  };
}

/** The wire's own name, and those of the others that are meant. */
function filtered(names: readonly string[], isMeant: (name: string) => boolean): readonly string[] {
  return names.filter((name, index) => index === 0 || isMeant(name));
}

/**
 * What a call's key may be made of, the likeliest first: its log may name the fixture's tool otherwise, in earnest or as a
 * label, and the call by names of the host's own.
 */
export function partsOf(
  steps: readonly InvocationEvent[],
  tool: FixtureTool,
  { names: { runIds, nodeIds }, args }: { readonly names: CallNames } & Pick<KeyParts, 'args'>,
): readonly [KeyParts, ...(readonly KeyParts[])] {
  const shown = steps.find((step) => step.toolName !== undefined)?.toolName ?? tool.toolName;
  const tools = [...new Set([shown, tool.toolName])];
  const [first, ...others] = runIds.flatMap((runId) =>
    nodeIds.flatMap((nodeId) => tools.map((toolName) => ({ runId, nodeId, toolName, args }))),
  );
  return [first ?? { runId: '', nodeId: tool.nodeId, toolName: shown, args }, ...others];
}
