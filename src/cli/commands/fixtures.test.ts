import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { validate } from '../../contract/validate.ts';
import { withTemporaryDirectory } from '../../../test/cli.ts';
import { runMain } from '../../../test/run-main.ts';

const ONCE = 'conformance-determinism-once.json';
const MAP = { 'core.tool.http': { typeId: 'vendor.fetch', config: { url: '$(witnessUrl)$(config.path)' } } };

/** Exports into a folder that does not exist yet, with a map that was written as it is. */
async function exporting(
  work: (
    at: (name: string) => string,
    run: (...flags: readonly string[]) => ReturnType<typeof runMain>,
  ) => Promise<void>,
): Promise<void> {
  await withTemporaryDirectory(async (directory) => {
    const at = (name: string): string => join(directory, name);
    await work(at, (...flags) => runMain(['fixtures', 'export', at('out'), ...flags]));
  });
}

describe('fixtures export', () => {
  it('writes every definition into a file of its own, once', async () => {
    await exporting(async (at, run) => {
      const { exitCode, stdout } = await run();
      expect(exitCode).toBe(0);
      const names = readdirSync(at('out'));
      expect(stdout).toContain(`${names.length} of ${names.length} definitions written\n0 of `);
      const texts = names.map((name) => JSON.parse(readFileSync(join(at('out'), name), 'utf8')) as { id: string });
      expect(texts.flatMap((text) => validate('workflow', text))).toEqual([]);
      expect(texts.map(({ id }) => `${id}.json`)).toEqual(names);
      expect((await run()).stdout).toContain(`0 of ${names.length} definitions written, ${names.length} stood there`);
    });
  });

  it("writes the host's node kinds, and does not replace what differs unless it is told to", async () => {
    await exporting(async (at, run) => {
      mkdirSync(at('out'));
      writeFileSync(join(at('out'), ONCE), 'mine');
      writeFileSync(at('map.json'), JSON.stringify(MAP));
      const flags = ['--type-map', at('map.json'), '--witness-url', 'http://w.example/'];
      const refused = await run(...flags);
      expect([refused.exitCode, refused.stdout]).toEqual([2, '']);
      expect(refused.stderr).toContain(
        `${ONCE}: another text stands there already; nothing was written (--force does)`,
      );
      expect(readdirSync(at('out'))).toEqual([ONCE]);
      const { stdout } = await run(...flags, '--force');
      expect(stdout).toContain('definitions written, 1 of them over another text\n');
      expect(readFileSync(join(at('out'), ONCE), 'utf8')).toContain('"url": "http://w.example/effects/charge"');
    });
  });

  it.each([
    ['{\n"core.tool.http": {\n"typeId": 3}}', 'line 3, /core.tool.http/typeId: must be string'],
    ['{"core.tool.http": {}}', "line 1, /core.tool.http: must have required property 'typeId'"],
    ['{\n"core.tool.htp": {"typeId": "x"}}', 'line 2, /core.tool.htp: no node kind is called "core.tool.htp"; did'],
    ['{\n\n"core.noop": {"typeId": "x", "config": {"a": "$(x)"}}}', 'line 3, /core.noop/config/a: $(x) names nothing'],
    ['{\n{', 'line 2: '],
    ['[]', 'line 1, the whole map: must be object'],
    [JSON.stringify(MAP), '$(witnessUrl): say with --witness-url'],
  ])('refuses the map %j in one line', async (text, message) => {
    await exporting(async (at, run) => {
      writeFileSync(at('map.json'), text);
      const { exitCode, stdout, stderr } = await run('--type-map', at('map.json'));
      expect([exitCode, stdout]).toEqual([2, '']);
      expect(stderr).toContain(message);
      expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    });
  });

  it.each([
    ['a map that is not there', (at: (name: string) => string) => ['--type-map', at('none.json')], 'ENOENT'],
    ['a folder that is a file', () => [], 'EEXIST'],
  ])('refuses %s', async (_, flags, message) => {
    await exporting(async (at, run) => {
      writeFileSync(at('out'), '');
      const { exitCode, stderr } = await run(...flags(at));
      expect(exitCode).toBe(2);
      expect(stderr).toMatch(message === 'EEXIST' ? /EEXIST|ENOTDIR/u : message);
    });
  });
});
