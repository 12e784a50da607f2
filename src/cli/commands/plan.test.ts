import { describe, expect, it } from 'vitest';
import { closedAfterEach } from '../../../test/closing.ts';
import { sendJson, serveHttp } from '../../../test/local-server.ts';
import { runMain } from '../../../test/run-main.ts';

const opened = closedAfterEach();

const ONE = ['--scenario', 'handoff.public-fixture'];
const DISCOVERY = { protocolVersion: '1.0', multiAgent: { executionModel: { supported: true, version: 4 } } };

/** A host that has nothing but a discovery document; for all else it answers 404, or keeps silent. */
async function hostOf(isSilent: boolean): Promise<readonly string[]> {
  const server = await serveHttp(({ url }, response) => {
    if (url.startsWith('/.well-known/')) sendJson(response, DISCOVERY);
    else if (!isSilent) {
      sendJson(response, { error: 'not_found', message: 'm' }, 404);
    }
  });
  return ['plan', '--base-url', opened(server).baseUrl, ...ONE];
}

describe('a plan', () => {
  it('takes the workflows that a run would take', async () => {
    const args = await hostOf(false);
    expect((await runMain(args)).stdout).toMatch(/^handoff\.public-fixture +inconclusive: /mu);
    const ids = ['conformance-multi-agent-handoff', 'conformance-multi-agent-handoff-child'];
    const { stdout } = await runMain([...args, ...ids.flatMap((id) => ['--workflow', id])]);
    expect(stdout).toMatch(/^handoff\.public-fixture +applicable: /mu);
  });

  it('ends when its time is over, and says so', async () => {
    const { exitCode, stdout } = await runMain([...(await hostOf(true)), '--max-time', '300', '--timeout', '20000']);
    expect(stdout).toContain('inconclusive: the run was not over within 300 ms (--max-time)');
    expect(exitCode).toBe(3);
  });
});
