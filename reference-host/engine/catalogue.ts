import type { WorkflowStore } from '../store/of-tenants.ts';
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

/** A catalogue of definitions for all, and of those that tenants keep in the store; each stands at its own version. */
export function createCatalogue(shared: ReadonlyMap<string, Workflow>, own: WorkflowStore): WorkflowCatalogue {
  /** By tenant and id where the tenant has it alone, by id where all have it. */
  const revised = new Map<string, Workflow>();
  const keyOf = (workflowId: string, tenant: string): string =>
    shared.has(workflowId) ? workflowId : `${tenant} ${workflowId}`;
  const definitionOf = (workflowId: string, tenant: string): Workflow | undefined => {
    const known = shared.get(workflowId);
    if (known !== undefined) return known;
    const text = own.get(tenant, workflowId);
    return text === undefined ? undefined : (JSON.parse(text) as Workflow);
  };
  return {
    ids: [...shared.keys()],
    get: (workflowId, tenant) => revised.get(keyOf(workflowId, tenant)) ?? definitionOf(workflowId, tenant),
    revise(workflowId, revision, tenant) {
      const definition = definitionOf(workflowId, tenant);
      if (definition === undefined) return 'unknown workflow';
      const found = revisionsOf(definition).find(({ version }) => version === revision);
      if (found === undefined) return 'unknown revision';
      revised.set(keyOf(workflowId, tenant), found);
      return 'revised';
    },
    add: (tenant, workflow) => !shared.has(workflow.id) && own.add(tenant, workflow.id, JSON.stringify(workflow)),
    remove(tenant, workflowId) {
      if (shared.has(workflowId) || !own.remove(tenant, workflowId)) return false;
      revised.delete(keyOf(workflowId, tenant));
      return true;
    },
    count: (tenant) => own.count(tenant),
  };
}
