import { EventEmitter, once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { createReferenceHost, defaultCredentials, listen } from '../reference-host/index.ts';
import type { Report } from '../src/contract/report.ts';
import type { EvidenceRecord } from '../src/evidence/types.ts';
import { startCli, withTemporaryDirectory } from './cli.ts';
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
