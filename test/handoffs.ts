import type { JsonObject } from '../reference-host/json.ts';
import { member } from '../reference-host/json.ts';
import type { FinishedRun, TestClient } from './reference-client.ts';
import { comparable } from './reference-client.ts';

const HANDOFF = 'conformance-determinism-handoff';

/** The id of one of the handoff fixtures. */
export function handoff(name: string): string {
  return `${HANDOFF}-${name}`;
}

type Events = Pick<FinishedRun, 'events'>;

/** The transitions of a log, in its order: the phase, and what the event says it was caused by. */
export function transitions({ events }: Events): [unknown, unknown][] {
  const names = new Map(events.map((event) => [event['eventId'], nameOf(event)]));
  return events
    .filter(({ type }) => type === 'core.workflowChain.event')
    .map((event) => [member(event['payload'], 'phase'), names.get(event['causationId'])]);
}

function nameOf({ type, payload }: JsonObject): unknown {
  return type === 'core.workflowChain.event' ? member(payload, 'phase') : type;
}

/** The kinds of the decisions of a log. */
export function decisions({ events }: Events): unknown[] {
  return events
    .filter(({ type }) => type === 'runOrchestrator.decided')
    .map(({ payload }) => member(member(payload, 'decision'), 'kind'));
}

/** The runs that a log says were dispatched. */
export function children({ events }: Events): string[] {
  return events
    .filter(({ type }) => type === 'node.dispatched')
    .map(({ payload }) => String(member(payload, 'childRunId')));
}

/** What a run and its replays have in common: everything but identities and clocks. The run's own id is `SELF`. */
export function replayable(run: FinishedRun): unknown {
  return JSON.parse(JSON.stringify(comparable(run)).replaceAll(run.runId, 'SELF'));
}

/** What two runs of one workflow have in common: the ids of children are their numbers. */
export function repeatable(run: FinishedRun): unknown {
  let text = JSON.stringify(comparable(run)).replaceAll(run.runId, 'SELF');
  for (const [index, child] of children(run).entries()) text = text.replaceAll(child, `CHILD ${index}`);
  return JSON.parse(text);
}

/** Starts a run and waits until its log shows a dispatched child; gives both ids. */
export async function dispatched(client: TestClient, workflowId: string): Promise<{ runId: string; child: string }> {
  const created = await client.post('/v1/runs', { workflowId });
  const runId = String(created.body['runId']);
  return { runId, child: await firstChild(client, runId) };
}

async function firstChild(client: TestClient, runId: string): Promise<string> {
  for (let last = -1; ;) {
    await client.get(`/v1/runs/${runId}/events/poll?lastSequence=${last}&timeout=5`);
    const { body } = await client.get(`/v1/runs/${runId}/events/poll`);
    const events = body['events'] as JsonObject[];
    const [child] = children({ events });
    if (child !== undefined) return child;
    if (body['isComplete'] === true) throw new Error('the run dispatched nobody');
    last = Number(events.at(-1)?.['sequence']);
  }
}
