import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { validate } from '../src/contract/validate.ts';
import { renderJson } from '../src/report/json.ts';
import { withTemporaryDirectory } from './cli.ts';
import { judgedRun } from './reports.ts';
import { runMain } from './run-main.ts';

const reports: Record<string, string> = {};

beforeAll(async () => {
  for (const [name, defects] of Object.entries({ sound: [], broken: ['discovery-without-limits'] })) {
    reports[name] = renderJson((await judgedRun({ suites: ['discovery'], defects })).report);
  }
});

/** Compares two runs in a folder of its own, whose files `more` may name. */
async function compared(
  before: string,
  after: string,
  more: (at: (name: string) => string) => readonly string[] = () => [],
) {
  return withTemporaryDirectory(async (directory) => {
    const at = (name: string): string => join(directory, name);
    for (const [name, text] of Object.entries(reports)) writeFileSync(at(name), text);
    writeFileSync(at('other'), '{"a":1}\n');
    const ended = await runMain(['compare', at(before), at(after), ...more(at)]);
    const read = (name: string): string => readFileSync(at(name), 'utf8');
    return { ...ended, pages: more(at).length === 0 ? [] : ['json', 'markdown', 'html'].map(read) };
  });
}

describe('compare', () => {
  it('ends with 1 where something broke, and names it with what rests on it', async () => {
    const { exitCode, stdout, stderr } = await compared('sound', 'broken');
    expect([exitCode, stderr]).toEqual([1, '']);
    expect(stdout).toContain('broken:\n  discovery.shape (MUST)\n    before: pass\n    after:  fail: ');
    expect(stdout).toMatch(/\d+ checks? (?:is|are) worse: 1 broken/u);
  });

  it('ends with 0 where something was fixed, and where nothing changed', async () => {
    const fixed = await compared('broken', 'sound');
    expect(fixed.exitCode).toBe(0);
    expect(fixed.stdout).toContain('fixed:\n  discovery.shape (MUST)');
    const same = await compared('sound', 'sound');
    expect(same.exitCode).toBe(0);
    expect(same.stdout).toMatch(/nothing is worse: 0 broken, .* \d+ as before \(exit code 0\)\n$/u);
  });

  it('writes JSON of its schema, Markdown and a page', async () => {
    const { exitCode, stdout, pages } = await compared('sound', 'broken', (at) =>
      ['json', 'markdown', 'html'].flatMap((name) => ['--reporter', `${name}=${at(name)}`]),
    );
    expect([exitCode, stdout]).toEqual([1, '']);
    const [json = '', markdown, html] = pages;
    expect(validate('comparison', JSON.parse(json))).toEqual([]);
    expect(markdown).toContain('## broken: 1');
    expect(html).toContain('id="check=discovery.shape"');
  });

  it.each([
    ['what is no run', ['other'], 'neither evidence nor a JSON report'],
    ['what is not there', ['nowhere'], 'ENOENT'],
    ['an unknown reporter', ['sound', '--reporter', 'jsn'], 'no reporter is called "jsn"; did you mean json?'],
    ['a page on standard output', ['sound', '--reporter', 'html'], '--reporter html takes a file: html=FILE'],
  ])('refuses %s in one line, with 2', async (_, [after = '', ...more], message) => {
    await withTemporaryDirectory(async (directory) => {
      for (const [name, text] of Object.entries(reports)) writeFileSync(join(directory, name), text);
      writeFileSync(join(directory, 'other'), '{"a":1}\n');
      const ended = await runMain(['compare', join(directory, 'sound'), join(directory, after), ...more]);
      expect(ended.exitCode).toBe(2);
      expect(ended.stderr).toContain(message);
      expect(ended.stderr.trimEnd().split('\n')).toHaveLength(1);
    });
  });
});
