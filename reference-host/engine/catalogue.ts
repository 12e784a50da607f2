import { revisionsOf, type Workflow } from '../types/workflow.ts';

/** The definitions as they are now. A run executes what is current when it starts; so does a replay (replay.md, replay). */
export interface WorkflowCatalogue {
  /** Those that every tenant has. */
  readonly ids: readonly string[];
  get(workflowId: string, tenant: string): Workflow | undefined;
  /** Makes another revision of a definition the current one; says which of the two is unknown where one is. */
  revise(workflowId: string, revision: string, tenant: string): 'revised' | 'unknown workflow' | 'unknown revision';
  /** Adds a definition of a tenant's own; false where it has one of this id. */
  add(tenant: string, workflow: Workflow): boolean;
  /** Takes a tenant's own definition away; false where it has none of this id. */
  remove(tenant: string, workflowId: string): boolean;
  /** How many definitions of its own a tenant has. */
  count(tenant: string): number;
}

interface Entry {
  readonly definition: Workflow;
  readonly current: Workflow;
}

/** A catalogue in which every definition stands at its own version. */
export function createCatalogue(definitions: ReadonlyMap<string, Workflow>): WorkflowCatalogue {
  const shared = new Map([...definitions].map(([id, definition]) => [id, entryOf(definition)]));
  const own = new Map<string, Map<string, Entry>>();
  const placeOf = (workflowId: string, tenant: string): Map<string, Entry> | undefined =>
    [shared, own.get(tenant)].find((entries) => entries?.has(workflowId));
  return {
    ids: [...definitions.keys()],
    get: (workflowId, tenant) => placeOf(workflowId, tenant)?.get(workflowId)?.current,
    revise(workflowId, revision, tenant) {
      const entries = placeOf(workflowId, tenant);
      const definition = entries?.get(workflowId)?.definition;
      if (entries === undefined || definition === undefined) return 'unknown workflow';
      const revised = revisionsOf(definition).find(({ version }) => version === revision);
      if (revised === undefined) return 'unknown revision';
      entries.set(workflowId, { definition, current: revised });
      return 'revised';
    },
    add(tenant, workflow) {
      if (placeOf(workflow.id, tenant) !== undefined) return false;
      const entries = own.get(tenant) ?? new Map<string, Entry>();
      own.set(tenant, entries.set(workflow.id, entryOf(workflow)));
      return true;
    },
    remove: (tenant, workflowId) => own.get(tenant)?.delete(workflowId) === true,
    count: (tenant) => own.get(tenant)?.size ?? 0,
  };
}

function entryOf(definition: Workflow): Entry {
  return { definition, current: definition };
}
