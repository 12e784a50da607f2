import { describe, expect, it } from 'vitest';
import { testClient, type TestClient } from '../../test/reference-client.ts';
import { hostTimeline } from './index.ts';
import { timelinePages } from './pages.tsx';
import type { RunSource } from './source.ts';

const host = (): TestClient => testClient({ pages: hostTimeline });

/** A page as a browser asks for it from its address bar: without a credential. */
async function visit(
  client: TestClient,
  path: string,
): Promise<{ readonly status: number; readonly text: string; readonly headers: Headers }> {
  const response = await client.host.fetch(
    new Request(`http://host.test${path}`, { headers: { accept: 'text/html' } }),
  );
  return { status: response.status, text: await response.text(), headers: response.headers };
}

describe('the Timeline View of a host', () => {
  it('gives a browser pages that say nothing of any run until there is a credential', async () => {
    const client = host();
    const { runId } = await client.run('conformance-noop');
    for (const path of ['/', `/runs/${runId}`, `/runs/${runId}/events/0`, '/runs/run_of_nobody']) {
      const { status, text, headers } = await visit(client, path);
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(text).toContain('id="sign-in"');
      expect(text).not.toContain('conformance-noop');
      expect(text).not.toContain('run.started');
    }
    expect((await visit(client, `/ui/runs/${runId}`)).status).toBe(401);
    expect((await visit(client, '/ui/')).status).toBe(401);
  });

  it('loads nothing but its own files, allows no inline script and is kept nowhere', async () => {
    const client = host();
    const { headers, text } = await visit(client, '/');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(headers.get('content-security-policy')).not.toContain('unsafe');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(text.match(/<script[^>]*>/gu)).toEqual(['<script src="/ui/timeline.js" defer="">']);
    expect(text).not.toMatch(/\son\w+=|\sstyle=/u);
    for (const path of ['/ui/timeline.js', '/ui/timeline.css']) expect((await visit(client, path)).status).toBe(200);
  });

  it('lists the runs of the caller’s tenant, and no others', async () => {
    const client = host();
    const own = await client.run('conformance-noop');
    const other = await client.run('conformance-noop', { key: 'key-b' });
    const { status, text } = await client.get('/');
    expect(status).toBe(200);
    expect(text).toContain(`href="/runs/${own.runId}"`);
    expect(text).not.toContain(other.runId);
    expect((await client.get(`/runs/${other.runId}`)).status).toBe(404);
    expect((await client.get(`/ui/runs/${own.runId}?against=${other.runId}`)).status).toBe(404);
    expect((await client.get(`/ui/runs/${own.runId}`, { key: 'key-creator' })).status).toBe(403);
    expect((await client.get('/ui/?search=multi')).text).toContain('No run.');
  });

  it('shows a run as a timeline, with a deep link to the fork endpoint for each event', async () => {
    const client = host();
    const { runId, events } = await client.run('conformance-determinism-variable-write');
    const { text } = await client.get(`/runs/${runId}`);
    for (const { sequence, eventId } of events) {
      expect(text).toContain(`id="e${String(sequence)}"`);
      expect(text).toContain(`href="/runs/${runId}/events/${String(eventId)}"`);
      expect(text).toContain(`href="/runs/${runId}?fork=replay&amp;fromSeq=${String(sequence)}"`);
      expect(text).toContain(`href="/runs/${runId}?fork=branch&amp;fromSeq=${String(sequence)}"`);
    }
  });

  it('shows the request behind a deep link, to anybody, and sends nothing', async () => {
    const client = host();
    const { runId } = await client.run('conformance-noop');
    const address = `/runs/${runId}?fork=replay&fromSeq=2`;
    for (const { text } of [
      await visit(client, address),
      await client.get(address),
      await client.get(`/ui${address}`),
    ]) {
      expect(text).toContain(`POST /v1/runs/${runId}:fork`);
      expect(text).toContain('{&quot;fromSeq&quot;:2,&quot;mode&quot;:&quot;replay&quot;}');
    }
    expect((await client.get(`/runs/${runId}?fork=branch&fromSeq=2`)).text).toContain('runOptionsOverlay');
    expect((await client.get('/v1/host/sample/runs')).body['runs']).toHaveLength(1);
    expect((await client.get(`/runs/${runId}?fork=steal&fromSeq=2`)).status).toBe(400);
    expect((await client.get(`/runs/${runId}?fork=replay&fromSeq=-2`)).status).toBe(400);
  });

  it('leads from a fork to its source and back', async () => {
    const client = host();
    const source = await client.run('conformance-noop');
    const fork = await client.fork(source.runId, { mode: 'replay', fromSeq: 2 });
    expect((await client.get(`/runs/${fork.runId}`)).text).toContain(
      `href="/runs/${fork.runId}?against=${source.runId}"`,
    );
    expect((await client.get(`/runs/${source.runId}`)).text).toContain(`href="/runs/${fork.runId}"`);
    expect((await client.get(`/runs/${fork.runId}?against=${source.runId}`)).text).toContain('No divergence');
  });

  it('hides what the API hides', async () => {
    const client = host();
    const secret = 'a secret that nobody may read';
    const created = await client.post('/v1/runs', { workflowId: 'conformance-noop', inputs: { password: secret } });
    const runId = String(created.body['runId']);
    await client.finished(runId);
    for (const path of ['', '/events/0', '?at=0', `?against=${runId}`]) {
      const { text } = await client.get(`/runs/${runId}${path}`);
      expect(text).toContain('[REDACTED]');
      expect(text).not.toContain(secret);
    }
  });

  it('says live while more may come, and not when the run has ended', async () => {
    const client = host();
    const created = await client.post('/v1/runs', { workflowId: 'conformance-determinism-interrupt' });
    const runId = String(created.body['runId']);
    expect((await client.get(`/ui/runs/${runId}`)).text).toContain('data-live');
    await client.post(`/v1/runs/${runId}/cancel`, {});
    expect((await client.get(`/ui/runs/${runId}`)).text).not.toContain('data-live');
  });

  it('leaves all other addresses, and all that change something, to the API', async () => {
    const client = host();
    for (const path of ['/runs', '/runs/a/b', '/runs/a/events', '/ui', '/ui/x', '/favicon.ico']) {
      expect(await client.get(path)).toMatchObject({ status: 404, body: { error: 'not_found' } });
    }
    expect(await client.post('/runs/a?fork=replay', {})).toMatchObject({ status: 404, body: { error: 'not_found' } });
  });

  it('is not there where nobody has given it: every address answers as the API does', async () => {
    const client = testClient();
    for (const path of ['/', '/runs/a', '/ui/timeline.js']) {
      expect(await client.get(path)).toMatchObject({ status: 404, body: { error: 'not_found' } });
    }
    const { body } = await client.get('/.well-known/openwop');
    expect(body['extensions']).not.toHaveProperty('x-openwop-run-timeline');
    const advertised = (await host().get('/.well-known/openwop')).body['extensions'];
    expect(advertised).toHaveProperty('x-openwop-run-timeline.fork', '/runs/{runId}?fork={mode}&fromSeq={fromSeq}');
  });
});

const showing = (recorded: readonly unknown[]) =>
  timelinePages({
    source: () => ({
      list: () => Promise.reject(new Error('unused')),
      read: () => Promise.resolve({ ok: true, value: { head: { runId: 'x', children: [] }, events: recorded } }),
    }),
    isHost: false,
  });

const HOSTILE = `<img src=x onerror=alert(1)>"'\u202e\u0007\u200b</script>`;

describe('what a host sends', () => {
  const head = {
    runId: HOSTILE,
    workflowId: HOSTILE,
    status: HOSTILE,
    startedAt: HOSTILE,
    error: HOSTILE,
    parentRunId: HOSTILE,
    forkMode: HOSTILE,
    children: [{ runId: HOSTILE, forkMode: HOSTILE, status: HOSTILE }],
  };
  const payload = { [HOSTILE]: [HOSTILE], __proto__: 1, name: HOSTILE, value: HOSTILE };
  const event = (type: string, sequence: number) => ({
    eventId: HOSTILE,
    runId: HOSTILE,
    type,
    sequence,
    nodeId: HOSTILE,
    causationId: HOSTILE,
    timestamp: HOSTILE,
    payload,
  });
  const events = [event(HOSTILE, 0), event('variable.changed', 1)];
  const source: RunSource = {
    list: () => Promise.resolve({ ok: true, value: { runs: [head], next: HOSTILE } }),
    read: () => Promise.resolve({ ok: true, value: { head, events } }),
  };
  const pages = timelinePages({ source: () => source, isHost: false, baseUrl: HOSTILE });
  const id = encodeURIComponent(HOSTILE);

  it.each([
    '/',
    `/?search=${id}&parentRunId=${id}&status=${id}`,
    `/runs/${id}`,
    `/runs/${id}?at=${id}`,
    `/runs/${id}?fork=branch&fromSeq=1`,
    `/runs/${id}?against=${id}`,
    `/runs/${id}?node=${id}&type=${id}&kind=${id}`,
    `/runs/${id}/events/1`,
  ])('stays text at %s', async (path) => {
    const html = await (await pages.request(path)).text();
    expect(html).not.toContain('<img');
    expect(html.replaceAll(/<[^>]*>/gu, '')).not.toMatch(/[\u202e\u0007\u200b]/u);
    expect(html.match(/<\/?script/gu)).toEqual(['<script', '</script']);
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(html).toContain(String.raw`\u{202e}`);
    expect(html).not.toMatch(/href="(?!\/|#content"|#first"|data:,")/u);
  });

  it('that is large is cut with its number', async () => {
    const many = Array.from({ length: 30_000 }, (_, index) => ({
      eventId: `e${index}`,
      type: 'log.appended',
      sequence: index,
      payload: { text: 'x'.repeat(100), list: [1, 2, 3] },
    }));
    const long = [{ eventId: 'a', type: 'log.appended', sequence: 0, payload: 'y'.repeat(1_000_000) }];
    const [crowd, text] = await Promise.all(
      [many, long].map(async (recorded) => (await showing(recorded).request('/runs/x')).text()),
    );
    expect(crowd?.length).toBeLessThan(1_000_000);
    expect(crowd).toContain('Later events');
    expect(text?.length).toBeLessThan(20_000);
    expect(text).toContain('more characters');
  });
});
