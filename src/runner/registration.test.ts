import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { bareScenario, OPTIONS } from '../../test/bare-scenario.ts';
import { closedAfterEach } from '../../test/closing.ts';
import { type Received, sendJson, serveHttp } from '../../test/local-server.ts';
import type { Definition } from '../contract/definitions.ts';
import { createRecorder } from '../evidence/recorder.ts';
import { createRedactor } from '../evidence/redact.ts';
import type { EvidenceRecord } from '../evidence/types.ts';
import type { Probe } from '../host/probe.ts';
import { driveRun, type RunOptions } from './run.ts';
import type { Registration } from './registration.ts';
import type { Need } from './scenario.ts';

const KEY = 'credential-of-this-run';
const OTHER_KEY = 'credential-of-another-tenant';
const PATH = '/v1/host/vendor/workflows';

const opened = closedAfterEach();

function flow(id: string, config: object = {}): Definition {
  const node = { id: 'n', typeId: 'core.noop', name: 'N', config: { ...config }, inputs: {} };
  return { id, nodes: [node], revisions: [{ version: '2.0.0', nodes: [node] }, { version: '3.0.0' }] };
}

const DEFINITIONS = [flow('parent', { workflowId: 'child' }), flow('child'), flow('other'), flow('unneeded')];

function needing(...workflowIds: readonly string[]): readonly Need[] {
  return workflowIds.map((workflowId) => ({ kind: 'fixture', workflowId }));
}

interface Asked {
  readonly needs?: readonly Need[];
  readonly document?: object | null;
  readonly registration?: Partial<Registration>;
  readonly tenantBKey?: string;
  readonly drive?: (probe: Probe) => void;
  readonly more?: Partial<RunOptions>;
}

/** A run whose only scenario needs fixtures of a host that answers registrations and removals as `answer` does. */
async function registering(
  answer: (received: Received, response: ServerResponse) => void,
  {
    needs = needing('parent'),
    document = { protocolVersion: '1.0' },
    registration = {},
    tenantBKey,
    drive,
    more,
  }: Asked = {},
) {
  const requests: Received[] = [];
  const notices: string[] = [];
  const { baseUrl } = opened(
    await serveHttp((received, response) => {
      if (received.url === '/.well-known/openwop') {
        return document === null ? response.destroy() : sendJson(response, document);
      }
      // Whether the host can be judged at all.
      if (received.url.startsWith('/v1/runs')) return sendJson(response, { error: 'run_not_found' }, 404);
      requests.push(received);
      return received.method === 'GET' ? sendJson(response, { error: 'no' }, 404) : answer(received, response);
    }),
  );
  const recorder = createRecorder(createRedactor([KEY, OTHER_KEY]));
  const scenario = bareScenario({
    needs,
    drive: async (probe) => {
      requests.push({ method: 'DRIVE', url: '', headers: {}, body: '' });
      drive?.(probe);
      return [];
    },
  });
  await driveRun(
    {
      target: { baseUrl, apiKey: KEY, tenantBKey, baseUrlB: undefined, apiKeyB: undefined },
      scenarios: [scenario],
      options: OPTIONS,
      shown: {},
      tool: { name: 't', version: '1' },
      concurrency: 4,
      timeoutMs: 30_000,
      registration: {
        method: 'POST',
        origin: baseUrl,
        path: PATH,
        definitions: DEFINITIONS,
        mayRun: new Map(),
        notice: (line) => notices.push(line.replaceAll(baseUrl, '')),
        ...registration,
      },
      signal: new AbortController().signal,
      ...more,
    },
    recorder,
  );
  const said = requests.map(({ method, url }) => `${method} ${url}`.trim());
  return { said, requests, notices, records: recorder.records };
}

function planned(records: readonly EvidenceRecord[]): string {
  const plan = records.find((record) => record.kind === 'plan');
  return `${plan?.status}: ${plan?.reason}`;
}

const created = (_: Received, response: ServerResponse): void => sendJson(response, {}, 201);

describe('registered fixtures', () => {
  it('are those that are needed and lacking, workers first, and are removed in the opposite order', async () => {
    const { said, notices, records } = await registering(created);
    expect(said).toEqual([
      'GET /v1/workflows/child',
      `POST ${PATH}`,
      'GET /v1/workflows/parent',
      `POST ${PATH}`,
      'DRIVE',
      `DELETE ${PATH}/parent`,
      `DELETE ${PATH}/child`,
    ]);
    expect(notices).toEqual([`2 fixtures registered over POST ${PATH}, to be removed at the end`]);
    expect(planned(records)).toMatch(/^applicable/u);
  });

  it('are sent with both names of their ids, under the credential, which is not in the evidence', async () => {
    const { requests, records } = await registering(created);
    const [posted] = requests.filter(({ method }) => method === 'POST');
    const node = { id: 'n', nodeId: 'n', typeId: 'core.noop' };
    expect(JSON.parse(posted?.body ?? '')).toMatchObject({
      id: 'child',
      workflowId: 'child',
      nodes: [node],
      revisions: [{ version: '2.0.0', nodes: [node] }, { version: '3.0.0' }],
    });
    expect(posted?.headers.authorization).toBe(`Bearer ${KEY}`);
    const exchanges = records.filter((record) => record.kind === 'exchange');
    expect(exchanges.map(({ request }) => request.method)).toEqual([
      'GET',
      'GET',
      'GET',
      'POST',
      'GET',
      'POST',
      'DELETE',
      'DELETE',
    ]);
    expect(JSON.stringify(records)).not.toContain(KEY);
  });

  it('have URLs of their own where these are named', async () => {
    const registration = { method: 'PUT', path: '/flows/{workflowId}/definition' } as const;
    const { said } = await registering(created, { needs: needing('other'), registration });
    expect(said.slice(1)).toEqual(['PUT /flows/other/definition', 'DRIVE', 'DELETE /flows/other/definition']);
  });

  it('are none where the host names them, or nothing is needed, or nothing is known of the host', async () => {
    const named = await registering(created, { needs: needing('other'), document: { fixtures: ['other'] } });
    expect(named.said).toEqual(['DRIVE']);
    expect((await registering(created, { needs: [] })).said).toEqual(['DRIVE']);
    const unknown = await registering(created, { document: null });
    expect(unknown.said.filter((line) => !line.startsWith('GET'))).toEqual([]);
  });

  it('are also what the scenario may run', async () => {
    const { said } = await registering(created, { needs: [], registration: { mayRun: new Map([['s', ['other']]]) } });
    expect(said).toContain(`DELETE ${PATH}/other`);
  });

  it('are used as they are where they were there, and stay', async () => {
    const { said, notices, records } = await registering((_, response) => sendJson(response, {}, 409));
    expect(said.filter((line) => line.startsWith('DELETE'))).toEqual([]);
    expect(notices).toEqual([`POST ${PATH} answered 409: used as they are: child, parent`]);
    expect(planned(records)).toMatch(/^applicable/u);
  });

  it('are registered for a second tenant where scenarios are about two', async () => {
    const needs: readonly Need[] = [{ kind: 'second-tenant' }, ...needing('other')];
    const { requests, notices } = await registering(
      ({ headers, method }, response) =>
        sendJson(response, {}, method === 'POST' && headers.authorization === `Bearer ${OTHER_KEY}` ? 403 : 201),
      { needs, tenantBKey: OTHER_KEY },
    );
    const posted = requests.filter(({ method }) => method === 'POST').map(({ headers }) => headers.authorization);
    expect(posted).toEqual([`Bearer ${KEY}`, `Bearer ${OTHER_KEY}`]);
    expect(notices[1]).toBe(`POST ${PATH} gave 403 to the second tenant: not registered, absent: other`);
    expect(requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
  });

  it.each([
    [401, {}, '401'],
    [413, { error: 'payload_too_large', message: 'Too large.' }, '413 payload_too_large Too large.'],
    [500, { error: { code: 'nested' } }, '500'],
    [302, {}, '302'],
    [400, { error: 'x'.repeat(1000) }, `400 ${'x'.repeat(160)}…`],
    [400, { message: `not ${KEY}` }, '400 not [redacted]'],
    [201, { id: 'mine', workflowId: 7 }, 'another id, mine, which stays there'],
  ])('are absent, in one line, where the host answers %i %j', async (status, body, because) => {
    const { said, notices, records } = await registering((_, response) => sendJson(response, body, status));
    expect(notices).toEqual([expect.stringMatching(/: not registered, absent: child, parent$/u)]);
    expect(notices[0]).toContain(`POST ${PATH} gave ${because.replace('[redacted]', '')}`);
    expect(said.slice(-1)).toEqual([`POST ${PATH}`]);
    expect(planned(records)).toContain('inconclusive: the workflow fixture parent could not be registered (');
    expect(JSON.stringify([notices, records])).not.toContain(KEY);
  });

  it('are absent where a web page came', async () => {
    const { notices } = await registering((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>');
    });
    expect(notices).toEqual([`POST ${PATH} gave a web page: not registered, absent: child, parent`]);
  });

  it('are there under the own id that an answer names beside another one', async () => {
    const { records } = await registering(({ body, method }, response) =>
      sendJson(response, method === 'POST' ? { id: 'x-1', workflowId: (JSON.parse(body) as Definition).id } : {}, 201),
    );
    expect(planned(records)).toMatch(/^applicable/u);
  });

  it('are absent where nothing came, and taken away nevertheless', async () => {
    const { said, notices } = await registering(({ method }, response) =>
      method === 'POST' ? response.destroy() : sendJson(response, {}, 404),
    );
    expect(said.slice(-2)).toEqual([`DELETE ${PATH}/parent`, `DELETE ${PATH}/child`]);
    expect(notices).toEqual([`POST ${PATH} gave reset (other side closed): not registered, absent: child, parent`]);
  });

  it('that cannot be removed are a line, and no verdict', async () => {
    const { notices, records } = await registering(({ method }, response) =>
      sendJson(response, {}, method === 'POST' ? 201 : 405),
    );
    expect(notices.slice(1)).toEqual([`DELETE ${PATH}/parent gave 405: not removed, take them away: parent, child`]);
    expect(records.at(-1)?.kind).toBe('end');
  });

  it('are removed when the run was interrupted', async () => {
    const controller = new AbortController();
    const drive = (): void => controller.abort();
    const { said } = await registering(created, { drive, more: { signal: controller.signal } });
    expect(said.slice(-3)).toEqual(['DRIVE', `DELETE ${PATH}/parent`, `DELETE ${PATH}/child`]);
  });

  it('are removed when it was interrupted while they were registered, those of which nothing is known as well', async () => {
    const controller = new AbortController();
    const { said, notices } = await registering(
      ({ method }, response) => (method === 'POST' ? controller.abort() : sendJson(response, {})),
      { more: { signal: controller.signal } },
    );
    expect(said).toEqual(['GET /v1/workflows/child', `POST ${PATH}`, `DELETE ${PATH}/child`]);
    expect(notices).toEqual([]);
  });

  it('end with their share of time where a host never answers', async () => {
    const { notices, records } = await registering(() => undefined, { more: { timeoutMs: 1000 } });
    expect(notices.filter((line) => line.includes('not registered, absent: '))).not.toEqual([]);
    expect(planned(records)).toContain('could not be registered');
  });
});
