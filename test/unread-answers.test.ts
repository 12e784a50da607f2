import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { HostParts } from '../reference-host/parts.ts';
import type { CheckReport } from '../src/contract/report.ts';
import { runWithParts } from '../src/kill-matrix/run-mutant.ts';
import { DRIVEN } from './liars/driven.ts';
import { EVERY_PLACE } from './sampled.ts';
import { around } from './variants/wire.ts';
import { reportWithin } from './report-within.ts';

/** The same answer, packed as nobody requested. */
async function packed(response: Response): Promise<Response> {
  const headers = new Headers(response.headers);
  headers.set('content-encoding', 'gzip');
  headers.delete('content-length');
  return new Response(new Uint8Array(gzipSync(await response.arrayBuffer())), { status: response.status, headers });
}

function elsewhere({ url }: Request): Response {
  return new Response(null, { status: 307, headers: { location: `http://elsewhere.invalid${new URL(url).pathname}` } });
}

const RUNS = /^\/v1\/runs$/u;
const SNAPSHOTS = /^\/v1\/runs\/[^/:]+$/u;
const LOGS = /^\/v1\/runs\/[^/]+\/events/u;
const FORKS = /:fork$/u;
const OF_RUNS = /^\/v1\/runs/u;

const PLACES = [
  ['requests for runs', RUNS],
  ['snapshots', SNAPSHOTS],
  ['logs', LOGS],
  ['forks', FORKS],
  ['whatever is about runs', OF_RUNS],
] as const;

/** The suites whose foundations these are; all of them where every place is tried. */
const SUITES = DRIVEN.filter(({ id }) => EVERY_PLACE || id === 'run-lifecycle' || id === 'fork-contract');

/** What the checks say, a reason like this one among it. */
async function checksOf(parts: Partial<HostParts>, reason: RegExp): Promise<readonly CheckReport[]> {
  const { checks } = await reportWithin(
    [2_000, 20_000],
    (timeoutMs) => runWithParts(SUITES, parts, { crash: 'few', timeoutMs }),
    (report) => report.checks.some((check) => reason.test(check.reason ?? '')),
  );
  expect(checks.map((check) => check.reason)).toContainEqual(expect.stringMatching(reason));
  return checks;
}

describe.concurrent('a host whose answers cannot be read', () => {
  it.each(PLACES)('is red in nothing where they come encoded: %s', async (_, path) => {
    const parts = around(path, async (request, next) => packed(await next(request)))();
    const checks = await checksOf(parts, /encoded as "gzip"/u);
    expect(checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'error')).toEqual([]);
  });

  it.each(PLACES)('is red in nothing where they redirect elsewhere: %s', async (_, path) => {
    const parts = around(path, (request) => Promise.resolve(elsewhere(request)))();
    const checks = await checksOf(
      parts,
      / 307, to http:\/\/elsewhere\.invalid\/v1\/runs\S*: redirects are not followed/u,
    );
    expect(checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'error')).toEqual([]);
  });
});
