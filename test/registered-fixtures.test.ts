import { EventEmitter, once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { createReferenceHost, defaultCredentials, listen } from '../reference-host/index.ts';
import type { Report } from '../src/contract/report.ts';
import type { EvidenceRecord } from '../src/evidence/types.ts';
import { startCli, withTemporaryDirectory } from './cli.ts';
import { serveVendorHost } from './hosts/vendor-kinds.ts';
import { runMain } from './run-main.ts';

const { apiKey, otherTenantApiKey, credentials } = defaultCredentials();

interface PublicHost {
  readonly baseUrl: string;
  readonly register: string;
  /** Whether the host has a workflow now. */
  readonly has: (workflowId: string) => Promise<boolean>;
}

/** A reference host that has the workflows of public hosts alone, and takes others; `before` may hold a request back. */
async function withPublicHost(
  work: (host: PublicHost) => Promise<void>,
  before: (request: Request) => Promise<void> | undefined = () => undefined,
): Promise<void> {
  const host = createReferenceHost({
    credentials,
    enableTestSeams: true,
    enableRegistration: true,
    onlyPublicWorkflows: true,
  });
  const server = await listen({
    fetch: async (request) => {
      await before(request);
      return host.fetch(request);
    },
  });
  const { baseUrl } = server;
  const has = async (workflowId: string): Promise<boolean> => {
    const headers = { authorization: `Bearer ${apiKey}` };
    return (await host.fetch(new Request(`${baseUrl}/v1/workflows/${workflowId}`, { headers }))).status === 200;
  };
  try {
    await work({ baseUrl, register: `${baseUrl}/v1/host/sample/workflows`, has });
  } finally {
    await server.close();
    await host.close();
  }
}

function linesOf(file: string): readonly EvidenceRecord[] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as EvidenceRecord);
}

describe('a host that has none of our fixtures', () => {
  it('is decided as one that has them, where they are registered, and has none of them afterwards', async () => {
    const suites = [
      'run-lifecycle',
      'replay-determinism',
      'refusal-divergence',
      'handoff-state-machine',
      'at-most-once',
    ].flatMap((suite) => ['--suite', suite]);
    vi.stubEnv('OPENWOP_API_KEY', apiKey);
    vi.stubEnv('SECOND_KEY', otherTenantApiKey);
    await withPublicHost(async ({ baseUrl, register, has }) => {
      await withTemporaryDirectory(async (directory) => {
        const [evidence, report] = [join(directory, 'e'), join(directory, 'r')];
        const files = ['--evidence', evidence, '--reporter', `json=${report}`];
        const flags = ['--tenant-b-key-env', 'SECOND_KEY', '--crash', 'none', '--forks', '5', '--register', register];
        const { exitCode, stderr } = await runMain(['--base-url', baseUrl, ...suites, ...flags, ...files]);
        const { counts, options } = JSON.parse(readFileSync(report, 'utf8')) as Report;
        expect(exitCode).toBe(0);
        expect(counts).toMatchObject({ fail: 0, inconclusive: 0, error: 0 });
        expect(counts.pass).toBeGreaterThan(70);
        expect(options['register']).toBe(register);
        expect(stderr).toMatch(/: \d+ fixtures registered over POST .*, to be removed at the end\n$/u);
        const exchanges = linesOf(evidence).filter((record) => record.kind === 'exchange');
        const unknown = exchanges.filter(
          ({ request, answer }) =>
            request.method === 'POST' &&
            request.url === `${baseUrl}/v1/runs` &&
            request.body?.text.includes('"conformance-unknown-') === false &&
            answer.kind === 'response' &&
            answer.status === 404,
        );
        expect(unknown).toEqual([]);
        const removed = exchanges.filter(({ request }) => request.method === 'DELETE');
        const added = exchanges.filter(({ request }) => request.method === 'POST' && request.url === register);
        expect(removed.length).toBe(added.length);
      });
      expect(await has('conformance-determinism-once')).toBe(false);
      expect(await has('conformance-noop')).toBe(true);
    });
    vi.unstubAllEnvs();
  });

  it('has none of them after an interruption', async () => {
    const requests = new EventEmitter();
    const creating = once(requests, 'run');
    const heldBack = (request: Request): Promise<void> | undefined => {
      if (request.method !== 'POST' || new URL(request.url).pathname !== '/v1/runs') return undefined;
      requests.emit('run');
      return new Promise<never>(() => undefined);
    };
    await withPublicHost(async ({ baseUrl, register, has }) => {
      const flags = ['--register', register, '--suite', 'replay-determinism', '--crash', 'none', '--timeout', '60000'];
      const run = startCli(['--base-url', baseUrl, ...flags], { OPENWOP_API_KEY: apiKey });
      await creating;
      expect(await has('conformance-determinism-clock')).toBe(true);
      run.signal('SIGINT');
      expect((await run.ended).exitCode).toBe(130);
      expect(await has('conformance-determinism-clock')).toBe(false);
    }, heldBack);
  });
});

const MAP = {
  'core.identity': { typeId: 'acme.take', config: { from: '$(config.name)', into: '$(config.outputVariable)' } },
  'core.tool.http': {
    typeId: 'acme.fetch',
    config: {
      url: '{{inputs.witnessUrl}}$(config.path)',
      verb: '$(config.method)',
      into: '$(config.outputVariable)',
    },
  },
};

describe('a host of other node kinds', () => {
  it.each([
    ['counted at the witness where a map says what stands for ours', true, 'pass', '1 fixtures registered over POST'],
    [
      'left undecided without, with the kind that it lacks',
      false,
      'inconclusive',
      'There is no node kind core.identity.',
    ],
  ])('is %s', async (_, isMapped, verdict, line) => {
    const host = await serveVendorHost();
    try {
      await withTemporaryDirectory(async (directory) => {
        const [map, report] = [join(directory, 'map'), join(directory, 'r')];
        writeFileSync(map, JSON.stringify(MAP));
        const target = ['--base-url', host.baseUrl, '--register', `${host.baseUrl}/v1/host/acme/workflows`];
        const chosen = ['--scenario', 'replay.no-second-external-call', '--reporter', `json=${report}`];
        const { stderr } = await runMain([...target, ...chosen, ...(isMapped ? ['--type-map', map] : [])]);
        const { checks } = JSON.parse(readFileSync(report, 'utf8')) as Report;
        expect(checks.map((check) => [check.id, check.verdict])).toEqual([
          ['replay.no-second-external-call', verdict],
          ['replay.no-second-external-call.replay-of-replay', verdict],
          ['replay.no-second-external-call.cached-response', verdict],
        ]);
        expect(stderr).toContain(line);
      });
      expect(host.workflows()).toEqual([]);
    } finally {
      await host.close();
    }
  });
});
