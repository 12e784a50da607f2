import type { ReferenceHost, ReferenceHostOptions } from '../reference-host/host.ts';
import { createReferenceHost } from '../reference-host/host.ts';
import type { JsonObject } from '../reference-host/json.ts';
import { isObject } from '../reference-host/json.ts';

/** What came back, with the body read as JSON where it is. */
interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: JsonObject;
}

interface Ask {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The body as it is, instead of `body`. */
  readonly text?: string;
  readonly key?: string;
}

export interface TestClient {
  readonly host: ReferenceHost;
  get(path: string, ask?: Ask): Promise<Reply>;
  post(path: string, body: unknown, ask?: Ask): Promise<Reply>;
  /** Creates a run and follows it to its end. */
  run(workflowId: string, ask?: Ask): Promise<FinishedRun>;
  /** Forks a run and follows the fork to its end. */
  fork(runId: string, body: unknown): Promise<FinishedRun>;
  /** Follows a run to its end. */
  finished(runId: string): Promise<FinishedRun>;
  stage(nodeId: string, program: readonly unknown[]): Promise<Reply>;
}

export interface FinishedRun {
  readonly runId: string;
  readonly events: readonly JsonObject[];
  readonly types: readonly unknown[];
  readonly snapshot: JsonObject;
}

const ALL = ['manifest:read', 'runs:create', 'runs:read', 'runs:cancel', 'approvals:respond'];
export const CREDENTIALS = [
  { key: 'key-a', tenant: 'a', scopes: ALL },
  { key: 'key-b', tenant: 'b', scopes: ALL },
  { key: 'key-creator', tenant: 'a', scopes: ['runs:create'] },
  { key: 'key-reader', tenant: 'a', scopes: ['runs:read'] },
];

/** A host in this process, in memory unless the options say otherwise, and a client with tenant a's key. */
export function testClient(options: Partial<ReferenceHostOptions> = {}): TestClient {
  return clientOf(createReferenceHost({ credentials: CREDENTIALS, enableTestSeams: true, ...options }));
}

/** A client of a host in this process, with tenant a's key. */
export function clientOf(host: ReferenceHost): TestClient {
  const get = (path: string, ask: Ask = {}): Promise<Reply> => send(host, path, ask);
  const post = (path: string, body: unknown, ask: Ask = {}): Promise<Reply> =>
    send(host, path, { method: 'POST', body, ...ask });
  const finish = async (runId: string): Promise<FinishedRun> => {
    const stream = await get(`/v1/runs/${runId}/events`);
    const events = sseEvents(stream.text);
    const snapshot = await get(`/v1/runs/${runId}`);
    return { runId, events, types: events.map((event) => event['type']), snapshot: snapshot.body };
  };
  return {
    host,
    get,
    post,
    async run(workflowId, ask) {
      const created = await post('/v1/runs', { workflowId }, ask);
      return finish(String(created.body['runId']));
    },
    async fork(runId, body) {
      const created = await post(`/v1/runs/${runId}:fork`, body);
      return finish(String(created.body['runId']));
    },
    finished: finish,
    stage: (nodeId, program) => post('/v1/host/sample/test/mock-ai/program', { nodeId, program }),
  };
}

/** Events without what may differ between a run and its replay: identities and clocks. Causes become positions. */
export function comparable({ events }: FinishedRun): unknown[] {
  const position = new Map(events.map((event, index) => [event['eventId'], index]));
  return events.map(({ sequence, type, nodeId, payload, causationId }) => [
    sequence,
    type,
    nodeId,
    payload,
    position.get(causationId),
  ]);
}

/** The data of the server-sent events in a text, parsed. */
export function sseEvents(text: string): JsonObject[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => asObject(JSON.parse(line.slice(6))));
}

async function send(host: ReferenceHost, path: string, ask: Ask): Promise<Reply> {
  const text = ask.text ?? (ask.body === undefined ? undefined : JSON.stringify(ask.body));
  const request = new Request(`http://host.test${path}`, {
    method: ask.method ?? 'GET',
    headers: { authorization: `Bearer ${ask.key ?? 'key-a'}`, ...ask.headers },
    ...(text === undefined ? {} : { body: text }),
  });
  const response = await host.fetch(request);
  const answered = await response.text();
  const json = response.headers.get('content-type') === 'application/json' ? JSON.parse(answered) : {};
  return { status: response.status, headers: response.headers, text: answered, body: asObject(json) };
}

function asObject(value: unknown): JsonObject {
  if (!isObject(value)) throw new TypeError('not a JSON object');
  return value;
}
