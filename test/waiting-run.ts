import type { JsonObject } from '../reference-host/json.ts';
import type { TestClient } from './reference-client.ts';

/** Waits until a run has asked or ended. */
export async function whenAsked(client: TestClient, runId: string): Promise<void> {
  for (let last = -1; ;) {
    await client.get(`/v1/runs/${runId}/events/poll?lastSequence=${last}&timeout=5`);
    const { body } = await client.get(`/v1/runs/${runId}/events/poll`);
    const events = body['events'] as JsonObject[];
    if (body['isComplete'] === true || events.some(({ type }) => type === 'node.suspended')) return;
    last = Number(events.at(-1)?.['sequence']);
  }
}
