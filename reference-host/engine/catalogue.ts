import { revisionsOf, type Workflow } from '../types/workflow.ts';

/** The definitions as they are now. A run executes what is current when it starts; so does a replay (replay.md, replay). */
export interface WorkflowCatalogue {
  readonly ids: readonly string[];
  get(workflowId: string): Workflow | undefined;
  /** Makes another revision of a definition the current one; says which of the two is unknown where one is. */
  revise(workflowId: string, revision: string): 'revised' | 'unknown workflow' | 'unknown revision';
}

/** A catalogue in which every definition stands at its own version. */
export function createCatalogue(definitions: ReadonlyMap<string, Workflow>): WorkflowCatalogue {
  const current = new Map(definitions);
  return {
    ids: [...definitions.keys()],
    get: (workflowId) => current.get(workflowId),
    revise(workflowId, revision) {
      const definition = definitions.get(workflowId);
      if (definition === undefined) return 'unknown workflow';
      const revised = revisionsOf(definition).find(({ version }) => version === revision);
      if (revised === undefined) return 'unknown revision';
      current.set(workflowId, revised);
      return 'revised';
    },
  };
}
