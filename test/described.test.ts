import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { packageFile } from '../src/contract/package-root.ts';

interface Told {
  readonly fullName: string;
  readonly status: string;
  readonly failureMessages: readonly string[];
  readonly meta: { readonly conformance?: string };
}

/** What Vitest's own report says of the suites in described/, some of which are red. */
async function described(): Promise<readonly Told[]> {
  const vitest = packageFile('node_modules', 'vitest', 'vitest.mjs');
  const config = packageFile('test', 'described', 'vitest.config.ts');
  const args = [vitest, 'run', '--config', config, '--root', packageFile(), '--reporter=json'];
  const text = await new Promise<string>((resolve) => {
    execFile(process.execPath, args, { maxBuffer: 2 ** 24 }, (_, stdout) => resolve(stdout));
  });
  const { testResults } = JSON.parse(text) as { testResults: readonly { assertionResults: readonly Told[] }[] };
  return testResults.flatMap(({ assertionResults }) => assertionResults);
}

let reported: readonly Told[];
beforeAll(async () => {
  reported = await described();
});

describe('a client of the reference host in its own suite', () => {
  it('is tested as the documents show', () => {
    const shown = readFileSync(packageFile('docs', 'for-client-authors.md'), 'utf8');
    expect(shown).toContain(readFileSync(packageFile('test', 'described', 'client.described.js'), 'utf8'));
    const own = reported.filter(({ fullName }) => fullName.startsWith('the client '));
    expect(own.map(({ status }) => status)).toEqual(['passed']);
  });
});

describe("a described host in the reports of its own suite's runner", () => {
  it('is red where nothing was judged or what is known does not fail, and says why what is open is skipped', () => {
    const told = reported;
    const of = (name: string): string =>
      told
        .filter(({ fullName }) => fullName.includes(name))
        .map(({ status, failureMessages }) => `${status} ${failureMessages.join()}`)
        .join();
    expect(of('throws OpenWOP conformance the host was judged')).toMatch(/^failed .*did not start/u);
    expect(of('wrong key OpenWOP conformance the host was judged')).toMatch(/^failed .*credential is not accepted/u);
    expect(of('known OpenWOP conformance the host was judged')).toBe('passed ');
    expect(of('known OpenWOP conformance what is known to fail still fails')).toMatch(
      /^failed .*discovery\.reachable passes now: take it out of known\ncache-key\.lowercase-hex is inconclusive, /u,
    );
    expect(of('known OpenWOP conformance suite cache-key-portable cache-key.lowercase-hex')).toMatch(/^failed /u);
    const open = told.find(({ fullName }) => fullName.includes('fork.created'));
    expect(open).toMatchObject({ status: 'skipped', meta: { conformance: /^inconclusive: .*credential/u } });
  });
});
