import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Report } from '../src/contract/report.ts';
import { validate } from '../src/contract/validate.ts';
import { runCli, startCli, withTemporaryDirectory, type Ended, type Started } from './cli.ts';
import { runMain } from './run-main.ts';

interface Served {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly otherTenantApiKey: string;
}

/** One run against a served reference host, with everything that it wrote. */
interface Recorded {
  readonly ended: Ended;
  readonly evidence: string;
  readonly json: string;
  readonly junit: string;
}

let server: Started | undefined;
let served: Served;
let recorded: Recorded;

beforeAll(async () => {
  server = startCli(['serve', '--enable-test-seams', '--json']);
  served = JSON.parse(await server.firstLine) as Served;
  recorded = await withTemporaryDirectory(async (directory) => {
    const file = (name: string): string => join(directory, name);
    const flags = `--base-url ${served.baseUrl} --tenant-b-key-env TENANT_B --seed 5 --vectors 20 --forks 3 --reporter terminal`;
    const restart = ['--crash', 'none', '--restart-command', `start --key ${served.apiKey}`];
    const outputs = ['--evidence', file('e'), '--reporter', `json=${file('j')}`, '--reporter', `junit=${file('x')}`];
    const keys = { OPENWOP_API_KEY: served.apiKey, TENANT_B: served.otherTenantApiKey };
    const ended = await runCli([...flags.split(' '), ...restart, ...outputs], keys);
    const read = (name: string): string => readFileSync(file(name), 'utf8');
    return { ended, evidence: read('e'), json: read('j'), junit: read('x') };
  });
});

afterAll(async () => {
  server?.signal('SIGTERM');
  await server?.ended;
});

interface Judged extends Pick<Ended, 'exitCode' | 'stderr'> {
  readonly output: string;
  readonly junit: string;
}

/** Judges or renders an evidence file's text again, offline: in a process of its own, or inside this one, which is as good for the answer. */
function again(command: 'judge' | 'report', evidence: string, run: typeof runMain = runMain): Promise<Judged> {
  return withTemporaryDirectory(async (directory) => {
    const [input, output, junit] = ['evidence.ndjson', 'output', 'junit'].map((name) => join(directory, name));
    writeFileSync(String(input), evidence);
    const ended = await run([command, String(input), '--reporter', `json=${output}`, '--reporter', `junit=${junit}`]);
    const read = (file: unknown): string => (ended.exitCode === 2 ? '' : readFileSync(String(file), 'utf8'));
    return { ...ended, output: read(output), junit: read(junit) };
  });
}

function lines(text: string): readonly string[] {
  return text.trimEnd().split('\n');
}

/** The times of all elements of a name, added up. */
function milliseconds(junit: string, element: string): number {
  return [...junit.matchAll(new RegExp(`<${element} .* time="(?<time>[\\d.]+)"`, 'gu'))].reduce(
    (total, { groups }) => total + Math.round(Number(groups?.['time']) * 1000),
    0,
  );
}

describe('a run’s evidence', () => {
  it('comes from a run that verified something', () => {
    const report = JSON.parse(recorded.json) as Report;
    expect(recorded.ended.exitCode).toBe(report.exitCode);
    expect(report.counts.pass).toBeGreaterThan(5);
    expect(validate('report', report)).toEqual([]);
  });

  it('validates line by line, from run to end', () => {
    const records = lines(recorded.evidence).map((line) => JSON.parse(line) as { readonly kind: string });
    const wrong = records.map((record) => validate('evidence', record)).filter((violations) => violations.length > 0);
    expect(wrong).toEqual([]);
    expect([records[0]?.kind, records.at(-1)?.kind]).toEqual(['run', 'end']);
  });

  it('gives the same report again, offline, and the same JUnit report', async () => {
    const judged = await again('judge', recorded.evidence, runCli);
    expect(JSON.parse(judged.output)).toEqual(JSON.parse(recorded.json));
    expect(judged.output).toBe(recorded.json);
    expect(judged.junit).toBe(recorded.junit);
    expect(judged.exitCode).toBe(recorded.ended.exitCode);
  });

  it('gives a JUnit report whose times add up to the run’s', () => {
    const { durationMs } = JSON.parse(recorded.json) as Report;
    expect(milliseconds(recorded.junit, 'testcase')).toBe(durationMs);
    expect(milliseconds(recorded.junit, 'testsuite')).toBe(durationMs);
  });

  it('gives a page whose table and footer agree', () => {
    const table = [...recorded.ended.stdout.matchAll(/(?<amount>\d+) (?:FAIL|advice)\b/gu)];
    const footer = /(?<failed>\d+) failed(?:, (?<advice>\d+) advice)?, \d+ inconclusive/u.exec(recorded.ended.stdout);
    const { failed, advice = 0 } = footer?.groups ?? {};
    expect(table.reduce((sum, { groups }) => sum + Number(groups?.['amount']), 0)).toBe(
      Number(failed) + Number(advice),
    );
  });

  it('is planned for without it, and the plan says what that cost the host', async () => {
    const { exitCode, stdout } = await runMain(['plan', '--base-url', served.baseUrl], {
      OPENWOP_API_KEY: served.apiKey,
    });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/\n\nThe host was sent \d+ requests: \d+ made a run there, \d+ a fork\.\n$/u);
  });

  it('holds no credential, nor does anything else that the run wrote', () => {
    const written = [recorded.evidence, recorded.json, recorded.junit, recorded.ended.stdout, recorded.ended.stderr];
    for (const secret of [served.apiKey, served.otherTenantApiKey]) {
      for (const form of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64').slice(0, -2)]) {
        expect(written.filter((text) => text.includes(form))).toEqual([]);
      }
    }
    expect(recorded.evidence).toContain('Bearer $OPENWOP_API_KEY');
    expect(recorded.evidence).toContain('"restartCommand":"start --key [redacted]"');
  });
});

describe('evidence that was cut off', () => {
  it('is inconclusive, and no verdict is made up', async () => {
    const all = lines(recorded.evidence);
    const driven = all.findIndex((line) => line.includes('"kind":"driven"'));
    const { exitCode, output } = await again('judge', `${all.slice(0, driven).join('\n')}\n`);
    const report = JSON.parse(output) as Report;
    expect(exitCode).toBe(3);
    expect(report).toMatchObject({ verdict: 'inconclusive', counts: { pass: 0, fail: 0, error: 0 } });
    expect(report.checks).toHaveLength((JSON.parse(recorded.json) as Report).checks.length);
  });

  it('after its first line is inconclusive too, in the words of judge and of report', async () => {
    const text = `${lines(recorded.evidence)[0]}\n`;
    const judged = await again('judge', text);
    expect(judged.exitCode).toBe(3);
    expect(await again('report', text)).toEqual(judged);
  });
});

/** The beginning of the evidence. */
function head(): readonly string[] {
  return lines(recorded.evidence).slice(0, 50);
}

/** The evidence's beginning with one line replaced, counted from 1. */
function damaged(line: number, text: string): string {
  return head()
    .with(line - 1, text)
    .join('\n');
}

describe('evidence that is none', () => {
  it.each([
    ['half a line', 3, '{"kind":"exch', 'not a JSON document'],
    ['a line of an unknown kind', 4, '{"kind":"gossip"}', ''],
    ['a line with a stray member', 2, '{"kind":"end","durationMs":1,"stray":1}', 'additional properties ("stray")'],
    ['a line that is no object', 5, '[]', ''],
  ])('for %s ends with 2 and names the line', async (_, line, text, message) => {
    const { exitCode, stderr } = await again('judge', damaged(line, text));
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`evidence.ndjson:${line}: `);
    expect(stderr).toContain(message);
  });

  it('of a scenario that this version does not know ends with 2 and names it, rather than leaving it out', async () => {
    const foreign = head().join('\n').replaceAll('"discovery.document"', '"discovery.of-tomorrow"');
    const { exitCode, stderr } = await again('judge', foreign);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('discovery.of-tomorrow')]);
  });

  it.each([
    ['"level":"must"', '"level":"whatever"', 'no level'],
    ['"recipe":"rfc-0041"', '"recipe":"rfc-0000"', 'no recipe'],
    ['"volatile":[]', '"volatile":["/payload"]', '/payload, which names a whole payload'],
    ['"suite":[]', '"suite":["of-tomorrow"]', 'the suite of-tomorrow'],
    ['"requirements":[]', '"requirements":["run.created"]', 'which its options do not select'],
  ])('with %s as %s in its run line ends with 2', async (was, is, message) => {
    const [first = '', ...rest] = head();
    expect(first).toContain(was);
    const { exitCode, stderr } = await again('judge', [first.replace(was, is), ...rest].join('\n'));
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it('for a file without a run line, an empty and an absent one ends with 2', async () => {
    const { exitCode, stderr } = await again('judge', head().slice(1).join('\n'));
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('no run line')]);
    expect((await again('report', '')).exitCode).toBe(2);
    expect((await runMain(['judge', '/no/such/evidence'])).exitCode).toBe(2);
  });
});
