import { readFileSync } from 'node:fs';
import { setupServer } from 'msw/node';
import { afterEach, describe, expect, it } from 'vitest';
import { packageFile } from '../contract/package-root.ts';
import { handlers, type HandlersOptions } from './msw.ts';

const WORKFLOW = JSON.parse(
  readFileSync(packageFile('fixtures/workflows/conformance-determinism-identity.json'), 'utf8'),
) as object;
const BASE_URL = 'https://openwop.invalid';
const KEY = 'key-of-the-client';
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** A client's view of the host behind the handlers. */
function client(options: Partial<HandlersOptions> = {}) {
  const host = handlers({ baseUrl: BASE_URL, apiKey: KEY, ...options });
  const server = setupServer(...host);
  server.listen({ onUnhandledRequest: 'error' });
  closing.push(
    () => host.close(),
    () => server.close(),
  );
  const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${BASE_URL}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    });
  const post = (path: string, body: object) => ask(path, { method: 'POST', body: JSON.stringify(body) });
  return { ask, post };
}

/** A run's log, as the host streams it. */
async function logOf({ ask }: ReturnType<typeof client>, runId: string): Promise<readonly string[]> {
  const text = await (await ask(`/v1/runs/${runId}/events`)).text();
  return [...text.matchAll(/^event: (?<type>.+)$/gmu)].map((match) => match.groups?.['type'] ?? '');
}

describe('the reference host behind MSW', () => {
  it('runs workflows, streams their logs and forks them, for a client that knows nothing of it', async () => {
    const host = client();
    expect(await (await host.ask('/.well-known/openwop')).json()).toHaveProperty('protocolVersion');
    const made = await host.post('/v1/runs', { workflowId: 'conformance-multi-node', inputs: {} });
    expect(made.status).toBe(201);
    const { runId } = (await made.json()) as { runId: string };
    expect((await logOf(host, runId)).at(-1)).toBe('run.completed');
    const fork = await host.post(`/v1/runs/${runId}:fork`, { mode: 'replay' });
    expect([fork.status, await fork.json()]).toMatchObject([201, { sourceRunId: runId, mode: 'replay' }]);
  });

  it('refuses other credentials, and has seams only where it is asked for them', async () => {
    const seam = '/v1/host/sample/test/llm-cache-key';
    const { post } = client();
    expect((await post(seam, {})).status).toBe(404);
    expect((await fetch(`${BASE_URL}/v1/runs/x`)).status).toBe(401);
  });

  it('takes workflows', async () => {
    const workflow = { ...WORKFLOW, id: 'mine' };
    const { post } = client({ workflows: [workflow] });
    expect((await post('/v1/runs', { workflowId: 'mine', inputs: {} })).status).toBe(201);
  });

  it('has the defects that it is given, so that one sees how a client copes', async () => {
    const { post } = client({ defects: ['fork-ok-not-created'] });
    const { runId } = (await (await post('/v1/runs', { workflowId: 'conformance-noop', inputs: {} })).json()) as {
      runId: string;
    };
    expect((await post(`/v1/runs/${runId}:fork`, { mode: 'replay' })).status).toBe(200);
  });

  it.each<[wrong: object, says: string]>([
    [{ baseUrl: undefined }, 'baseUrl is missing'],
    ...['/api', 'ftp://a.invalid', `${BASE_URL}/api`, 'https://u:p@a.invalid'].map((baseUrl): [object, string] => [
      { baseUrl },
      'baseUrl has to be an origin of http or https, without credentials and without a path',
    ]),
    [{ apiKey: '' }, 'apiKey: the credential is empty'],
    [{ seams: 'yes' }, 'seams has to be true or false'],
    [{ defect: ['fork-ok-not-created'] }, 'no option is called "defect"; did you mean defects?'],
    [{ defects: 'fork-ok-not-created' }, 'defects has to be a list of texts'],
    [{ defects: ['branch-iner'] }, 'no defect is called "branch-iner"; did you mean branch-inert?'],
    [{ workflows: [null] }, 'workflows has to be a list of objects'],
    [{ workflows: [WORKFLOW] }, 'workflows[0] ("conformance-determinism-identity"): There is a workflow of this id.'],
    [
      {
        workflows: [
          { ...WORKFLOW, id: 'mine' },
          { ...WORKFLOW, id: 'other', nodes: [{}] },
        ],
      },
      'workflows[1] ("other"): The definition does not fit its schema: /nodes/0 must have required property',
    ],
  ])('says what is wrong with its options: %j', (wrong, says) => {
    expect(() => handlers({ baseUrl: BASE_URL, ...wrong })).toThrow(says);
  });
});
