import { member } from '../../reference-host/json.ts';
import type { Variant } from './variant.ts';
import { around } from './wire.ts';

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
    return Response.json({ runId, status: member(snapshot, 'status') }, { status: 201 });
  }),
};
