import { member } from '../../reference-host/json.ts';
import type { Variant } from './variant.ts';
import { around } from './wire.ts';

function credentialOf(request: Request): Record<string, string> {
  return { authorization: request.headers.get('authorization') ?? '' };
}

/** Reads an event stream until its run has ended, or waits for somebody. */
async function endOrWait({ body }: Response): Promise<void> {
  const decoder = new TextDecoder();
  for await (const chunk of body ?? []) {
    const text = decoder.decode(chunk, { stream: true });
    if (/^event: (run\.(completed|failed|cancelled)|interrupt\.requested)$/mu.test(text)) return;
  }
}

/** Creating a run answers when the run has ended or waits for somebody, without URLs. */
export const completedAtOnce: Variant = {
  id: 'completed-at-once',
  parts: around(/^\/v1\/runs$/, async (request, next) => {
    const created = await next(request.clone());
    if (created.status !== 201) return created;
    const runId = member(await created.json(), 'runId');
    const path = `/v1/runs/${String(runId)}`;
    const read = (url: string): Request => new Request(new URL(url, request.url), { headers: credentialOf(request) });
    await endOrWait(await next(read(`${path}/events`)));
    const snapshot: unknown = await (await next(read(path))).json();
    return Response.json({ runId, status: member(snapshot, 'status') }, { status: 201 });
  }),
};
