import { member, isObject } from '../../reference-host/json.ts';
import type { Variant } from './variant.ts';
import { around, inDiscovery, onWire } from './wire.ts';

/** Logs count from 1. */
export const firstSequenceOne: Variant = {
  id: 'first-sequence-one',
  parts: () => ({ firstSequence: 1 }),
};

const TIME = /^(?<seconds>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d+Z$/;

/** The clocks of nodes count whole seconds. */
export const clockInSeconds: Variant = {
  id: 'clock-in-seconds',
  parts: ({ written }) => ({
    written: (draft, writing) => {
      const name = draft.type === 'variable.changed' ? 'value' : draft.type === 'node.completed' ? 'output' : undefined;
      const value = name === undefined ? undefined : member(draft.payload, name);
      const seconds = typeof value === 'string' ? TIME.exec(value)?.groups?.['seconds'] : undefined;
      if (name === undefined || seconds === undefined || typeof draft.payload !== 'object')
        return written(draft, writing);
      return written({ ...draft, payload: { ...draft.payload, [name]: `${seconds}Z` } }, writing);
    },
  }),
};

function credentialOf(request: Request): Record<string, string> {
  return { authorization: request.headers.get('authorization') ?? '' };
}

/** Reads a run's stream to the run's end, or to where it waits for somebody, or for another run that may. */
async function untilSettled({ body }: Response): Promise<void> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (/^event: node\.(suspended|dispatched)$/m.test(text)) return;
  }
}

/** Creating a run answers when the run has ended, or waits for somebody or for another run, without URLs. */
export const completedAtOnce: Variant = {
  id: 'completed-at-once',
  parts: around(/^\/v1\/runs$/, async (request, next) => {
    const created = await next(request.clone());
    if (created.status !== 201) return created;
    const runId = member(await created.json(), 'runId');
    const path = `/v1/runs/${String(runId)}`;
    const read = (url: string): Request => new Request(new URL(url, request.url), { headers: credentialOf(request) });
    await untilSettled(await next(read(`${path}/events`)));
    const snapshot: unknown = await (await next(read(path))).json();
    const mark = created.headers.get('openwop-idempotent-replay');
    const headers: Record<string, string> = mark === null ? {} : { 'openwop-idempotent-replay': mark };
    return Response.json({ runId, status: member(snapshot, 'status') }, { status: 201, headers });
  }),
};

/** What is absent is null: the node of an event that belongs to none, the errors of snapshots, the name of the implementation. */
export const nullNodeId: Variant = {
  id: 'null-node-id',
  parts: (conformant) => ({
    ...onWire((shown) => ({
      ...shown,
      nodeId: shown['nodeId'] ?? null,
      causationId: shown['causationId'] ?? null,
    }))(conformant),
    snapshotOnWire: (snapshot) => conformant.snapshotOnWire({ ...snapshot, error: null }),
    ...inDiscovery((document) => ({ ...document, implementation: null }))(conformant),
  }),
};

/** Events carry `seq` beside `sequence` and `data` beside `payload`, those of no node in their place. */
export const seqAndData: Variant = {
  id: 'seq-and-data',
  parts: onWire(({ sequence, payload, ...shown }) => ({
    ...shown,
    seq: sequence,
    data: payload,
    ...(typeof shown['nodeId'] === 'string' ? { sequence, payload } : {}),
  })),
};

/** Events of unknown types stand in the log, in the place of the optional provider.usage. */
export const unknownEventTypes: Variant = {
  id: 'unknown-event-types',
  parts: onWire((shown) =>
    shown['type'] === 'provider.usage' ? { ...shown, type: 'acme.meter.v2', payload: [1, null, 'x'] } : shown,
  ),
};

const TYPES: ReadonlyMap<string, string> = new Map([
  ['tool_invocation_started', 'toolInvocationStarted'],
  ['tool_invocation_finished', 'tool.invocation.finished'],
  ['command_committed', 'commandCommitted'],
]);

/** The events of a tool call are called otherwise, and so are the members of what they say. */
export const toolEventsSpelledOtherwise: Variant = {
  id: 'tool-events-spelled-otherwise',
  parts: onWire((shown, event) => {
    const type = TYPES.get(event.type);
    if (type === undefined || !isObject(shown['payload'])) return shown;
    const members = Object.entries(shown['payload']).map(([name, value]) => [
      name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]);
    return { ...shown, type, payload: Object.fromEntries(members) };
  }),
};
