import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withServer } from './chat-server.ts';
import { runCli, startCli, withTemporaryDirectory, type Ended } from './cli.ts';
import { runMain } from './run-main.ts';

interface Address {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly otherTenantApiKey: string;
}

/** Starts `serve --json`, lets work use the host and stops it; `ended` is how the process ended. */
async function serving<T>(
  flags: readonly string[],
  work: (address: Address) => Promise<T>,
): Promise<{ readonly result: T; readonly ended: Ended }> {
  const serve = startCli(['serve', '--port', '0', '--json', ...flags]);
  try {
    const result = await work(JSON.parse(await serve.firstLine) as Address);
    serve.signal('SIGTERM');
    return { result, ended: await serve.ended };
  } finally {
    serve.signal('SIGKILL');
  }
}

async function post(address: Address, path: string, body: unknown): Promise<Response> {
  const headers = { authorization: `Bearer ${address.apiKey}`, 'content-type': 'application/json' };
  return fetch(address.baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** What a host answers at another loopback address. */
async function elsewhere({ baseUrl }: Address): Promise<number | 'refused'> {
  const url = new URL('/.well-known/openwop', baseUrl);
  url.hostname = '127.0.0.2';
  return fetch(url).then(
    ({ status }) => status,
    () => 'refused' as const,
  );
}

/** How the address itself is answered, and whether a view is advertised. */
async function look({ baseUrl }: Address): Promise<readonly unknown[]> {
  const page = await fetch(baseUrl);
  const head = await fetch(baseUrl, { method: 'HEAD' });
  const { extensions } = (await (await fetch(`${baseUrl}/.well-known/openwop`)).json()) as { extensions: object };
  return [page.status, page.headers.get('content-type'), head.status, 'x-openwop-run-timeline' in extensions];
}

const REQUEST = { provider: 'openai', model: 'gpt-4', messages: [{ role: 'user', content: 'hello' }] };
const SEAM = '/v1/host/sample/test/llm-cache-key';

describe('serve', () => {
  it('prints exactly one JSON line, answers with its seams, and ends cleanly on SIGTERM', async () => {
    const { result, ended } = await serving(['--enable-test-seams'], async (address) => {
      const answer = await post(address, SEAM, REQUEST);
      return { address, status: answer.status, body: await answer.json() };
    });
    expect(Object.keys(result.address)).toEqual(['baseUrl', 'apiKey', 'otherTenantApiKey']);
    expect(result.address.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(result.address.apiKey).not.toBe(result.address.otherTenantApiKey);
    expect(result.status).toBe(200);
    expect(result.body).toEqual({ cacheKey: '4a28389c61c823cfafc061d045db51cf6e83f9b0dbe5effb5e9e51574f550376' });
    expect(ended.exitCode).toBe(0);
    expect(ended.stdout.split('\n')).toEqual([JSON.stringify(result.address), '']);
  });

  it('that is told nothing listens at 127.0.0.1 alone, shows its runs, has no seams, and ends cleanly on SIGINT while a connection is open', async () => {
    const serve = startCli(['serve', '--port', '0', '--json']);
    try {
      const address = JSON.parse(await serve.firstLine) as Address;
      expect(await elsewhere(address)).toBe('refused');
      expect(await look(address)).toEqual([200, 'text/html; charset=utf-8', 200, true]);
      const seams = ['llm-cache-key', 'mock-ai/program', 'reset'];
      const statuses = seams.map(async (name) => (await post(address, `/v1/host/sample/test/${name}`, {})).status);
      expect(await Promise.all(statuses)).toEqual([404, 404, 404]);
      await post(address, '/v1/runs', { workflowId: 'conformance-noop' });
      serve.signal('SIGINT');
      expect((await serve.ended).exitCode).toBe(0);
    } finally {
      serve.signal('SIGKILL');
    }
  });

  it('listens at all addresses, and shows nothing to a browser, where it is told to', async () => {
    const flags = ['--host', '0.0.0.0', '--no-ui'];
    const { result } = await serving(flags, async (address) => [await elsewhere(address), await look(address)]);
    // Other systems have no second loopback address unless they are given one.
    const answered = process.platform === 'linux' ? 200 : 'refused';
    expect(result).toEqual([answered, [404, 'application/json', 404, false]]);
  });

  it.each([
    ['a pipe', []],
    ['a file', ['sh', '-c', '"$0" "$@" </dev/null']],
  ])('ends cleanly with its standard input where that is asked for, and it is %s', async (_, through) => {
    const args = ['serve', '--port', '0', '--json', '--until-stdin-ends'];
    const { exitCode, stdout, stderr } = await runCli(args, {}, { through });
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toHaveProperty('baseUrl');
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'ends cleanly on %s while the standard input that it would end with stays open',
    async (name) => {
      const serve = startCli(['serve', '--port', '0', '--json', '--until-stdin-ends'], {}, { holdsInput: true });
      try {
        await serve.firstLine;
        serve.signal(name);
        expect(await serve.ended).toMatchObject({ exitCode: 0, stderr: '' });
      } finally {
        serve.signal('SIGKILL');
      }
    },
  );

  it('keeps runs in its data file over a restart', async () => {
    await withTemporaryDirectory(async (directory) => {
      const flags = ['--data', join(directory, 'host.db')];
      const first = await serving(flags, async (address) => {
        const created = (await (await post(address, '/v1/runs', { workflowId: 'conformance-noop' })).json()) as {
          readonly runId: string;
        };
        return { runId: created.runId, log: await readLog(address, created.runId) };
      });
      const second = await serving(flags, (address) => readLog(address, first.result.runId));
      expect(first.result.log.events).not.toHaveLength(0);
      expect(second.result).toEqual(first.result.log);
    });
  });

  it('sends the spans of its runs where the environment says', async () => {
    const got: string[] = [];
    const collector: RequestListener = (request, response) => {
      got.push(String(request.url));
      request.resume().on('end', () => response.end('{}'));
    };
    await withServer(collector, async (url) => {
      const serve = startCli(['serve', '--port', '0', '--json'], { OTEL_EXPORTER_OTLP_ENDPOINT: url });
      const address = JSON.parse(await serve.firstLine) as Address;
      const created = (await (await post(address, '/v1/runs', { workflowId: 'conformance-noop' })).json()) as {
        readonly runId: string;
      };
      await readLog(address, created.runId);
      serve.signal('SIGTERM');
      expect((await serve.ended).exitCode).toBe(0);
    });
    expect(got).toEqual(['/v1/traces']);
  });

  it('says that the address for its spans is none, and exits 2', async () => {
    const { exitCode, stderr } = await runMain(['serve', '--port', '0', '--json', '--otlp-endpoint', 'nowhere']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--otlp-endpoint');
  });

  it('dies at the failpoint that the environment arms, and says which it does not know', async () => {
    const serve = startCli(['serve', '--port', '0', '--json'], { FAILPOINT: 'after-create-run@2' });
    const address = JSON.parse(await serve.firstLine) as Address;
    expect((await post(address, '/v1/runs', { workflowId: 'conformance-noop' })).status).toBe(201);
    await expect(post(address, '/v1/runs', { workflowId: 'conformance-noop' })).rejects.toThrow('fetch failed');
    expect((await serve.ended).exitCode).toBeNull();
    for (const FAILPOINT of ['after-lunch@1', 'after-create-run', 'after-create-run@0']) {
      const { exitCode, stdout, stderr } = await runMain(['serve', '--port', '0', '--json'], { FAILPOINT });
      expect(exitCode).toBe(2);
      expect(stdout).toBe('');
      expect(stderr).toMatch(/^openwop-conformance: FAILPOINT/);
    }
  });

  it('says which port is taken, and exits 2', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    try {
      const address = taken.address();
      const port = typeof address === 'object' && address !== null ? String(address.port) : '';
      const { exitCode, stdout, stderr } = await runMain(['serve', '--port', port, '--json']);
      expect(exitCode).toBe(2);
      expect(stdout).toBe('');
      expect(stderr).toContain(port);
      expect(stderr).toMatch(/^openwop-conformance: .*in use$/m);
    } finally {
      taken.close();
    }
  });

  it('says that a data file is none of its own, and exits 2', async () => {
    await withTemporaryDirectory(async (directory) => {
      const file = join(directory, 'notes.txt');
      writeFileSync(file, 'This is not a database. '.repeat(100));
      for (const data of [file, join(directory, 'no', 'such', 'directory', 'host.db')]) {
        const { exitCode, stdout, stderr } = await runMain(['serve', '--port', '0', '--json', '--data', data]);
        expect(exitCode).toBe(2);
        expect(stdout).toBe('');
        expect(stderr).toContain(data);
        expect(stderr).not.toMatch(/^ +at /m);
      }
    });
  });

  it('says what was never finished in its data file, and where the file is damaged: then it exits 2', async () => {
    await withTemporaryDirectory(async (directory) => {
      const data = join(directory, 'host.db');
      const log = `${data}-wal`;
      const flags = ['serve', '--port', '0', '--json', '--data', data];
      const killed = startCli(flags);
      const address = JSON.parse(await killed.firstLine) as Address;
      await post(address, '/v1/runs', { workflowId: 'conformance-noop' });
      killed.signal('SIGKILL');
      await killed.ended;
      const written = readFileSync(log);
      const end = written.findLastIndex((byte) => byte !== 0) + 1;

      writeFileSync(log, Buffer.from(written).fill(0xff, 100, 200));
      const refused = await runCli(flags);
      expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
      expect(refused.stderr).toContain(`openwop-conformance: ${log} is damaged at byte 32: `);

      writeFileSync(log, Buffer.from(written).fill(0, end - 600, end));
      const { ended } = await serving(['--data', data], () => Promise.resolve());
      expect(ended.exitCode).toBe(0);
      expect(ended.stderr).toMatch(/^\S*host\.db-wal: the last write is not whole and is left out.*\n$/);
    });
  });
});

/** The whole log of a run, read to its end. */
async function readLog({ baseUrl, apiKey }: Address, runId: string): Promise<{ readonly events: readonly unknown[] }> {
  const headers = { authorization: `Bearer ${apiKey}` };
  await (await fetch(`${baseUrl}/v1/runs/${runId}/events`, { headers })).text();
  const log = await fetch(`${baseUrl}/v1/runs/${runId}/events/poll`, { headers });
  return (await log.json()) as { readonly events: readonly unknown[] };
}
