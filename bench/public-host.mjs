import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createReferenceHost, defaultCredentials, listen } from '../build/reference-host/index.js';
import { bareHost } from '../build/src/kill-matrix/bare-host.js';
import { paired, timed } from './measure.mjs';

const file = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Exit codes of a run in which nothing failed: our own workflows and seams are missing there. */
const NOTHING_FAILED = [0, 3];

/** Wall time of a run against a host with the public workflows and seams alone, against sending the same requests to such a host. */
export async function benchPublicHost() {
  const folder = mkdtempSync(join(tmpdir(), 'openwop-bench-'));
  const evidence = join(folder, 'evidence.ndjson');
  const command = [file('../dist/bin/openwop-conformance.cjs'), '--seed', '1'];
  try {
    await againstHost((baseUrl) => [...command, '--base-url', baseUrl, '--evidence', evidence]);
    const { a, b, ratio } = await paired(
      7,
      () => againstHost((baseUrl) => [...command, '--base-url', baseUrl]),
      () => againstHost((baseUrl) => [file('./bare-run.mjs'), evidence, baseUrl]),
    );
    return [
      {
        what: 'run against a host with public workflows / its requests bare',
        measured: `${a.toFixed(0)} ms / ${b.toFixed(0)} ms`,
        ratio,
        goal: '<= 3',
      },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Milliseconds of a Node process against a host of its own, which is ready before. */
async function againstHost(args) {
  const { credentials, apiKey } = defaultCredentials();
  const host = createReferenceHost({ credentials, enableTestSeams: true, parts: bareHost() });
  const server = await listen(host, {});
  try {
    return await timed(async () => {
      const child = spawn(process.execPath, args(server.baseUrl), {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: { ...process.env, OPENWOP_API_KEY: apiKey },
      });
      const [status] = await once(child, 'exit');
      if (!NOTHING_FAILED.includes(status)) throw new Error(`${args(server.baseUrl).join(' ')} ended with ${status}`);
    });
  } finally {
    await server.close();
    await host.close();
  }
}
