import { describe, expect, it } from 'vitest';
import type { Fetch, HostParts } from '../reference-host/parts.ts';
import { forking, type ForkCall } from '../reference-host/mutants/shared/fork-parts.ts';
import { SUITES } from '../scenarios/index.ts';
import { STANDS_ON } from '../scenarios/stands-on.ts';
import type { CheckReport } from '../src/contract/report.ts';
import { runWithParts } from '../src/kill-matrix/run-mutant.ts';
import { killsHosts, type Suite } from '../src/runner/scenario.ts';
import { LEASED } from './liars/driven.ts';
import { sampled } from './sampled.ts';
import { refused } from './variants/wire.ts';
import { reportWithin } from './report-within.ts';

/** Hosts that lack one thing wholly. */
interface Coarse {
  readonly id: string;
  readonly parts: Partial<HostParts>;
  /** Where every run is waited for in vain: within it all is seen, unless the machine is busy. */
  readonly timeoutMs?: number;
}

function answering(isMeant: (request: Request, path: string) => boolean, answer: () => Response): Partial<HostParts> {
  return {
    middleware: (next: Fetch) => (request) =>
      isMeant(request, new URL(request.url).pathname) ? Promise.resolve(answer()) : next(request),
  };
}

function refusingForks(isMeant: (body: ForkCall['body']) => boolean): Partial<HostParts> {
  return forking((call) => (isMeant(call.body) ? refused(501, 'not_implemented') : call.send()))();
}

const isDiscovery = (_: Request, path: string): boolean => path === '/.well-known/openwop';
const SEAM = '/v1/host/sample/test/';

const HOSTS: readonly Coarse[] = [
  {
    id: 'no runs',
    parts: answering(
      ({ method }, path) => method === 'POST' && path === '/v1/runs',
      () => refused(501, 'not_implemented'),
    ),
  },
  {
    id: 'no logs',
    timeoutMs: 1_000,
    parts: answering(
      (_, path) => /^\/v1\/runs\/[^/]+\/events/u.test(path),
      () => refused(404, 'not_found'),
    ),
  },
  {
    id: 'no snapshots',
    timeoutMs: 1_000,
    parts: answering(
      ({ method }, path) => method === 'GET' && /^\/v1\/runs\/[^/:]+$/u.test(path),
      () => refused(404, 'not_found'),
    ),
  },
  {
    id: 'no replays from later events',
    parts: refusingForks(({ mode, fromSeq }) => mode === 'replay' && typeof fromSeq === 'number' && fromSeq > 1),
  },
  { id: 'no forks', parts: refusingForks(() => true) },
  { id: 'no branches', parts: refusingForks(({ mode }) => mode === 'branch') },
  {
    id: 'refusals as text',
    parts: {
      middleware: (next: Fetch) => async (request) => {
        const response = await next(request);
        return response.status < 400 ? response : new Response('Error', { status: response.status });
      },
    },
  },
  { id: 'no discovery document', parts: answering(isDiscovery, () => new Response('<html>', { status: 200 })) },
  {
    id: 'no seams',
    parts: answering(
      (_, path) => path.startsWith(SEAM),
      () => refused(404, 'not_found'),
    ),
  },
  {
    id: 'no answers of the mock model',
    parts: answering(
      (_, path) => path === `${SEAM}mock-ai/program`,
      () => Response.json({}),
    ),
  },
];

/** All but what kills hosts or waits for leases, and the long sweep. */
const DRIVEN: readonly Suite[] = SUITES.map((suite) => ({
  ...suite,
  scenarios: suite.scenarios.filter(
    (scenario) => !killsHosts(scenario) && !LEASED.has(scenario.id) && scenario.id !== 'sequence.sweep',
  ),
}));

describe('what checks stand on', () => {
  it('is checks that there are', () => {
    const checks = new Set(SUITES.flatMap(({ scenarios }) => scenarios).flatMap((each) => each.checks));
    const ids = new Set([...checks].map(({ id }) => id));
    const names = new Set([...checks].flatMap(({ id, requirement }) => [id, requirement]));
    expect(Object.keys(STANDS_ON).filter((name) => !names.has(name))).toEqual([]);
    expect(Object.values(STANDS_ON).flatMap((owners) => owners.filter((owner) => !ids.has(owner)))).toEqual([]);
  });
});

/** What is undecided and rests on nothing, where something is red. */
function openIn(checks: readonly CheckReport[]): readonly CheckReport[] {
  if (!checks.some(({ verdict }) => verdict === 'fail')) return [];
  return checks.filter(({ verdict, restsOn }) => verdict === 'inconclusive' && restsOn === undefined);
}

describe('on a host that lacks one thing, what is undecided beside a red row rests on it', () => {
  it.each(sampled(HOSTS, 3))('$id', async ({ parts, timeoutMs = 6_000 }) => {
    const report = await reportWithin(
      [timeoutMs, 10 * timeoutMs],
      (limit) => runWithParts(DRIVEN, parts, { crash: 'few', timeoutMs: limit }),
      ({ checks }) => openIn(checks).length === 0,
    );
    expect(openIn(report.checks).map(({ id, reason }) => `${id}: ${reason}`)).toEqual([]);
  });
});
