import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageFile } from '../src/contract/package-root.ts';
import { refusalOf } from './refused-call.ts';
import { blocksOf, callsIn, commandLinesOf, PAGES, textOf } from './shown.ts';
import { asPrinted } from './run-shown.ts';

/** What exports what is imported, by what stands behind the package's name. */
const ENTRIES: Readonly<Record<string, string>> = {
  '': 'src/index.ts',
  '/vitest': 'src/embed/vitest.ts',
  '/msw': 'src/embed/msw.ts',
};

function exports(source: string, name: string): boolean {
  return new RegExp(String.raw`^export (?:async )?(?:function |\{[^}]*\b)${name}\b`, 'mu').test(source);
}

/** The anchors of a page, as they are made of its headings. */
function anchorsOf(page: string): ReadonlySet<string> {
  const headings = textOf(page)
    .replaceAll(/^(`{3,}).*?^\1$/gmsu, '')
    .matchAll(/^#+ (?<title>.*)$/gmu);
  return new Set(
    [...headings].map(({ groups }) =>
      (groups?.['title'] ?? '')
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

function brokenLinks(page: string): readonly string[] {
  const links = [...textOf(page).matchAll(/\]\((?<target>[^)\s]+)\)/gu)].map(({ groups }) => groups?.['target'] ?? '');
  return links.filter((link) => {
    if (/^https?:/u.test(link)) return false;
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : join(dirname(page), path);
    if (!existsSync(packageFile(target))) return true;
    return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).has(anchor);
  });
}

describe('what the pages show', () => {
  it.each(PAGES)('%s: links lead to what is there', (page) => {
    expect(brokenLinks(page)).toEqual([]);
  });

  it.each(PAGES)('%s: commands and options are those that there are', async (page) => {
    const calls = commandLinesOf(page).flatMap(callsIn);
    const refused = await Promise.all(calls.map(refusalOf));
    expect(refused.filter((each) => each !== undefined)).toEqual([]);
  });

  it('sees commands and what is wrong with them', async () => {
    expect(commandLinesOf('README.md').flatMap(callsIn).length).toBeGreaterThan(3);
    expect(callsIn("x=1 npx openwop-conformance judge 'a b' --level must > c # d")).toEqual([
      ['judge', 'a b', '--level', 'must'],
    ]);
    expect(await refusalOf(['judge', 'a', '--levels', 'must'])).toContain('--levels');
    expect(await refusalOf(['jugde', 'a'])).toBeDefined();
  });

  it('imports what the package exports', () => {
    const imports = PAGES.flatMap(blocksOf).flatMap(({ text }) => [
      ...text.matchAll(/import \{ (?<names>[^}]+) \} from 'openwop-conformance(?<entry>\/\w+)?'/gu),
    ]);
    expect(imports.length).toBeGreaterThan(2);
    for (const { groups: { names = '', entry = '' } = {} } of imports) {
      const source = textOf(ENTRIES[entry] ?? '');
      expect(names.split(', ').filter((name) => !exports(source, name))).toEqual([]);
    }
  });

  it('is in the README as much as is read: at most 200 lines', () => {
    expect(textOf('README.md').split('\n').length).toBeLessThanOrEqual(200);
  });
});

describe('what consoles show', () => {
  const pages = PAGES.filter((page) => blocksOf(page).some(({ language }) => language === 'console'));

  it.each(pages)('%s: is what is printed', async (page) => {
    const printed = await asPrinted(page);
    await expect(printed, 'to show what is printed now: npx vitest run test/shown.test.ts -u').toMatchFileSnapshot(
      packageFile(page),
    );
  });
});
