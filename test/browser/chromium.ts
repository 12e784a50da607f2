import { existsSync } from 'node:fs';
import axeCore from 'axe-core';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts the machine's Chromium, with a new profile. Throws, naming the package, where there is none. */
export async function startChromium(): Promise<Browser> {
  const executablePath = PLACES.find((place) => existsSync(place));
  if (executablePath === undefined)
    throw new Error('no Chromium: install the package chromium (apt-get install chromium)');
  return chromium.launch({ executablePath, args: FLAGS, headless: true, timeout: 0 });
}

/** More than a busy machine takes, in milliseconds: what is not there by then does not come. */
export const HANGS_AFTER_MS = 120_000;

/** A context of its own, in which what is slow is waited for. */
export async function newContext(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(HANGS_AFTER_MS);
  return context;
}

/** A page that is watched. */
export interface Watched {
  readonly page: Page;
  /** Every address that it has asked for. */
  readonly asked: readonly string[];
  /** What went wrong in it: errors of scripts, refusals by its policy, dialogs. */
  readonly problems: readonly string[];
}

/** Opens a page in a context of its own and watches what it asks for. */
export async function watchedPage(context: BrowserContext): Promise<Watched> {
  const page = await context.newPage();
  const asked: string[] = [];
  const problems: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      problems.push(message.text());
  });
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return { page, asked, problems };
}

/** What axe-core finds wrong with a page, in the colour scheme that is set: each rule with the first elements. */
export async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axeCore.source);
  return page.evaluate(async () => {
    interface Found {
      readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
    }
    const { axe } = globalThis as unknown as { readonly axe: { run(): Promise<Found> } };
    const found = await axe.run();
    return found.violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .map(({ html }) => html.slice(0, 120))
          .slice(0, 3)
          .join(' ')}`,
    );
  });
}
