import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReferenceHost, listen } from '../../reference-host/index.ts';
import { packageFile } from '../../src/contract/package-root.ts';
import { hostTimeline, recordTimeline, runOfLog } from '../../src/timeline/index.ts';
import { clientOf, CREDENTIALS, type TestClient } from '../reference-client.ts';
import { newContext, startChromium, violations, watchedPage, type Watched } from './chromium.ts';

const KEY = 'key-a';

interface Served {
  readonly baseUrl: string;
  readonly client: TestClient;
  close(): Promise<void>;
}

async function serve(): Promise<Served> {
  const host = createReferenceHost({ credentials: CREDENTIALS, enableTestSeams: true, pages: hostTimeline });
  const server = await listen(host);
  const close = async (): Promise<void> => {
    await server.close();
    await host.close();
  };
  return { baseUrl: server.baseUrl, client: clientOf(host), close };
}

let browser: Browser;
let served: Served;

beforeAll(async () => {
  [browser, served] = await Promise.all([startChromium(), serve()]);
});

afterAll(async () => {
  await browser.close();
  await served.close();
});

/** Visits an address and signs in there; what was asked for and what went wrong is looked at in the end. */
async function signedIn(
  address: string,
  work: (watched: Watched) => Promise<void>,
  scheme: 'light' | 'dark' = 'light',
): Promise<void> {
  const context = await newContext(browser, { colorScheme: scheme });
  try {
    const watched = await watchedPage(context);
    const { page, asked, problems } = watched;
    await page.goto(served.baseUrl + address);
    await page.getByLabel('API key').fill(KEY);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await work(watched);
    expect(problems).toEqual([]);
    expect(asked.filter((url) => url.includes(KEY) || !url.startsWith(`${served.baseUrl}/`))).toEqual([]);
    expect(await context.cookies()).toEqual([]);
  } finally {
    await context.close();
  }
}

async function typesShown(page: Page): Promise<readonly string[]> {
  return page.locator('#events > li > details > summary .type').allTextContents();
}

describe.concurrent('the Timeline View of a host, in Chromium', () => {
  it.each(['light', 'dark'] as const)(
    'signs in, lists, opens a run, jumps and filters, accessible (%s)',
    async (scheme) => {
      const { runId, types, events } = await served.client.run('conformance-determinism-variable-write');
      await signedIn(
        `/?search=${runId}`,
        async ({ page }) => {
          await page.getByRole('link', { name: runId }).waitFor();
          expect(await violations(page)).toEqual([]);
          await page.getByRole('link', { name: runId }).click();
          await page.locator('#events').waitFor();
          expect(await typesShown(page)).toEqual(types);
          expect(await violations(page)).toEqual([]);
          await page.getByLabel('Node').selectOption('write-again');
          await page.getByText(/^\d+ of \d+$/u).waitFor();
          expect(await typesShown(page)).toEqual(
            events.filter(({ nodeId }) => nodeId === 'write-again').map(({ type }) => type),
          );
          await page.getByLabel('Jump to').fill(String(events[3]?.['eventId']));
          await page.getByRole('button', { name: 'Jump' }).click();
          const chosen = page.locator('#e3[aria-current]');
          await chosen.getByText('whole state after').waitFor();
          expect(await chosen.getByText('before: ', { exact: false }).count()).toBeGreaterThan(0);
          expect(await violations(page)).toEqual([]);
          await page.goBack();
          await page.getByText(/^\d+ of \d+$/u).waitFor();
        },
        scheme,
      );
    },
  );

  it('forks by a click on a deep link’s button, and never by looking at it', async () => {
    const { client } = served;
    const { runId } = await client.run('conformance-multi-node');
    const forks = async (): Promise<readonly { readonly runId: string }[]> => {
      const { body } = await client.get(`/v1/host/sample/runs?parentRunId=${runId}`);
      return body['runs'] as readonly { readonly runId: string }[];
    };
    await signedIn(`/runs/${runId}?fork=replay&fromSeq=2`, async ({ page }) => {
      const send = page.getByRole('button', { name: 'Send this request' });
      await page.locator('#events').waitFor();
      await page.getByText(`POST /v1/runs/${runId}:fork`).waitFor();
      expect(await violations(page)).toEqual([]);
      expect(await forks()).toEqual([]);
      await send.click();
      await page.getByText('compare the two').waitFor();
      const [fork, ...others] = await forks();
      expect(others).toEqual([]);
      expect(page.url()).toBe(`${served.baseUrl}/runs/${fork?.runId}`);
    });
  });

  it('branches with the overlay that was written, and says what is wrong with one', async () => {
    const { client } = served;
    const { runId } = await client.run('conformance-noop');
    await signedIn(`/runs/${runId}?fork=branch&fromSeq=0`, async ({ page }) => {
      const [overlay, send] = [
        page.getByLabel('runOptionsOverlay'),
        page.getByRole('button', { name: 'Send this request' }),
      ];
      await page.locator('#events').waitFor();
      await overlay.fill('{');
      await send.click();
      await page.getByText('The overlay is no JSON').waitFor();
      await overlay.fill('{"tags": "no list"}');
      await send.click();
      await page.getByText('The host answered 400').waitFor();
      await overlay.fill('{"tags": ["from-the-view"]}');
      await send.click();
      await page.getByText('compare the two').waitFor();
      const branch = new URL(page.url()).pathname.replace('/runs/', '');
      expect((await client.get(`/v1/runs/${branch}`)).body['tags']).toEqual(['from-the-view']);
    });
  });

  it('shows events as they happen, without a reload', async () => {
    const { client } = served;
    const created = await client.post('/v1/runs', { workflowId: 'conformance-determinism-interrupt' });
    const runId = String(created.body['runId']);
    await signedIn(`/runs/${runId}`, async ({ page, asked }) => {
      await page.locator('#live').getByText('live').waitFor();
      await page.locator('#events').getByText('interrupt.requested').waitFor();
      const visits = asked.filter((url) => url === `${served.baseUrl}/runs/${runId}`).length;
      const { currentNodeId } = (await client.get(`/v1/runs/${runId}`)).body;
      await client.post(`/v1/runs/${runId}/interrupts/${String(currentNodeId)}`, { resumeValue: { approved: true } });
      await page.locator('#events').getByText('run.completed').waitFor();
      await page.locator('#live').getByText('the run has ended').waitFor();
      expect((await typesShown(page)).at(-1)).toBe('run.completed');
      expect(asked.filter((url) => url === `${served.baseUrl}/runs/${runId}`)).toHaveLength(visits);
    });
  });

  it('keeps what a host says as text', async () => {
    const hostile = `<img src=x onerror="document.title='taken'"><script>alert(1)</script>\u202e`;
    const { body } = await served.client.post('/v1/runs', {
      workflowId: 'conformance-noop',
      inputs: { hostile, [hostile]: 1 },
    });
    await signedIn(`/runs/${String(body['runId'])}/events/0`, async ({ page }) => {
      await page.locator('#e0').getByText('<img src=x', { exact: false }).first().waitFor();
      expect(await page.locator('#content img, #content script').count()).toBe(0);
      expect(await page.locator('#content').textContent()).toContain(String.raw`\u{202e}`);
      expect(await page.title()).not.toBe('taken');
    });
  });

  it('forgets the key when one signs out, and says so where a key is unknown', async () => {
    await signedIn('/', async ({ page }) => {
      await page.getByRole('heading', { name: 'Runs' }).waitFor();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByLabel('API key').waitFor();
      expect(
        await page.evaluate(
          () => (globalThis as unknown as { sessionStorage: { length: number } }).sessionStorage.length,
        ),
      ).toBe(0);
      expect(await violations(page)).toEqual([]);
      await page.getByLabel('API key').fill('nobody');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('does not know this API key').waitFor();
    });
  });
});

function log(name: string): readonly unknown[] {
  const text = readFileSync(packageFile('fixtures', 'event-logs', `${name}.ndjson`), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

describe('recorded runs, in Chromium', () => {
  it.each(['light', 'dark'] as const)('show the first divergence of the README’s example (%s)', async (colorScheme) => {
    const source = runOfLog(log('remember-source'), 'source');
    const replay = runOfLog(log('remember-regenerated'), 'replay', source);
    const server = await listen(recordTimeline([source, replay], { isOwn: () => true }));
    const context = await newContext(browser, { colorScheme });
    try {
      const { page, problems } = await watchedPage(context);
      await page.goto(`${server.baseUrl}/`);
      await page.getByRole('link', { name: 'run_replay' }).click();
      await page.getByRole('link', { name: 'compare the two' }).click();
      await page.getByRole('heading', { name: 'First divergence: regenerated-fact' }).waitFor();
      await page.getByRole('link', { name: 'Show it' }).click();
      const row = page.locator('#first');
      expect(await row.textContent()).toContain('memory.written');
      expect(await row.getByText('"mem_01"').count()).toBe(1);
      expect(await row.getByText('"mem_02"').count()).toBe(1);
      expect(await row.locator('.mark').count()).toBe(4);
      expect(await violations(page)).toEqual([]);
      await page.goto(`${server.baseUrl}/runs/run_source?fork=replay&fromSeq=6`);
      await page.getByText('This is a record without a host').waitFor();
      expect(await page.getByRole('button', { name: 'Send this request' }).count()).toBe(0);
      await page.getByLabel('Type').selectOption('memory.written');
      await page.getByText('1 of ').waitFor();
      expect(problems).toEqual([]);
    } finally {
      await context.close();
      await server.close();
    }
  });
});
