import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Judged } from '../../src/cli/judge-recorded.ts';
import { renderHtml } from '../../src/report/html/index.tsx';
import { judgedRun } from '../reports.ts';
import { HOSTILE, hostileReport } from '../sample-reports.ts';
import { HANGS_AFTER_MS, newContext, startChromium, violations, watchedPage } from './chromium.ts';

const KINDS = ['green', 'red', 'inconclusive'] as const;
/** The red rows that are looked for in the pages. */
const RED = ['cache-key.nodes-use-it', 'sequence.side-effects-cached'];
const folder = mkdtempSync(join(tmpdir(), 'report-pages-'));
let browser: Browser;

beforeAll(async () => {
  browser = await startChromium();
});

beforeAll(async () => {
  const runs: Readonly<Record<(typeof KINDS)[number], Promise<Judged>>> = {
    green: judgedRun({ suites: ['fork-contract'] }),
    red: judgedRun({
      suites: ['observable-sequence', 'cache-key-portable'],
      defects: ['tool-variable-forgotten', 'node-keys-salted'],
    }),
    inconclusive: judgedRun({ suites: ['cache-key-portable', 'replay-governance'], seams: false }),
  };
  const write = async (kind: (typeof KINDS)[number]): Promise<void> => {
    const { report, records } = await runs[kind];
    const failed = report.checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
    expect([kind, ...failed]).toEqual([kind, ...(kind === 'red' ? RED : [])]);
    writeFileSync(join(folder, `${kind}.html`), renderHtml(report, records));
  };
  const harmful = `</script><script>alert(1)</script><img src="http://h.example/x" onerror="alert(2)">${HOSTILE}`;
  writeFileSync(join(folder, 'hostile.html'), renderHtml(hostileReport(harmful + 'x'.repeat(1_000_000)), []));
  await Promise.all(KINDS.map(write));
});

afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

/** Opens a report from disk; it asks for nothing else, and nothing goes wrong in it. */
async function opened(
  kind: (typeof KINDS)[number] | 'hostile',
  work: (page: Page) => Promise<void>,
  { hash = '', ...options }: BrowserContextOptions & { readonly hash?: string } = {},
): Promise<void> {
  const context = await newContext(browser, options);
  try {
    const { page, asked, problems } = await watchedPage(context);
    await page.goto(pathToFileURL(join(folder, `${kind}.html`)).href + hash);
    await work(page);
    expect(problems).toEqual([]);
    expect(asked.filter((url) => !url.startsWith('file:') && !url.startsWith('data:'))).toEqual([]);
  } finally {
    await context.close();
  }
}

async function isInView(place: Locator): Promise<boolean> {
  const box = await place.boundingBox();
  const height = place.page().viewportSize()?.height ?? 0;
  return box !== null && box.y >= 0 && box.y < height;
}

/** Waits for what a page comes to; `expect.poll` knows its test only where tests do not run at once. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  await vi.waitUntil(holds, { timeout: HANGS_AFTER_MS });
}

describe.concurrent('a report in a browser', () => {
  it.each(KINDS.flatMap((kind) => (['light', 'dark'] as const).map((scheme) => [kind, scheme] as const)))(
    'that is %s has no barrier (%s)',
    async (kind, colorScheme) => {
      await opened(
        kind,
        async (page) => {
          await page.evaluate(`for (const each of document.querySelectorAll('details')) each.open = true`);
          expect(await violations(page)).toEqual([]);
        },
        { colorScheme },
      );
    },
  );

  it('fits a narrow screen', async () => {
    await opened(
      'red',
      async (page) => {
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
      },
      { viewport: { width: 360, height: 800 } },
    );
  });

  it('is filtered by verdict, suite and words, with the keyboard alone', async () => {
    await opened('red', async (page) => {
      const rows = page.locator('.register tr[data-outcome]:visible');
      await page.keyboard.press('/');
      await page.keyboard.type('side-effects');
      await until(async () => (await rows.allTextContents()).every((row) => row.includes('side-effects')));
      expect(await page.locator('#count').textContent()).toMatch(/^[1-9]\d* checks?$/u);
      await page.keyboard.press('Escape');
      await until(async () => (await page.locator('#count').textContent()) === '');
      await page.locator('select[name=verdict]').selectOption('red');
      await page.locator('select[name=suite]').selectOption('cache-key-portable');
      const names = await page.locator('article.red:visible h4 a').allTextContents();
      expect(names).toEqual(['cache-key.nodes-use-it']);
    });
  });

  it('goes from failure to failure, and leads to a check by its link, also one that is folded', async () => {
    await opened('red', async (page) => {
      await page.keyboard.press('j');
      await page.keyboard.press('j');
      const second = await page.locator('article.red h4 a').nth(1).textContent();
      expect(await page.evaluate('document.activeElement?.id')).toBe(`check=${second}`);
      await page.evaluate(`location.hash = '#check=sequence.prefix-equal'`);
      await page.locator('[id="check=sequence.prefix-equal"]').waitFor({ state: 'visible' });
    });
    await opened(
      'green',
      async (page) => expect(await page.locator('[id="check=fork.created"]').isVisible()).toBe(true),
      { hash: '#check=fork.created' },
    );
  });

  it('leads to the place where a replay parts from its source', async () => {
    await opened('red', async (page) => {
      const first = page.locator('article.red .comparison').first();
      await first.getByRole('link', { name: 'Show it' }).click();
      const row = first.locator('tr[aria-current]');
      await until(async () => isInView(row));
      expect(await row.textContent()).toContain('missing in the replay');
    });
  });

  it('shows what is made to harm its readers as text', async () => {
    await opened('hostile', async (page) => {
      expect(await page.locator('script').count()).toBe(1);
      expect(await page.locator('img').count()).toBe(0);
      const shown = (await page.locator('main').textContent()) ?? '';
      expect(shown).toContain('</script><script>alert(1)</script><img src="http://h.example/x"');
      expect(shown).toContain(String.raw`a\u{202e}b`);
      expect(shown.length).toBeLessThan(1_000_000);
    });
  });

  it('is whole without scripts', async () => {
    await opened(
      'red',
      async (page) => {
        expect(await page.locator('article.red').count()).toBeGreaterThan(1);
        expect(await page.locator('#filter').isVisible()).toBe(false);
        await page.locator('details.suite summary').first().click();
      },
      { javaScriptEnabled: false },
    );
  });
});
