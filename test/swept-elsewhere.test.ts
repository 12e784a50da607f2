import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createReferenceHost, defaultCredentials, defaultParts, listen } from '../reference-host/index.ts';
import { isObject, type JsonObject } from '../reference-host/json.ts';
import type { Fetch, HostParts } from '../reference-host/parts.ts';
import { MUTANTS } from '../reference-host/mutants/index.ts';
import { knowingForks } from '../reference-host/mutants/shared/run-memory.ts';
import { isTerminal } from '../reference-host/store/event.ts';
import { SUITES } from '../scenarios/index.ts';
import { GIVEN } from '../scenarios/handoff-state-machine/fixtures.ts';
import { MAY_RUN } from '../scenarios/may-run.ts';
import type { CheckReport } from '../src/contract/report.ts';
import type { Suite } from '../src/runner/scenario.ts';
import { runWithParts } from '../src/kill-matrix/run-mutant.ts';
import { withTemporaryDirectory } from './cli.ts';
import { runMain } from './run-main.ts';

/** Workflows that nobody here wrote, by what they are: each costs itself only. */
const THEIRS: Workflows = {
  'vendor.echo': { workflowId: 'conformance-identity', inputs: { payload: { theirs: true } } },
  'vendor.asks': { workflowId: 'conformance-clarification' },
  'vendor.fails': { workflowId: 'conformance-failure' },
  'vendor.hangs': { workflowId: 'conformance-cancellable', inputs: { delayMs: 600_000 } },
  'vendor.gone': { workflowId: 'no-such-workflow' },
};

type Workflows = Readonly<Record<string, JsonObject>>;

/** A host that has these workflows, and advertises them and others. */
function hostOf(workflows: Workflows, others: readonly string[]): Partial<HostParts> {
  return {
    discovery: (document) => ({ ...document, fixtures: [...Object.keys(workflows), ...others] }),
    middleware:
      (next): Fetch =>
      async (request) => {
        if (request.method !== 'POST' || new URL(request.url).pathname !== '/v1/runs') return next(request);
        const body: unknown = JSON.parse(await request.text());
        const { workflowId } = isObject(body) ? body : {};
        const real = typeof workflowId === 'string' ? workflows[workflowId] : undefined;
        const headers = new Headers(request.headers);
        headers.delete('content-length');
        const sent = JSON.stringify({ ...(isObject(body) ? body : {}), ...real });
        return next(new Request(request.url, { method: 'POST', headers, body: sent }));
      },
  };
}

function only(...ids: readonly string[]): readonly Suite[] {
  return SUITES.map((suite) => ({ ...suite, scenarios: suite.scenarios.filter(({ id }) => ids.includes(id)) }));
}

describe('a sweep of a long log', () => {
  it('sees what its forks show otherwise far behind its beginning', async () => {
    const marked = knowingForks((modeOf) => () => ({
      eventOnWire: (event) =>
        event.sequence > 40 && !isTerminal(event.type) && modeOf(event.runId) !== undefined
          ? { ...event, payload: { ...Object(event.payload), late: true } }
          : event,
    }))(defaultParts);
    const amounts = { vectors: 0, forks: 12 };
    const { checks } = await runWithParts(only('sequence.sweep'), marked, { crash: 'few', amounts });
    const red = checks.filter(({ verdict }) => verdict === 'fail');
    expect(red.map(({ id }) => id)).toEqual(['sequence.prefix-equal']);
    expect(red[0]?.actual).toContain('determinism-long');
  });
});

describe('a sweep of a host with workflows that hang, fail or are not there', () => {
  it('judges what is there, and names the rest', async () => {
    // An id that no terminal may show is left out.
    const parts = hostOf(THEIRS, ['conformance-noop', 'conformance-approval', 'vendor.\u001B[2J']);
    const { checks } = await runWithParts(only('sequence.sweep'), parts, { crash: 'few', timeoutMs: 12_000 });
    expect(checks.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['sequence.prefix-equal', 'pass'],
      ['sequence.state-equal', 'pass'],
      ['sequence.state-equal.every-fixture', 'pass'],
      ['sequence.replay-of-replay.every-fixture', 'pass'],
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

/** Nothing hangs where no run waits for somebody: what is slow on a busy machine is waited for. */
const TIMEOUT_MS = 30_000;

/** What a workflow of the host's own really is, the check that it decides, and a mutant that this one turns red. */
const OF_A_KIND = [
  {
    real: 'conformance-determinism-memory-write',
    check: 'replay.recorded-facts-verbatim',
    mutant: 'memory-id-minted-again',
  },
  {
    real: 'conformance-clarification',
    check: 'replay.interrupt-short-circuits',
    mutant: 'interrupt-asked-again',
    // Its replays wait for an answer that nobody gives.
    timeoutMs: 6_000,
  },
  { real: 'conformance-dispatch-input-mapping', check: 'replay.no-second-child', mutant: 'replay-second-child' },
];

describe.concurrent('a host that has nothing that rows name, and a workflow of its own', () => {
  const named = [...OF_A_KIND.map(({ real }) => real), ...GIVEN.map(({ workflowId }) => workflowId)];
  const ours = [...named, ...[...MAY_RUN.values()].flat()];
  const gone = Object.fromEntries(ours.map((id) => [id, { workflowId: 'no-such-workflow' }]));

  it.each(OF_A_KIND)('is judged by $check', async ({ real, check, mutant, timeoutMs = TIMEOUT_MS }) => {
    const scenarios = SUITES.flatMap((suite) => suite.scenarios).filter(({ checks }) =>
      checks.some(({ id }) => id === check),
    );
    const suites = only('sequence.sweep', ...scenarios.map(({ id }) => id));
    const parts = hostOf({ ...gone, 'vendor.own': { workflowId: real, inputs: {} } }, []);
    const broken = MUTANTS.find(({ id }) => id === mutant)?.parts(defaultParts);
    const found: (CheckReport | undefined)[] = [];
    for (const each of [parts, { ...broken, ...parts }]) {
      const { checks } = await runWithParts(suites, each, { crash: 'few', timeoutMs });
      found.push(checks.find(({ id }) => id === check));
    }
    expect(found.map((each) => each?.verdict)).toEqual(['pass', 'fail']);
    // The check's own scenario alone does not show it again.
    expect(found[1]?.reproduce).toContain(`--scenario ${scenarios[0]?.id ?? '-'} --scenario sequence.sweep`);
  });

  it('is driven again by the scenario that recorded the failure', async () => {
    const { apiKey, credentials } = defaultCredentials();
    const broken = MUTANTS.find(({ id }) => id === 'memory-id-minted-again')?.parts(defaultParts);
    const own = hostOf(
      { ...gone, 'vendor.own': { workflowId: 'conformance-determinism-memory-write', inputs: {} } },
      [],
    );
    const host = createReferenceHost({ credentials, enableTestSeams: true, parts: { ...broken, ...own } });
    const server = await listen(host);
    try {
      await withTemporaryDirectory(async (directory) => {
        const [key, evidence] = [join(directory, 'key'), join(directory, 'evidence.ndjson')];
        writeFileSync(key, apiKey);
        const at = ['--base-url', server.baseUrl, '--api-key-file', key, '--timeout', String(TIMEOUT_MS)];
        const both = ['--scenario', 'replay.facts', '--scenario', 'sequence.sweep'];
        await runMain([...at, ...both, '--evidence', evidence]);
        const again = await runMain(['replay-check', evidence, 'replay.recorded-facts-verbatim', ...at, '--quiet']);
        expect(again.stdout).toMatch(/^  then: fail: .*\n  now:  fail: /mu);
      });
    } finally {
      await server.close();
      await host.close();
    }
  });
});
