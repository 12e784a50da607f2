import type { Tables } from './tables.ts';

/** The definitions that tenants have added, as JSON text. */
export interface WorkflowStore {
  /** False where the tenant has one of this id. */
  add(tenant: string, workflowId: string, definition: string): boolean;
  get(tenant: string, workflowId: string): string | undefined;
  /** False where the tenant has none of this id. */
  remove(tenant: string, workflowId: string): boolean;
  count(tenant: string): number;
}

/** The tenants' definitions in a store's tables. */
export function createWorkflowStore({ table }: Tables): WorkflowStore {
  const workflows = table('workflows');
  return {
    add: (tenant, workflowId, definition) => workflows.insert({ tenant, workflow_id: workflowId, definition }, 'keep'),
    get(tenant, workflowId) {
      const row = workflows.get({ tenant, workflow_id: workflowId });
      return row === undefined ? undefined : String(row['definition']);
    },
    remove: (tenant, workflowId) => workflows.remove({ tenant, workflow_id: workflowId }) > 0,
    count: (tenant) => workflows.select({ tenant }).length,
  };
}
