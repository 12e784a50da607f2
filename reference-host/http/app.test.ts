import { describe, expect, it } from 'vitest';
import { createReferenceHost } from '../host.ts';
import { member } from '../json.ts';
import { defaultParts } from '../parts.ts';
import { knownCredential } from '../credentials.ts';
import { CREDENTIALS, testClient } from '../../test/reference-client.ts';
import { createApp, honoPath } from './app.ts';
import { openApiRoute } from './openapi.ts';
import type { Route } from './route.ts';

const client = testClient();

async function described(enableTestSeams: boolean): Promise<string[]> {
  const { body } = await testClient({ enableTestSeams }).get('/v1/openapi.json');
  return operationsOf(body);
}

function operationsOf(document: unknown): string[] {
  const paths = Object.entries(member(document, 'paths') ?? {});
  return paths.flatMap(([path, item]) => Object.keys(item ?? {}).map((method) => `${method.toUpperCase()} ${path}`));
}

describe('openapi.json', () => {
  it('describes exactly what the router routes', async () => {
    const route: Route = {
      method: 'POST',
      path: '/v1/things/{thingId}:verb',
      operationId: 'x',
      summary: 'x',
      access: [],
      answers: { 200: 'x' },
      handle: () => new Response(null),
    };
    const self = openApiRoute([route]);
    const app = createApp([route, self], CREDENTIALS.map(knownCredential));
    const routed = app.routes.filter(({ method }) => method !== 'ALL').map(({ method, path }) => `${method} ${path}`);
    const reply = await app.fetch(new Request('http://host.test/v1/openapi.json'));
    expect(operationsOf(await reply.json()).map(honoPath)).toEqual(routed);
  });

  it('names the operations of the wire contract and its list of runs, and the seams only where they are', async () => {
    const operations = [
      'GET /.well-known/openwop',
      'GET /v1/workflows/{workflowId}',
      'POST /v1/runs',
      'GET /v1/host/sample/runs',
      'GET /v1/runs/{runId}',
      'POST /v1/runs/{runId}/cancel',
      'POST /v1/runs/{runId}/interrupts/{nodeId}',
      'GET /v1/runs/{runId}/events',
      'GET /v1/runs/{runId}/events/poll',
      'POST /v1/runs/{runId}/annotations',
      'GET /v1/runs/{runId}/annotations',
      'POST /v1/runs/{runId}:fork',
      'GET /v1/runs/{runId}:diff',
      'GET /v1/runs/{runId}/determinism',
      'GET /v1/openapi.json',
    ];
    const models = ['llm-cache-key', 'mock-ai/program', 'reset', 'llm-cache/purge', 'workflow-revision'];
    const ledger = ['failpoint', 'failpoint/passed', 'invocations', 'invocations/plant', 'verification', 'layer-two'];
    const governance = ['retention/expire', 'data/delete', 'audit'];
    const seams = [...models, ...ledger, ...governance].map((name) => `POST /v1/host/sample/test/${name}`);
    expect(await described(false)).toEqual(operations);
    expect((await described(true)).toSorted()).toEqual([...operations, ...seams].toSorted());
  });
});

describe('discovery', () => {
  it('advertises version 4 with the recipe, and the loaded workflows', async () => {
    const { body, headers } = await client.get('/.well-known/openwop');
    expect(body).toMatchObject({
      protocolVersion: '1.0',
      multiAgent: {
        executionModel: {
          supported: true,
          version: 4,
          replayDeterminism: {
            supported: true,
            llmCacheKeyRecipe: 'spec-rfc-0041',
            refusalDivergenceEmission: true,
          },
        },
      },
      replay: { supported: true, modes: ['replay', 'branch'] },
    });
    expect(headers.get('cache-control')).toContain('max-age');
    expect(member(body['capabilities'], 'multiAgent')).toEqual(body['multiAgent']);
    for (const id of body['fixtures'] as string[]) {
      expect((await client.get(`/v1/workflows/${id}`)).body['id']).toBe(id);
    }
  });

  it('answers 404 to an unknown workflow', async () => {
    expect((await client.get('/v1/workflows/nope')).body['error']).toBe('workflow_not_found');
  });
});

describe('odd requests', () => {
  it.each([
    [405, 'PUT', '/v1/runs', 'POST'],
    [405, 'OPTIONS', '/.well-known/openwop', 'GET, HEAD'],
    [405, 'GET', '/v1/runs/run_00000000000000000000000000:fork', 'POST'],
    [404, 'GET', '/', null],
    [404, 'GET', '/v1/runs/', null],
    [404, 'GET', '/v1/runs/%00', null],
    [404, 'GET', '/v1/runs/%E0%A4%A', null],
    [404, 'GET', '/v1/runs/__proto__', null],
    [404, 'GET', '/v1/runs/a:b:c', null],
    [404, 'POST', '/v1/runs/:fork', null],
    [404, 'GET', `/v1/runs/${'x'.repeat(10_000)}`, null],
    [404, 'GET', '/v1//runs', null],
    [404, 'BREW', '/coffee', null],
  ])('answers %i to %s %s', async (status, method, path, allow) => {
    const reply = await client.get(path, { method });
    expect(reply.status).toBe(status);
    expect(reply.headers.get('allow')).toBe(allow);
    expect(Object.keys(reply.body).toSorted()).toEqual(['error', 'message']);
  });

  it.each([
    ['invalid UTF-8', Uint8Array.of(0x22, 0xff, 0x22)],
    ['a byte order mark', new TextEncoder().encode('\ufeff{}')],
    ['deep nesting', new TextEncoder().encode('{"a":'.repeat(50_000))],
  ])('answers 400 to a body with %s', async (_, body) => {
    const headers = { authorization: 'Bearer key-a' };
    const reply = await client.host.fetch(new Request('http://host.test/v1/runs', { method: 'POST', headers, body }));
    expect(reply.status).toBe(400);
  });

  it('shows nothing of an internal error', async () => {
    const host = createReferenceHost({
      credentials: CREDENTIALS,
      enableTestSeams: true,
      parts: {
        digest: () => {
          throw new Error('internal detail');
        },
      },
    });
    const body = '{"provider":"p","model":"m","messages":[]}';
    const headers = { authorization: 'Bearer key-a' };
    const path = 'http://host.test/v1/host/sample/test/llm-cache-key';
    const reply = await host.fetch(new Request(path, { method: 'POST', headers, body }));
    expect([reply.status, await reply.text()]).toEqual([
      500,
      '{"error":"internal_error","message":"The host could not answer this request."}',
    ]);
  });
});

describe('parts', () => {
  it('replaces single parts and keeps the others', async () => {
    const variant = testClient({
      parts: {
        firstSequence: 1,
        eventOnWire: (event, reading) => ({ ...event, seq: event.sequence, reading }),
        discovery: (document) => ({ ...document, extra: true }),
        serialise: (projected) => JSON.stringify({ wrong: projected }),
        middleware: (next) => async (request) => {
          const response = await next(request);
          response.headers.set('x-seen', 'yes');
          return response;
        },
      },
    });
    const run = await variant.run('conformance-noop');
    expect(run.events.map((event) => [event['sequence'], event['seq']])).toEqual([1, 2, 3, 4].map((n) => [n, n]));
    const readings = await Promise.all([
      variant.get(`/v1/runs/${run.runId}/events`, { headers: { accept: 'application/json' } }),
      variant.get(`/v1/runs/${run.runId}/events/poll`),
    ]);
    expect([run.events[0]?.['reading'], ...readings.map(({ text }) => /"reading":"(\w+)"/.exec(text)?.[1])]).toEqual([
      'sse',
      'json',
      'poll',
    ]);
    const discovery = await variant.get('/.well-known/openwop');
    expect([discovery.body['extra'], discovery.headers.get('x-seen')]).toEqual([true, 'yes']);
    const body = { provider: 'p', model: 'm', messages: [] };
    const wrong = await variant.post('/v1/host/sample/test/llm-cache-key', body);
    const right = await client.post('/v1/host/sample/test/llm-cache-key', body);
    expect(wrong.body['cacheKey']).toBe(
      defaultParts.digest(JSON.stringify({ wrong: defaultParts.projectRequest(body) })),
    );
    expect(right.body['cacheKey']).not.toBe(wrong.body['cacheKey']);
  });
});
