import { expect, it } from 'vitest';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { renderMatrix } from '../../src/report/matrix/html.tsx';
import { matrixOf } from '../../src/report/matrix/matrix.ts';
import { judgedRun } from '../reports.ts';
import { HOSTILE, hostileReport } from '../sample-reports.ts';
import { newContext, startChromium, violations, watchedPage } from './chromium.ts';

it('the page of many hosts has no barrier, asks for nothing and runs nothing, in either scheme', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'matrix-page-'));
  const browser = await startChromium();
  try {
    const { report: wrong } = await judgedRun({ suites: ['discovery'], defects: ['discovery-as-list'] });
    const hostile = hostileReport(`</script><script>alert(1)</script><img src="http://h.example/x">${HOSTILE}`);
    const judged = [
      { name: 'wrong', baseUrl: 'http://w', exitCode: 1 as const, report: wrong },
      { name: 'hostile', baseUrl: 'http://h', exitCode: 1 as const, report: hostile },
      { name: 'gone', baseUrl: 'http://g', exitCode: 4 as const, report: undefined, reason: 'its run ended' },
    ];
    const path = join(folder, 'index.html');
    writeFileSync(path, renderMatrix(matrixOf(judged, { tool: wrong.tool })));
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await newContext(browser, { colorScheme });
      const { page, asked, problems } = await watchedPage(context);
      await page.goto(pathToFileURL(path).href);
      expect(await violations(page)).toEqual([]);
      expect(await page.getByRole('cell', { name: 'fail' }).count()).toBeGreaterThan(0);
      expect(problems).toEqual([]);
      expect(asked.filter((url) => !url.startsWith('file:') && !url.startsWith('data:'))).toEqual([]);
      await context.close();
    }
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true });
  }
});
