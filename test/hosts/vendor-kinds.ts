import { randomUUID } from 'node:crypto';
import { type LocalServer, type Received, sendJson, serveHttp } from '../local-server.ts';

/** A node of this vendor. */
interface VendorNode {
  readonly nodeId: string;
  readonly typeId: string;
  readonly config: Readonly<Record<string, unknown>>;
}

interface VendorFlow {
  readonly workflowId: string;
  readonly nodes: readonly VendorNode[];
}

interface VendorRun {
  readonly runId: string;
  readonly workflowId: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly events: object[];
  readonly outputs: Map<string, unknown>;
  readonly variables: Record<string, unknown>;
}

/** A host of another vendor: it takes workflows over an endpoint of its own, made of its own node kinds, and replays them from its record. */
export interface VendorHost extends LocalServer {
  /** The ids of the workflows that it has now. */
  readonly workflows: () => readonly string[];
}

const COLLECTION = '/v1/host/acme/workflows';

/** What its node kinds do; an output is what they write. `acme.fetch` fills `{{inputs.x}}` in its address. */
const KINDS: Readonly<Record<string, (config: VendorNode['config'], run: VendorRun) => unknown>> = {
  'acme.take': ({ from }, { variables }) => variables[String(from)],
  'acme.fetch': async ({ url, verb }, { inputs }) => {
    const address = String(url).replaceAll(/\{\{inputs\.(\w+)\}\}/gu, (_, name: string) => String(inputs[name]));
    return (await fetch(address, { method: String(verb) })).json();
  },
};

const DISCOVERY = {
  protocolVersion: '1.0',
  implementation: { name: 'acme', version: '9' },
  supportedEnvelopes: [],
  schemaVersions: {},
  limits: { clarificationRounds: 1, schemaRounds: 1, envelopesPerTurn: 1 },
  replay: { supported: true, modes: ['replay'] },
  fixtures: [],
};

/** Starts the host on a free port. */
export async function serveVendorHost(): Promise<VendorHost> {
  const flows = new Map<string, VendorFlow>();
  const runs = new Map<string, VendorRun>();
  const created = (run: VendorRun) => ({ runId: run.runId, workflowId: run.workflowId, status: 'completed' });
  const start = async (flow: VendorFlow, inputs: VendorRun['inputs'], recorded?: VendorRun): Promise<VendorRun> => {
    const { workflowId } = flow;
    const run = { runId: randomUUID(), workflowId, inputs, events: [], outputs: new Map(), variables: {} };
    runs.set(run.runId, run);
    await execute(flow, run, recorded);
    return run;
  };
  const answer = async ({ method, url, body }: Received): Promise<readonly [status: number, body: unknown]> => {
    const { pathname } = new URL(url, 'http://host');
    if (pathname === '/.well-known/openwop') return [200, DISCOVERY];
    const given = (body === '' ? {} : JSON.parse(body)) as VendorFlow & Pick<VendorRun, 'inputs'>;
    if (method === 'POST' && pathname === COLLECTION) {
      const unknown = given.nodes.find(({ typeId }) => KINDS[typeId] === undefined);
      if (unknown !== undefined) return [400, refusal('unknown_kind', `There is no node kind ${unknown.typeId}.`)];
      flows.set(given.workflowId, given);
      return [201, { workflowId: given.workflowId }];
    }
    if (method === 'DELETE' && pathname.startsWith(`${COLLECTION}/`)) {
      return [flows.delete(pathname.slice(COLLECTION.length + 1)) ? 204 : 404, {}];
    }
    if (method === 'POST' && pathname === '/v1/runs') {
      const flow = flows.get(given.workflowId);
      return flow === undefined ? NOT_FOUND : [201, created(await start(flow, given.inputs))];
    }
    const [, runId = '', rest = ''] = /^\/v1\/runs\/([\w-]+)(.*)$/u.exec(pathname) ?? [];
    const run = runs.get(runId);
    const flow = flows.get(run?.workflowId ?? '');
    if (run === undefined || flow === undefined) return NOT_FOUND;
    if (rest === ':fork') {
      const { fromSeq = 0 } = JSON.parse(body) as { readonly fromSeq?: number };
      if (fromSeq >= run.events.length) return [422, refusal('no_such_event', 'The run has no such event.')];
      const fork = await start(flow, run.inputs, run);
      return [201, { ...created(fork), sourceRunId: runId, fromSeq, mode: 'replay' }];
    }
    if (rest === '/events') return [200, { events: run.events, isComplete: true }];
    const { variables, workflowId } = run;
    return rest === '' ? [200, { runId, workflowId, status: 'completed', variables }] : NOT_FOUND;
  };
  const server = await serveHttp((received, response) => {
    void answer(received).then(
      ([status, body]) => sendJson(response, body, status),
      () => response.destroy(),
    );
  });
  return { ...server, workflows: () => [...flows.keys()] };
}

const NOT_FOUND = [404, refusal('not_found', 'There is nothing.')] as const;

function refusal(error: string, message: string): object {
  return { error, message };
}

/** Node after node, in the definition's order; a replay takes the outputs of its source. */
async function execute(flow: VendorFlow, run: VendorRun, recorded: VendorRun | undefined): Promise<void> {
  const { runId, workflowId, inputs, events, outputs, variables } = run;
  const write = (type: string, payload: object, nodeId?: string): void => {
    const at = { timestamp: new Date().toISOString(), sequence: events.length };
    events.push({ eventId: randomUUID(), runId, type, payload, ...at, ...(nodeId === undefined ? {} : { nodeId }) });
  };
  write('run.started', { workflowId, inputs });
  for (const { nodeId, typeId, config } of flow.nodes) {
    write('node.started', {}, nodeId);
    const output = recorded === undefined ? await KINDS[typeId]?.(config, run) : recorded.outputs.get(nodeId);
    outputs.set(nodeId, output);
    const { into } = config;
    if (typeof into === 'string') {
      variables[into] = output;
      write('variable.changed', { name: into, value: output }, nodeId);
    }
    write('node.completed', { output }, nodeId);
  }
  write('run.completed', {});
}
