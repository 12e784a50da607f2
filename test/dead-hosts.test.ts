import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { validate } from '../src/contract/validate.ts';
import { ANSWER_ON } from '../src/runner/silence.ts';
import { runCli, withReport, withTemporaryDirectory } from './cli.ts';
import { closedAfterEach } from './closing.ts';
import { FAULTLESS } from './hostile/fixed-answers.ts';
import { hostileTexts, noKey, randomKeys, sameKey } from './hosts/bad-seams.ts';
import { always401, always500, alwaysEmptyObject, redirecting, webPage } from './hosts/broken-answers.ts';
import { dead, endlessBody, garbage, hugeHeaders, silent } from './hosts/broken-transports.ts';
import { json, serveHttp, type FakeHost } from './hosts/fake-host.ts';
import { runMain } from './run-main.ts';

const KEY = 'owk_secret-of-this-test';
const opened = closedAfterEach();

/** A whole run against a host, as somebody with a credential would start it: inside this process, or as one of the built CLI. */
async function runAgainst(host: FakeHost, flags: readonly string[] = [], run: typeof runMain = runMain) {
  const args = ['--base-url', host.baseUrl, '--vectors', '10', '--seed', '1', ...flags];
  return withReport((all) => run(all, { OPENWOP_API_KEY: KEY }), args);
}

/** What keeps a connection open has to let the process end. */
const AS_PROCESSES: readonly (typeof dead)[] = [dead, silent, endlessBody];

const DEAD: readonly (readonly [name: string, start: () => Promise<FakeHost>, says: RegExp])[] = [
  ['dead', dead, /^unreachable: http:\S+ cannot be reached \(refused: .*\): start the host, or correct --base-url$/mu],
  ['silent', silent, /^unreachable: .* gave no whole answer to GET \S+ within 300 ms: .* raise --timeout$/mu],
  ['garbage bytes', garbage, /^no-http: what answers GET .* cannot be read \(protocol: .*\): correct --base-url$/mu],
  ['endless body', endlessBody, /^no-http: .*\(body-too-large: .*\): correct --base-url$/mu],
  ['huge headers', hugeHeaders, /^no-http: .*\(headers-too-large: .*\): correct --base-url$/mu],
  ['always 401', always401, /^credential: .* answered 401: .* not accepted, give another one in OPENWOP_API_KEY$/mu],
  [
    'always {}',
    alwaysEmptyObject,
    /^not-openwop: .* answered 200 with JSON that is no discovery document: .*--base-url$/mu,
  ],
  ['a web page', webPage, /^web-page: .* answered 200 with a web page: give the address of the API as --base-url$/mu],
];

describe('hosts that are none', () => {
  it.each(DEAD)('%s: nothing is judged, and one line says why and what to do', async (_, start, says) => {
    const host = opened(await start());
    const { stdout, report, ...ended } = await runAgainst(
      host,
      ['--timeout', start === silent ? '300' : '8000'],
      AS_PROCESSES.includes(start) ? runCli : runMain,
    );
    expect(report.checks.map(({ verdict }) => verdict)).toEqual(report.checks.map(() => 'inconclusive'));
    expect(report.suites.map(({ verdict }) => verdict)).toEqual(report.suites.map(() => 'not-judged'));
    expect(validate('report', report)).toEqual([]);
    expect([ended.exitCode, report.exitCode]).toEqual([3, 3]);
    expect(stdout).toMatch(says);
    expect(stdout).toMatch(/^inconclusive \(exit code 3\): nothing was judged · /mu);
    expect(stdout.trimEnd().split('\n').length).toBeLessThan(8);
    expect(host.requests.length).toBeLessThan(4);
  });

  it('always 500: it answers, so that its document is judged, and nothing passes', async () => {
    const host = opened(await always500());
    const { exitCode, stdout, report } = await runAgainst(host);
    expect(report.counts).toMatchObject({ pass: 0, error: 0 });
    expect([exitCode, report.exitCode]).toEqual([1, 1]);
    expect(stdout).toMatch(/^ +actual: +status 500$/mu);
  });

  it('follows no redirect, and shows the credential to nobody else', async () => {
    const elsewhere = opened(await alwaysEmptyObject());
    const host = opened(await redirecting(elsewhere.baseUrl));
    const { exitCode, stdout, report } = await runAgainst(host);
    expect(exitCode).toBe(3);
    expect(report.counts.pass).toBe(0);
    expect(stdout).toContain(`answered 307, to ${elsewhere.baseUrl}/.well-known/openwop: redirects are not followed`);
    expect(host.requests).not.toHaveLength(0);
    expect(elsewhere.requests).toEqual([]);
    expect(JSON.stringify(report) + stdout).not.toContain(KEY);
  });

  it('says so to plan, and to the evidence when it is judged again', async () => {
    const { baseUrl } = await dead();
    const planned = await runMain(['plan', '--base-url', baseUrl]);
    expect(planned.stdout.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^unreachable: .* correct --base-url$/u),
    ]);
    expect(planned.exitCode).toBe(3);
    await withTemporaryDirectory(async (directory) => {
      const file = join(directory, 'evidence.ndjson');
      const run = await runMain(['--base-url', baseUrl, '--seed', '1', '--evidence', file]);
      const judged = await runMain(['judge', file]);
      expect([judged.exitCode, judged.stdout]).toEqual([3, run.stdout]);
    });
  });
});

describe('a host that lets nobody make runs', () => {
  it('is judged by its document, and one line says which variable is wrong', async () => {
    const host = await serveHttp((request, response) =>
      request.url === '/.well-known/openwop'
        ? json(response, 200, FAULTLESS)
        : json(response, 401, { error: 'unauthenticated', message: 'Who are you?' }),
    );
    opened(host);
    const { exitCode, stdout, report } = await runAgainst(host);
    expect(exitCode).toBe(3);
    expect(stdout).toMatch(/^credential: POST \/v1\/runs .* answered 401: .* give another one in OPENWOP_API_KEY$/mu);
    expect(stdout).toMatch(/^ {2}give a credential that the host accepts: \d+ checks$/mu);
    expect(report.suites).toContainEqual(expect.objectContaining({ id: 'discovery', verdict: 'conformant' }));
    expect(report.counts).toMatchObject({ fail: 0, error: 0 });
    expect((await runAgainst(host, ['--suite', 'discovery'])).exitCode).toBe(0);
  });
});

describe('a host that dies in the middle', () => {
  it('is said so in the headline, with what was not reached', async () => {
    const host = await serveHttp((request, response) => {
      if (host.requests.length > 12) response.destroy();
      else if (request.url === '/.well-known/openwop') json(response, 200, FAULTLESS);
      else json(response, 404, { error: 'not_found', message: 'Nothing.' });
    });
    opened(host);
    const { stdout, report } = await runAgainst(host);
    expect(report.hostStopped?.afterRequests).toBe(12);
    const missed = report.hostStopped?.checksNotReached ?? 0;
    expect(missed).toBeGreaterThan(10);
    expect(stdout.split('\n').slice(2, 5)).toContain(
      `the host stopped answering after 12 requests, ${missed} checks were not reached`,
    );
    // What to do about answers that nobody gave any more is to give them.
    const gone = report.checks.filter(({ reason }) => reason?.startsWith('the host stopped answering: ') === true);
    expect(gone).toHaveLength(missed);
    expect(new Set(gone.flatMap(({ remedies = [] }) => remedies.map(({ step }) => step)))).toEqual(
      new Set([ANSWER_ON.step]),
    );
    expect(report.nextSteps).toContainEqual(expect.objectContaining({ steps: [ANSWER_ON.step] }));
    expect(validate('report', report)).toEqual([]);
  });
});

describe('a faultless advertisement in front of a bad seam', () => {
  it.each([
    ['the same key for everything', sameKey],
    ['a random key each time', randomKeys],
    ['no key at all', noKey],
  ])('%s: no check of a key passes', async (_, start) => {
    const host = opened(await start());
    const { exitCode, report } = await runAgainst(host, ['--suite', 'cache-key-portable']);
    expect(report.checks).not.toHaveLength(0);
    expect(report.checks.filter((check) => check.verdict === 'pass').map((check) => check.id)).toEqual([]);
    expect(exitCode).toBe(1);
  });

  it('repeating the credential and steering the terminal: neither gets through', async () => {
    const host = opened(await hostileTexts());
    await withTemporaryDirectory(async (directory) => {
      const file = join(directory, 'evidence.ndjson');
      const { exitCode, stdout, stderr, report } = await runAgainst(host, ['--evidence', file]);
      expect(exitCode).toBe(1);
      expect(stdout).toContain('good host');
      for (const text of [stdout, stderr, JSON.stringify(report), readFileSync(file, 'utf8')]) {
        expect(text).not.toContain(KEY);
      }
      expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    });
  });
});
