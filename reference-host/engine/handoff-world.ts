import { newId } from '../ids.ts';
import { objectMember, stringMember, type JsonObject } from '../json.ts';
import type { HostParts } from '../parts.ts';
import type { ChildStatus, HandoffPolicy } from '../policies/handoff.ts';
import type { ShownBy } from '../store/ancestry.ts';
import type { RunError, RunState } from '../store/fold.ts';
import type { Observation } from '../store/observations.ts';
import { foldOf } from '../store/packed-state.ts';
import type { RunRecord } from '../store/runs.ts';
import type { Store } from '../store/store.ts';
import type { ChildEnd, Creation, Handoff, Handoffs } from '../types/world.ts';
import type { Workflow } from '../types/workflow.ts';
import type { WorkflowCatalogue } from './catalogue.ts';
import { writer } from './writer.ts';

/** What the host does with child runs. */
export interface ChildRuns {
  /** Begins to carry out a run that is in the store. */
  launch(run: RunRecord): void;
  /** Carries `by` on when the run `childRunId` has ended. */
  await(childRunId: string, by: RunRecord): void;
}

export interface HandoffParts {
  readonly parts: HostParts;
  readonly store: Store;
  readonly workflows: WorkflowCatalogue;
  readonly children: ChildRuns;
}

interface Parent {
  readonly run: RunRecord;
  readonly workflow: Workflow;
  readonly now: () => RunState;
}

interface Recollection {
  readonly nodeId: string;
  readonly request: JsonObject;
  readonly cacheKey: string;
  readonly shownBy?: ShownBy;
}

/** What is on record about the acts of a run. */
export interface Records {
  /** The record, of this run or of its source. */
  readonly recall: (act: Recollection) => Observation | undefined;
  /** Whether another run's record stands for the act, shown or not. */
  readonly isOnRecord: (act: Recollection) => boolean;
}

/** A child run may be the child of a child, and so on; no deeper than this. */
const DEEPEST = 16;

/** How the nodes of one run hand over. */
export function handoffWorld(shared: HandoffParts, parent: Parent, { recall, isOnRecord }: Records): Handoffs {
  const { store, children, parts } = shared;
  const { run, workflow } = parent;
  const named = (handoff: Handoff, what: 'child' | 'end'): Recollection => {
    const { nodeId } = handoff;
    const request = { kind: `core.dispatch.${what}`, ...handoff.request };
    const logLength = (): number => store.events.read(run.runId).length;
    return { nodeId, request, cacheKey: parts.actKey(request, { runId: run.runId, nodeId, logLength }) };
  };
  const record = ({ nodeId, cacheKey }: Recollection, value: Creation | ChildEnd): void =>
    store.observations.record({ runId: run.runId, nodeId, cacheKey }, { value, events: [] });

  return {
    policy: parts.handoff,
    supervisorOf: (nodeId) =>
      workflow.nodes.find(
        ({ id, typeId }) =>
          typeId === 'core.orchestrator.supervisor' &&
          workflow.edges.some(({ sourceNodeId, targetNodeId }) => sourceNodeId === id && targetNodeId === nodeId),
      ),
    create(handoff) {
      const act = { ...named(handoff, 'child'), shownBy: createsMoreThan(handoff.before) };
      const recorded = recall(act);
      if (recorded !== undefined) return recorded.value as Creation;
      if (!store.events.isOpen()) throw new Error('the host is closing');
      const source = run.fork?.mode === 'replay' && !isOnRecord(act) ? run.fork.parentRunId : undefined;
      if (source !== undefined && !store.events.hasEnded(source)) {
        children.await(source, run);
        return { kind: 'pending' };
      }
      const error = source === undefined ? problemWith(shared, run, handoff.workerId) : NOTHING_ON_RECORD;
      if (error !== undefined) {
        record(act, { kind: 'failed', error });
        return { kind: 'failed', error };
      }
      const child = childOf(run, handoff, store.now());
      const created = { kind: 'created', childRunId: child.runId } as const;
      store.atomically(() => {
        record(act, created);
        store.runs.insert(child);
        writer(shared, child)({ type: 'run.started', payload: childOptions(parent.now(), handoff, parts.handoff) });
      }, 'create-run');
      children.launch(child);
      return created;
    },
    end(handoff, childRunId) {
      const act = { ...named(handoff, 'end'), shownBy: endsMoreThan(handoff.before) };
      const recorded = recall(act);
      if (recorded !== undefined) return recorded.value as ChildEnd;
      if (!store.events.hasEnded(childRunId)) {
        children.await(childRunId, run);
        return undefined;
      }
      const { status, variables, error } = foldOf(store, childRunId);
      const end: ChildEnd = {
        status: STATUSES.get(status) ?? 'failed',
        outputs: parts.handoff.output(handoff.outputMapping, variables),
        ...(error === undefined || status !== 'failed' ? {} : { error }),
      };
      record(act, end);
      return end;
    },
  };
}

const STATUSES: ReadonlyMap<string, ChildStatus> = new Map([
  ['completed', 'completed'],
  ['cancelled', 'cancelled'],
]);

const NOTHING_ON_RECORD: RunError = {
  code: 'nothing_on_record',
  message: 'The source of this replay has ended without such a handoff, and a replay dispatches nobody.',
};

/** Whether a node's events speak of more children than that. A failed creation ends the node, and counts like a child. */
function createsMoreThan(before: number): ShownBy {
  return (events) => {
    const ids = events.map(({ payload }) => stringMember(payload, 'childRunId')).filter((id) => id !== undefined);
    const failures = events.filter(({ payload }) => phaseOf(payload) === 'dispatch.failed');
    return new Set(ids).size + failures.length > before;
  };
}

function endsMoreThan(before: number): ShownBy {
  return (events) => events.filter(({ payload }) => phaseOf(payload).startsWith('child.')).length > before;
}

function phaseOf(payload: unknown): string {
  return stringMember(payload, 'phase') ?? '';
}

/** Why there can be no such child. */
function problemWith({ store, workflows }: HandoffParts, run: RunRecord, workerId: string): RunError | undefined {
  if (workflows.get(workerId, run.tenant) === undefined) {
    return { code: 'worker_not_found', message: `This host has no worker ${workerId}.` };
  }
  let depth = 1;
  for (let each: RunRecord | undefined = run; each?.dispatchedBy !== undefined; depth += 1) {
    each = store.runs.get(each.dispatchedBy.runId);
  }
  if (depth < DEEPEST) return undefined;
  return { code: 'nested_too_deep', message: `Runs hand over to one another at most ${DEEPEST} deep.` };
}

function childOf({ runId, tenant, region }: RunRecord, { nodeId, workerId }: Handoff, now: number): RunRecord {
  return {
    runId: newId('run', now),
    tenant,
    workflowId: workerId,
    dispatchedBy: { runId, nodeId },
    ...(region === undefined ? {} : { region }),
  };
}

/** The child's options are its parent's as they are now; its first variables are what is handed over. */
function childOptions(parent: RunState, { workerId, inputMapping }: Handoff, policy: HandoffPolicy): JsonObject {
  return {
    workflowId: workerId,
    inputs: objectMember(parent.options, 'inputs'),
    configurable: objectMember(parent.options, 'configurable'),
    tags: [],
    metadata: {},
    variables: policy.input(inputMapping, parent.variables),
  };
}
