import { describe, expect, it } from 'vitest';
import { isObject, type JsonObject } from '../reference-host/json.ts';
import type { Fetch, HostParts } from '../reference-host/parts.ts';
import { SUITES } from '../scenarios/index.ts';
import { runWithParts } from '../src/kill-matrix/run-mutant.ts';

/** Workflows that nobody here wrote, by what they are: each costs itself only. */
const THEIRS: Readonly<Record<string, JsonObject>> = {
  'vendor.echo': { workflowId: 'conformance-identity', inputs: { payload: { theirs: true } } },
  'vendor.asks': { workflowId: 'conformance-clarification' },
  'vendor.fails': { workflowId: 'conformance-failure' },
  'vendor.hangs': { workflowId: 'conformance-cancellable', inputs: { delayMs: 600_000 } },
  'vendor.gone': { workflowId: 'no-such-workflow' },
};

/** A host that has these workflows and the public ones, and advertises them with an id that no terminal may show. */
const parts: Partial<HostParts> = {
  discovery: (document) => ({
    ...document,
    fixtures: [...Object.keys(THEIRS), 'conformance-noop', 'conformance-approval', 'vendor.\u001B[2J'],
  }),
  middleware:
    (next): Fetch =>
    async (request) => {
      if (request.method !== 'POST' || new URL(request.url).pathname !== '/v1/runs') return next(request);
      const body: unknown = JSON.parse(await request.text());
      const { workflowId } = isObject(body) ? body : {};
      const real = typeof workflowId === 'string' ? THEIRS[workflowId] : undefined;
      const headers = new Headers(request.headers);
      headers.delete('content-length');
      const sent = JSON.stringify({ ...(isObject(body) ? body : {}), ...real });
      return next(new Request(request.url, { method: 'POST', headers, body: sent }));
    },
};

const sweep = SUITES.map((suite) => ({
  ...suite,
  scenarios: suite.scenarios.filter(({ id }) => id === 'sequence.sweep'),
}));

describe('a sweep of a host with workflows that hang, fail or are not there', () => {
  it('judges what is there, and names the rest', async () => {
    const { checks } = await runWithParts(sweep, parts, { crash: 'few', timeoutMs: 4000 });
    expect(checks.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['sequence.prefix-equal', 'pass'],
      ['sequence.state-equal', 'pass'],
      ['sequence.monotonic.every-log', 'pass'],
      ['sequence.single-terminal-event.every-log', 'pass'],
    ]);
    const [prefixes] = checks;
    expect(prefixes?.reason).toContain('7 of 8 advertised workflows were swept');
    expect(prefixes?.reason).toContain('1 left out: it cannot be shown (an id)');
    expect(prefixes?.reason).toMatch(/vendor\.echo \(\d\), vendor\.asks \(\d\)/u);
    for (const left of [
      /vendor\.fails \(it failed \([a-z_]+\): give it inputs with --workflow\)/u,
      /vendor\.hangs \(the run has not ended[^)]*it was cancelled\)/u,
      /vendor\.gone \(POST \/v1\/runs was answered with 404\)/u,
    ]) {
      expect(prefixes?.reason).toMatch(left);
    }
  });
});
