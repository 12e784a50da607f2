import { afterAll, describe, expect, it } from 'vitest';
import { testClient } from '../../test/reference-client.ts';
import { member } from '../json.ts';
import { FAILPOINTS } from '../store/failpoints.ts';

const ROOT = '/v1/host/sample/test';
const dead: string[] = [];
const client = testClient();
afterAll(() => client.host.close());

const arm = (body: unknown): ReturnType<typeof client.post> => client.post(`${ROOT}/failpoint`, body);

async function advertised(enableTestSeams: boolean): Promise<unknown> {
  const { body } = await testClient({ enableTestSeams }).get('/.well-known/openwop');
  return member(member(body['extensions'], 'x-openwop-provable-semantics'), 'failpoints');
}

describe('the failpoints', () => {
  it('are those that discovery names, each once, before and after every step', async () => {
    expect(await advertised(true)).toEqual(FAILPOINTS);
    expect(new Set(FAILPOINTS).size).toBe(FAILPOINTS.length);
    const steps = new Set(FAILPOINTS.map((name) => name.replace(/^(before|after)-/, '')));
    expect(FAILPOINTS).toEqual([...steps].flatMap((step) => [`before-${step}`, `after-${step}`]));
  });

  it('are none where there are no test seams', async () => {
    expect(await advertised(false)).toEqual([]);
    const plain = testClient({ enableTestSeams: false });
    for (const path of ['failpoint', 'failpoint/passed', 'invocations', 'invocations/plant', 'verification']) {
      expect((await plain.post(`${ROOT}/${path}`, {})).status).toBe(404);
    }
  });

  it.each(FAILPOINTS)('can be armed: %s', async (name) => {
    expect(await arm({ name, hit: 1_000_000, action: 'kill' })).toMatchObject({
      status: 200,
      body: { name, hit: 1_000_000 },
    });
  });

  it.each([
    ['no body', null],
    ['a list', []],
    ['nothing', {}],
    ['no name', { hit: 1, action: 'kill' }],
    ['an unknown name', { name: 'after-lunch', hit: 1, action: 'kill' }],
    ['a name of the prototype', { name: 'constructor', hit: 1, action: 'kill' }],
    ['another spelling', { name: 'After-Acquire', hit: 1, action: 'kill' }],
    ['a name that is no text', { name: 1, hit: 1, action: 'kill' }],
    ['no hit', { name: 'after-acquire', action: 'kill' }],
    ['hit 0', { name: 'after-acquire', hit: 0, action: 'kill' }],
    ['a negative hit', { name: 'after-acquire', hit: -1, action: 'kill' }],
    ['half a hit', { name: 'after-acquire', hit: 1.5, action: 'kill' }],
    ['a hit as text', { name: 'after-acquire', hit: '1', action: 'kill' }],
    ['a hit beyond counting', { name: 'after-acquire', hit: 2 ** 60, action: 'kill' }],
    ['no action', { name: 'after-acquire', hit: 1 }],
    ['an unknown action', { name: 'after-acquire', hit: 1, action: 'explode' }],
    ['a stall elsewhere', { name: 'after-execute', milliseconds: 5, action: 'stall' }],
    ['a stall without a length', { name: 'after-acquire', action: 'stall' }],
    ['a stall for ever', { name: 'after-acquire', milliseconds: 10_001, action: 'stall' }],
    ['a stall for no time', { name: 'after-acquire', milliseconds: 0, action: 'stall' }],
  ])('are refused with %s', async (_, body) => {
    const reply = await arm(body);
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ error: expect.any(String) as unknown });
  });

  it('count their passes from the moment they are armed, and kill at the hit alone', async () => {
    const host = testClient({ die: () => dead.push('here') });
    await host.run('conformance-noop');
    await host.post(`${ROOT}/failpoint`, { name: 'after-create-run', hit: 2, action: 'kill' });
    await host.run('conformance-noop');
    expect(dead).toEqual([]);
    await host.run('conformance-noop').catch(() => undefined);
    expect(dead).toEqual(['here']);
  });

  it('are armed one at a time: the last one counts', async () => {
    const host = testClient({ die: () => dead.push('there') });
    await host.post(`${ROOT}/failpoint`, { name: 'after-create-run', hit: 1, action: 'kill' });
    await host.post(`${ROOT}/failpoint`, { name: 'after-put-effect', hit: 1, action: 'kill' });
    await host.run('conformance-noop');
    expect(dead).not.toContain('there');
    await host.host.close();
  });

  it('are listed in the order in which they were passed', async () => {
    const host = testClient();
    await host.run('conformance-noop');
    const { body } = await host.post(`${ROOT}/failpoint/passed`, {});
    const passed = body['passed'] as readonly string[];
    expect(passed.slice(0, 3)).toEqual(['before-create-run', 'after-create-run', 'before-append-event']);
    expect(passed.filter((name) => !FAILPOINTS.includes(name))).toEqual([]);
    await host.host.close();
  });
});

describe('the seams about a run', () => {
  it.each(['invocations', 'verification'])('want to know which (%s)', async (path) => {
    for (const body of [null, {}, { runId: 1 }]) expect((await client.post(`${ROOT}/${path}`, body)).status).toBe(400);
  });

  it('know nothing about a run without calls', async () => {
    const unknown = { runId: 'run-unknown' };
    expect((await client.post(`${ROOT}/invocations`, unknown)).body).toEqual({ decisions: [] });
    expect((await client.post(`${ROOT}/verification`, unknown)).body).toEqual({ confirmationReplayWarnTotal: 0 });
  });
});

const plant = (body: unknown) => client.post(`${ROOT}/invocations/plant`, body);

describe('results that are planted', () => {
  it('are taken for stores that there are', async () => {
    const reply = await plant({ nodeId: 'nobody', store: 'ledger', result: null });
    expect(reply).toMatchObject({ status: 200, body: { nodeId: 'nobody', store: 'ledger' } });
  });

  it.each([
    ['nothing', {}],
    ['no node', { store: 'ledger', result: 1 }],
    ['an empty node', { nodeId: '', store: 'ledger', result: 1 }],
    ['another store', { nodeId: 'n', store: 'stream', result: 1 }],
    ['no result', { nodeId: 'n', store: 'effect' }],
    ['too much', { nodeId: 'n', store: 'effect', result: 'x'.repeat(10_000) }],
  ])('are refused with %s', async (_, body) => {
    expect((await plant(body)).status).toBe(400);
  });
});
