import { createCatalogue } from '../reference-host/engine/catalogue.ts';
import type { RunService } from '../reference-host/engine/run-service.ts';
import { createRunService } from '../reference-host/engine/run-service.ts';
import type { Workflow } from '../reference-host/types/workflow.ts';
import { createFailpoints } from '../reference-host/store/failpoints.ts';
import { createDiary } from '../reference-host/ledger/worker.ts';
import { createPlants } from '../reference-host/ledger/plants.ts';
import type { HostParts } from '../reference-host/parts.ts';
import { defaultParts } from '../reference-host/parts.ts';
import type { RunRecord } from '../reference-host/store/runs.ts';
import type { Store } from '../reference-host/store/store.ts';
import { openStore } from '../reference-host/store/store.ts';

export interface LoneService {
  readonly runs: RunService;
  readonly store: Store;
  /** Starts a run of a definition and waits until nothing is under way any more. */
  carryOut(workflowId: string): Promise<RunRecord>;
}

/** The runs of a host without the host: in memory, with definitions of the test's own. */
export function loneService(definitions: readonly Workflow[], parts: Partial<HostParts> = {}): LoneService {
  const store = openStore(undefined, 0);
  const workflows = createCatalogue(new Map(definitions.map((each) => [each.id, each])), store.workflows);
  const runs = createRunService({
    parts: { ...defaultParts, ...parts },
    providers: new Map(),
    store,
    workflows,
    outbound: false,
    patienceMs: 60_000,
    failpoints: createFailpoints(() => undefined),
    diary: createDiary(),
    plants: createPlants(),
    hostId: 'lone',
    leaseMs: 2_000,
  });
  return {
    runs,
    store,
    async carryOut(workflowId) {
      const workflow = workflows.get(workflowId, 'a');
      if (workflow === undefined) throw new Error(`no workflow ${workflowId}`);
      const run = runs.create('a', workflow, { workflowId });
      await runs.idle();
      return run;
    },
  };
}

type Node = Pick<Workflow['nodes'][number], 'id' | 'typeId'> & Partial<Workflow['nodes'][number]>;

/** A definition of nodes that follow one another as `edges` says, in pairs like `a b`; none where nothing is said. */
export function definition(
  id: string,
  nodes: readonly Node[],
  edges: readonly string[] = [],
  defaults: object = {},
): Workflow {
  const pairs = edges.map((pair) => pair.split(' '));
  return {
    id,
    name: id,
    version: '1.0.0',
    nodes: nodes.map((node) => ({ name: node.id, config: {}, inputs: {}, ...node })),
    edges: pairs.map(([from = '', to = '']) => ({ id: `${from}-${to}`, sourceNodeId: from, targetNodeId: to })),
    triggers: [],
    variables: Object.entries(defaults).map(([name, defaultValue]) => ({ name, type: 'string', defaultValue })),
    settings: {},
  };
}
