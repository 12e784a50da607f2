import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCliWithReport, withTemporaryDirectory } from './cli.ts';
import { hostileTexts, noKey, randomKeys, sameKey } from './hosts/bad-seams.ts';
import { always401, always500, alwaysEmptyObject, redirecting, webPage } from './hosts/broken-answers.ts';
import { dead, endlessBody, garbage, hugeHeaders, silent } from './hosts/broken-transports.ts';
import type { FakeHost } from './hosts/fake-host.ts';

const KEY = 'owk_secret-of-this-test';

/** A whole run of the built CLI against a host, as somebody with a credential would start it. */
async function runAgainst(host: FakeHost, ...flags: readonly string[]) {
  const args = ['--base-url', host.baseUrl, '--vectors', '10', '--seed', '1', ...flags];
  return runCliWithReport(args, { OPENWOP_API_KEY: KEY });
}

const DEAD: readonly (readonly [name: string, start: () => Promise<FakeHost>, exitCode: 1 | 3, says: RegExp])[] = [
  ['dead', dead, 3, /^inconclusive: .*no answer: refused/m],
  ['silent', silent, 3, /^inconclusive: .*no answer: timeout/m],
  ['garbage bytes', garbage, 3, /^inconclusive: .*no answer: protocol/m],
  ['endless body', endlessBody, 3, /^inconclusive: .*no answer: body-too-large/m],
  ['huge headers', hugeHeaders, 3, /^inconclusive: .*no answer: headers-too-large/m],
  ['always 401', always401, 1, /^ +actual: +status 401$/m],
  ['always 500', always500, 1, /^ +actual: +status 500$/m],
  ['always {}', alwaysEmptyObject, 1, /nothing in it says that it is an OpenWOP discovery document/],
  ['a web page', webPage, 1, /^ +actual: +200, text\/html: /m],
];

describe('hosts that are none', () => {
  it.each(DEAD)('%s: nothing passes, and one line says why', async (_, start, exitCode, says) => {
    const host = await start();
    try {
      const { stdout, report, ...ended } = await runAgainst(host, '--timeout', start === silent ? '300' : '8000');
      expect(report.counts).toMatchObject({ pass: 0, error: 0 });
      expect(ended.exitCode).toBe(exitCode);
      expect(report.exitCode).toBe(exitCode);
      expect(stdout).toMatch(says);
    } finally {
      await host.close();
    }
  });

  it('follows no redirect, and shows the credential to nobody else', async () => {
    const elsewhere = await alwaysEmptyObject();
    const host = await redirecting(elsewhere.baseUrl);
    try {
      const { exitCode, stdout, report } = await runAgainst(host);
      expect(exitCode).toBe(1);
      expect(report.counts.pass).toBe(0);
      expect(stdout).toMatch(/^ +actual: +307, /m);
      expect(host.requests).not.toHaveLength(0);
      expect(elsewhere.requests).toEqual([]);
      expect(JSON.stringify(report) + stdout).not.toContain(KEY);
    } finally {
      await Promise.all([host.close(), elsewhere.close()]);
    }
  });
});

describe('a faultless advertisement in front of a bad seam', () => {
  it.each([
    ['the same key for everything', sameKey],
    ['a random key each time', randomKeys],
    ['no key at all', noKey],
  ])('%s: no check of a key passes', async (_, start) => {
    const host = await start();
    try {
      const { exitCode, report } = await runAgainst(host, '--suite', 'cache-key-portable');
      expect(report.checks).not.toHaveLength(0);
      expect(report.checks.filter((check) => check.verdict === 'pass').map((check) => check.id)).toEqual([]);
      expect(exitCode).toBe(1);
    } finally {
      await host.close();
    }
  });

  it('repeating the credential and steering the terminal: neither gets through', async () => {
    const host = await hostileTexts();
    try {
      await withTemporaryDirectory(async (directory) => {
        const file = join(directory, 'evidence.ndjson');
        const { exitCode, stdout, stderr, report } = await runAgainst(host, '--evidence', file);
        expect(exitCode).toBe(1);
        expect(stdout).toContain('good host');
        for (const text of [stdout, stderr, JSON.stringify(report), readFileSync(file, 'utf8')]) {
          expect(text).not.toContain(KEY);
        }
        expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
      });
    } finally {
      await host.close();
    }
  });
});
