import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../json.ts';
import { packageFile } from '../package-files.ts';

export interface WorkflowNode {
  readonly id: string;
  readonly typeId: string;
  readonly name: string;
  readonly config: JsonObject;
  readonly inputs: JsonObject;
}

interface WorkflowEdge {
  readonly id: string;
  readonly sourceNodeId: string;
  readonly targetNodeId: string;
}

interface WorkflowVariable {
  readonly name: string;
  readonly type: string;
  readonly defaultValue?: unknown;
}

/** A workflow definition as schemas/workflow.schema.json describes it, with edges that form a DAG, the loop of a supervisor aside. */
export interface Workflow {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly nodes: readonly WorkflowNode[];
  readonly edges: readonly WorkflowEdge[];
  readonly triggers: readonly JsonObject[];
  readonly variables: readonly WorkflowVariable[];
  /** `timeout` in milliseconds: a run that takes longer fails. */
  readonly settings: { readonly timeout?: number };
  /** What the definition is after a change of its code, each with a version of its own. */
  readonly revisions?: readonly WorkflowRevision[];
}

/** A version of a definition: the members that it has take the place of the definition's own. */
type WorkflowRevision = Pick<Workflow, 'version'> & Partial<Pick<Workflow, 'nodes' | 'edges' | 'variables'>>;

let bundled: ReadonlyMap<string, Workflow> | undefined;
let published: ReadonlyMap<string, Workflow> | undefined;

/**
 * The definitions that ship in fixtures, by id: those that public hosts have, and our own. They fit their schema and are
 * sound: tests see to that, not every start.
 */
export function bundledWorkflows(): ReadonlyMap<string, Workflow> {
  bundled ??= new Map([...publicWorkflows(), ...byId(definitionsIn(packageFile('fixtures/workflows')))]);
  return bundled;
}

/** Those of them that public hosts have, by id. */
export function publicWorkflows(): ReadonlyMap<string, Workflow> {
  const read = (): Workflow[] =>
    JSON.parse(readFileSync(packageFile('fixtures/public-workflows.json'), 'utf8')) as Workflow[];
  published ??= byId(read());
  return published;
}

function byId(definitions: readonly Workflow[]): ReadonlyMap<string, Workflow> {
  return new Map(definitions.map((definition) => [definition.id, definition]));
}

/**
 * The definition's nodes in an order in which each follows its predecessors; among nodes that are ready, the
 * definition's own order decides. Undefined when the edges form a cycle.
 */
export function executionOrder({ nodes, edges: all }: Pick<Workflow, 'nodes' | 'edges'>): WorkflowNode[] | undefined {
  const edges = forwardEdges({ nodes, edges: all });
  const ordered: WorkflowNode[] = [];
  const done = new Set<string>();
  const ready = (node: WorkflowNode): boolean =>
    !done.has(node.id) && edges.every((edge) => edge.targetNodeId !== node.id || done.has(edge.sourceNodeId));
  for (let next = nodes.find(ready); next !== undefined; next = nodes.find(ready)) {
    ordered.push(next);
    done.add(next.id);
  }
  return ordered.length === nodes.length ? ordered : undefined;
}

/**
 * The edges that order the nodes: all but those from a `core.dispatch` back to a supervisor, which draw the loop that the
 * dispatch node carries out by itself.
 */
export function forwardEdges({ nodes, edges }: Pick<Workflow, 'nodes' | 'edges'>): readonly WorkflowEdge[] {
  const types = new Map(nodes.map(({ id, typeId }) => [id, typeId]));
  return edges.filter(
    ({ sourceNodeId, targetNodeId }) =>
      types.get(sourceNodeId) !== 'core.dispatch' || types.get(targetNodeId) !== 'core.orchestrator.supervisor',
  );
}

/** What makes a definition unusable although its shape is right, or undefined. */
export function structuralProblem(workflow: Workflow): string | undefined {
  const revisions = revisionsOf(workflow);
  if (new Set(revisions.map(({ version }) => version)).size !== revisions.length)
    return 'two revisions have the same version';
  return revisions.map(graphProblem).find((problem) => problem !== undefined);
}

function graphProblem(workflow: Workflow): string | undefined {
  const ids = new Set(workflow.nodes.map((node) => node.id));
  if (ids.size !== workflow.nodes.length) return 'two nodes have the same id';
  const dangling = workflow.edges.find((edge) => !ids.has(edge.sourceNodeId) || !ids.has(edge.targetNodeId));
  if (dangling !== undefined) return `edge ${dangling.id} names a node that does not exist`;
  return executionOrder(workflow) === undefined ? 'the edges form a cycle' : undefined;
}

/** The definition at its own version and at each of its revisions. */
export function revisionsOf(workflow: Workflow): readonly Workflow[] {
  return [workflow, ...(workflow.revisions ?? []).map((revision) => ({ ...workflow, ...revision }))];
}

function definitionsIn(folder: string): readonly Workflow[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  return files.toSorted().map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Workflow);
}
