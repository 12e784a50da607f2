import { afterAll, beforeAll, expect, test } from 'vitest';
import { setupServer } from 'msw/node';
import { handlers } from 'openwop-conformance/msw';

const host = handlers({ baseUrl: 'https://openwop.test', apiKey: 'test', seams: true });
const server = setupServer(...host);

beforeAll(() => server.listen());
afterAll(async () => {
  server.close();
  await host.close();
});

/** The client under test: starts a workflow and reads its log until this event comes. */
async function waitFor(event, workflowId) {
  const headers = { authorization: 'Bearer test', 'content-type': 'application/json' };
  const body = JSON.stringify({ workflowId, inputs: {} });
  const made = await fetch('https://openwop.test/v1/runs', { method: 'POST', headers, body });
  const { eventsUrl } = await made.json();
  const stream = await fetch(new URL(eventsUrl, made.url), { headers });
  const reader = stream.body.pipeThrough(new TextDecoderStream()).getReader();
  let log = '';
  while (!log.includes(`event: ${event}\n`)) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`the log ended without ${event}`);
    log += value;
  }
  await reader.cancel();
  return log.match(/^event: .+$/gm);
}

test('the client sees what a run asks before anybody answers', async () => {
  const events = await waitFor('interrupt.requested', 'conformance-approval');
  expect(events[0]).toBe('event: run.started');
});
