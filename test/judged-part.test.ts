import { describe, expect, it } from 'vitest';
import type { Fetch, HostParts } from '../reference-host/parts.ts';
import { SUITES } from '../scenarios/index.ts';
import { isRecord } from '../src/host/run-event.ts';
import { runWithParts } from '../src/kill-matrix/run-mutant.ts';
import type { Report } from '../src/contract/report.ts';
import { refused } from './variants/wire.ts';

/** The suites or scenarios of these names against the reference host, some of its answers given by `answer` instead. */
function judged(
  names: readonly string[],
  answer: (path: string, send: () => Promise<Response>, request: Request) => Promise<Response>,
): Promise<Report> {
  const parts: Partial<HostParts> = {
    middleware: (next: Fetch) => (request) => answer(new URL(request.url).pathname, async () => next(request), request),
  };
  const suites = SUITES.map((suite) =>
    names.includes(suite.id) ? suite : { ...suite, scenarios: suite.scenarios.filter(({ id }) => names.includes(id)) },
  ).filter(({ scenarios }) => scenarios.length > 0);
  return runWithParts(suites, parts, { crash: 'few', timeoutMs: 6_000 });
}

describe('a host whose discovery document wants a credential, though its runs work', () => {
  it('is judged: the document has to be public, and nothing keeps its runs from being looked at', async () => {
    const report = await judged(['discovery', 'run.created', 'run.creating'], async (path, send) =>
      path === '/.well-known/openwop' ? refused(401, 'unauthenticated') : send(),
    );
    expect(report).not.toHaveProperty('preflight');
    expect(report.checks).toContainEqual(expect.objectContaining({ id: 'discovery.reachable', verdict: 'fail' }));
    expect(report.checks).toContainEqual(expect.objectContaining({ id: 'run.created', verdict: 'pass' }));
    expect(report.exitCode).toBe(1);
  });

  it('is judged by the document that it gives with one', async () => {
    const report = await judged(['discovery', 'fork.full-replay', 'fork.branch'], async (path, send, request) =>
      path === '/.well-known/openwop' && !request.headers.has('authorization')
        ? refused(401, 'unauthenticated')
        : send(),
    );
    const red = report.checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
    expect(red).toEqual(['discovery.reachable']);
    expect(report.checks.filter(({ restsOn }) => restsOn === 'discovery.reachable')).toEqual([]);
    for (const id of ['discovery.version-four-complete', 'fork.created', 'fork.branch-needs-from-seq']) {
      expect(report.checks).toContainEqual(expect.objectContaining({ id, verdict: 'pass' }));
    }
  });
});

describe('a host that advertises neither replay nor the execution model, and does not fork', () => {
  it('is told that nothing of replay was judged, in whatever is left it may be conformant', async () => {
    const report = await judged(['discovery', 'run-lifecycle', 'fork-contract'], async (path, send) => {
      if (path.endsWith(':fork')) return refused(404, 'not_found');
      const response = await send();
      return path === '/.well-known/openwop' ? withoutReplay(response) : response;
    });
    expect(report.leftOut).toBe(
      'nothing of replay was judged: advertise replay, or multiAgent.executionModel from version 4, to be tested',
    );
    expect(report.suites).toMatchObject([
      { id: 'discovery', verdict: 'conformant' },
      { id: 'run-lifecycle', verdict: 'conformant' },
      { id: 'fork-contract', verdict: 'not-judged', reason: expect.stringContaining('neither advertises') as string },
    ]);
  });
});

async function withoutReplay(response: Response): Promise<Response> {
  const document: unknown = await response.json();
  if (!isRecord(document)) throw new TypeError('no document');
  const { replay: _replay, multiAgent: _multiAgent, capabilities: _capabilities, ...rest } = document;
  return Response.json(rest);
}
